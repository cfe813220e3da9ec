"""A tab about something that has to be found first, which on a large tape takes its time."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from functools import partial
from typing import Generic, TypeVar

from rich.text import Text
from textual import on
from textual.worker import Worker, WorkerState, get_current_worker

from bpstep.analysis.progress import Cancelled, reporting
from bpstep.engine.errors import BpstepError
from bpstep.engine.program import Run
from bpstep.render import lines as ui
from bpstep.render.errors import error_text
from bpstep.render.lines import line
from bpstep.tui.scene import Scene
from bpstep.tui.widgets.tab_body import TabBody

Found = TypeVar("Found")
Answer = tuple[Hashable, object]

PAUSE = 0.15
"""Seconds for which nothing else must be wanted before a long search begins."""

MOST_KEPT = 64


class FoundPane(TabBody, Generic[Found]):
    """Finds each thing once: a quick one at once, others in a thread that a newer one calls off."""

    DEFAULT_CSS = """
    FoundPane { overflow-x: hidden; scrollbar-gutter: stable; }
    """

    def __init__(self) -> None:
        super().__init__()
        self._run: Run | None = None
        self._kept: dict[Hashable, Found | BpstepError] = {}
        self._sought: Hashable | None = None

    # What a pane says of itself.

    def wanted(self, scene: Scene) -> Hashable | None:
        """What a scene needs to have found; None where there is nothing to find."""
        raise NotImplementedError

    def is_quick(self, scene: Scene) -> bool:
        """Whether to find it takes a few milliseconds at most."""
        raise NotImplementedError

    def find(self, scene: Scene) -> Found:
        """Find it; called in a thread, too, and so for nothing that changes."""
        raise NotImplementedError

    def draw(self, scene: Scene, found: Found, width: int) -> Iterable[Text]:
        """The lines about what was found."""
        raise NotImplementedError

    def instead(self, scene: Scene) -> str:
        """What is said where nothing is wanted, and while it is looked for."""
        raise NotImplementedError

    # How it is found.

    def watch_scene(self) -> None:
        """Another position, selection or run: see that what it needs is found."""
        if self.scene is not None and self.in_sight:
            self._seek(self.scene)
        super().watch_scene()

    def fill(self, scene: Scene, width: int) -> Iterable[Text]:
        """The lines for so many columns."""
        wanted = self.wanted(scene)
        if wanted is None or wanted not in self._kept:
            return [line((self.instead(scene), ui.FAINT))]
        found = self._kept[wanted]
        if isinstance(found, BpstepError):
            return [line((said, ui.BAD)) for said in error_text(found).splitlines()]
        return self.draw(scene, found, width)

    def _seek(self, scene: Scene) -> None:
        if scene.session.run is not self._run:
            self._run, self._kept = scene.session.run, {}
        wanted = self.wanted(scene)
        if wanted is None or wanted in self._kept or wanted == self._sought:
            return
        self._sought = None
        if self.is_quick(scene):
            self.workers.cancel_node(self)
            self._keep(wanted, self._found(scene))
        else:
            self._sought = wanted
            search = partial(self._searched, wanted, scene)
            self.run_worker(search, thread=True, exclusive=True, description="a long search")

    def _searched(self, wanted: Hashable, scene: Scene) -> Answer | None:
        """In a thread: None where something else came to be wanted."""
        worker = get_current_worker()

        def told(done: int, total: int, what: str) -> None:
            if worker.is_cancelled:
                raise Cancelled

        if worker.cancelled_event.wait(PAUSE):
            return None
        try:
            with reporting(told):
                return wanted, self._found(scene)
        except Cancelled:
            return None

    def _found(self, scene: Scene) -> Found | BpstepError:
        try:
            return self.find(scene)
        except BpstepError as error:
            return error

    def _keep(self, wanted: Hashable, found: Found | BpstepError) -> None:
        while len(self._kept) >= MOST_KEPT:
            del self._kept[next(iter(self._kept))]
        self._kept[wanted] = found

    @on(Worker.StateChanged)
    def searched(self, event: Worker.StateChanged) -> None:
        """A thread is done: show what it found, if that is still wanted."""
        event.stop()
        if event.state is not WorkerState.SUCCESS or event.worker.result is None:
            return
        wanted, found = event.worker.result
        if wanted == self._sought:
            self._sought = None
            self._keep(wanted, found)
            super().watch_scene()
