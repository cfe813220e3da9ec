"""A tab about something that has to be found first, which on a large tape takes its time."""

from __future__ import annotations

import time
from collections.abc import Hashable, Iterable
from functools import partial
from typing import Generic, TypeVar, cast

from rich.text import Text
from textual import on

from bpstep.analysis.progress import breathe
from bpstep.engine.errors import BpstepError
from bpstep.engine.program import Run
from bpstep.render import lines as ui
from bpstep.render.errors import error_text
from bpstep.render.lines import line
from bpstep.tui.jobs import JobDone, JobNews, Jobs, News
from bpstep.tui.scene import Scene
from bpstep.tui.widgets.tab_body import TabBody

Found = TypeVar("Found")

KIND = "find"
"""The kind of its jobs."""

PAUSES, PAUSE = 15, 0.01
"""So often, for so many seconds, a long search looks whether something else is wanted instead."""

MOST_KEPT = 64

CALLED_OFF = "Called off. It is looked for again after something else was: select another node."


class FoundPane(TabBody, Generic[Found]):
    """Finds each thing once: a quick one at once, others in a thread that a newer one calls off."""

    DEFAULT_CSS = """
    FoundPane { overflow-x: hidden; }
    """

    def __init__(self) -> None:
        super().__init__()
        self.jobs = Jobs(self)
        self._run: Run | None = None
        self._kept: dict[Hashable, Found | BpstepError] = {}
        self._news: News | None = None
        self._called_off: Hashable | None = None

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
        else:
            self.jobs.cancel(KIND)
        super().watch_scene()

    def fill(self, scene: Scene, width: int) -> Iterable[Text]:
        """The lines for so many columns."""
        wanted = self.wanted(scene)
        if wanted is None or wanted not in self._kept:
            return self._meanwhile(scene)
        found = self._kept[wanted]
        if isinstance(found, BpstepError):
            return [line((said, ui.BAD)) for said in error_text(found).splitlines()]
        return self.draw(scene, found, width)

    def call_off(self) -> bool:
        """Stop looking; the same is not looked for again until something else was."""
        running = self.jobs.running(KIND)
        if running is None:
            return False
        self._called_off = running.key
        self.jobs.cancel(KIND)
        super().watch_scene()
        return True

    def _meanwhile(self, scene: Scene) -> Iterable[Text]:
        if self._called_off is not None and self._called_off == self.wanted(scene):
            return [line((CALLED_OFF, ui.FAINT))]
        news = self._news if self.jobs.running(KIND) else None
        told = f" {news.done:,} of {news.total:,}" if news is not None else ""
        return [line((self.instead(scene) + told, ui.FAINT))]

    def _seek(self, scene: Scene) -> None:
        if scene.session.run is not self._run:
            self._run, self._kept = scene.session.run, {}
        wanted, running = self.wanted(scene), self.jobs.running(KIND)
        if running is not None and running.key == wanted:
            return
        self.jobs.cancel(KIND)
        self._news = None
        if wanted is None or wanted in self._kept or wanted == self._called_off:
            return
        self._called_off = None
        if self.is_quick(scene):
            self._keep(wanted, self._found(scene))
        else:
            self.jobs.start(KIND, wanted, partial(self._after_a_pause, scene))

    def _after_a_pause(self, scene: Scene) -> Found:
        """In a thread. Whoever steps on calls it off before it has cost anything."""
        for _ in range(PAUSES):
            time.sleep(PAUSE)
            breathe()
        return self.find(scene)

    def _found(self, scene: Scene) -> Found | BpstepError:
        try:
            return self.find(scene)
        except BpstepError as error:
            return error

    def _keep(self, wanted: Hashable, found: Found | BpstepError) -> None:
        while len(self._kept) >= MOST_KEPT:
            del self._kept[next(iter(self._kept))]
        self._kept[wanted] = found

    @on(JobNews)
    def told(self, event: JobNews) -> None:
        """A search has come so far."""
        if self.jobs.is_current(event.job) and event.news.total:
            self._news = event.news
            super().watch_scene()

    @on(JobDone)
    def searched(self, event: JobDone) -> None:
        """A search has ended: show what it found, if that is still wanted."""
        if self.jobs.ended(event.job):
            self._keep(event.job.key, event.fault or cast(Found, event.result))
            super().watch_scene()
