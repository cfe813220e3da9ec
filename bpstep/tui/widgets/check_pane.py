"""The tab `check`: finite differences against the gradient, made when they are looked at."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import ClassVar

from rich.text import Text
from textual import on
from textual.binding import Binding, BindingType
from textual.events import Click

from bpstep.analysis.around import Around
from bpstep.analysis.differences import CheckResult
from bpstep.engine.errors import BpstepError
from bpstep.render import lines as ui
from bpstep.render.errors import error_text
from bpstep.render.lines import line
from bpstep.render.progress import progress_line
from bpstep.session.listing import row_in_pass
from bpstep.tui.checks import Checked, Checks, worst
from bpstep.tui.draw.check import NO_LEAVES, NO_PASS, CheckView, offer_text, view_lines
from bpstep.tui.jobs import JobDone, JobNews, Jobs, News
from bpstep.tui.scene import Scene
from bpstep.tui.widgets.tab_body import TabBody

CHECK = "check"
"""The kind of its jobs."""

CHECKING = "Checking …"


class CheckPane(TabBody):
    """Checks the selected node, and every leaf; a long check waits to be asked for.

    What was found is kept as long as the pass is the same.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "check", "check now", show=False),
    ]

    def __init__(self) -> None:
        super().__init__()
        self.jobs = Jobs(self)
        self.checks: Checks | None = None
        self._results: dict[str, CheckResult] = {}
        self._around: dict[str, Around] = {}
        self._news: News | None = None
        self._asked = False
        self._cancelled = False
        self._fault: BpstepError | None = None

    # What is to be known.

    def watch_scene(self) -> None:
        """Another position, selection or run: see that what it needs is found."""
        if self.scene is not None and self.in_sight:
            self._turn_to(self.scene)
            self._seek(self.scene)
        elif self.scene is not None and not self._is_of(self.scene):
            self.jobs.cancel(CHECK)
        super().watch_scene()

    def _is_of(self, scene: Scene) -> bool:
        return self.checks is not None and self.checks.pass_ is scene.session.pass_

    def _turn_to(self, scene: Scene) -> None:
        """Of another pass nothing is known."""
        if self._is_of(scene):
            return
        self.jobs.cancel(CHECK)
        self.checks = Checks.of(scene.session)
        self._results, self._around = {}, {}
        self._asked = self._cancelled = False
        self._news = self._fault = None

    def _seek(self, scene: Scene) -> None:
        """Begin what is quick, unless it is known, or something that was asked for goes on."""
        if self.checks is None or (self._asked and self.jobs.running(CHECK)):
            return
        missing = self._missing(self.checks, scene)
        quick = self.checks.is_quick(missing) and not self._cancelled and self._fault is None
        if quick and (missing or self._unplotted(self.checks, scene)):
            self._begin(self.checks, scene, missing)
        else:
            self.jobs.cancel(CHECK)

    def _missing(self, checks: Checks, scene: Scene) -> Sequence[str]:
        """The targets that the scene asks for and that are not checked yet."""
        name = checks.name(scene.selected)
        names = [] if name is None else [name]
        if name is None or checks.all_quick:
            names += checks.leaves
        return [each for each in dict.fromkeys(names) if each not in self._results]

    def _unplotted(self, checks: Checks, scene: Scene) -> bool:
        shown = self._shown(checks, scene)
        return shown is not None and shown.wrt not in self._around

    def _shown(self, checks: Checks, scene: Scene) -> CheckResult | None:
        """The result that is told in full: the selected node's, else the worst leaf's."""
        name = checks.name(scene.selected)
        if name is not None:
            return self._results.get(name)
        return worst(checks.of_leaves(self._results))

    # Jobs.

    def _begin(self, checks: Checks, scene: Scene, names: Sequence[str]) -> None:
        name = checks.name(scene.selected)
        key = (checks, name, tuple(names))
        running = self.jobs.running(CHECK)
        if running is not None and running.key == key:
            return
        known = self._shown(checks, scene)
        self.jobs.start(CHECK, key, partial(checks.made, tuple(names), known, name))

    def action_check(self) -> None:
        """Check now what waits to be asked for."""
        if self.scene is None or self.checks is None or self.jobs.running(CHECK):
            return
        missing = self._missing(self.checks, self.scene)
        if missing or self._unplotted(self.checks, self.scene):
            self._asked, self._cancelled, self._news, self._fault = True, False, News(), None
            self._begin(self.checks, self.scene, missing)
            super().watch_scene()

    def call_off(self) -> bool:
        """Cancel what goes on and is told of; whether anything does."""
        told = self._asked or self._news is not None
        if not (told and self.jobs.cancel(CHECK)):
            return False
        self._cancelled, self._asked, self._news = True, False, None
        super().watch_scene()
        return True

    @on(JobNews)
    def told(self, event: JobNews) -> None:
        """A check has come so far."""
        if self.jobs.is_current(event.job):
            self._news = event.news
            super().watch_scene()

    @on(JobDone)
    def found(self, event: JobDone) -> None:
        """A check is made; of another pass or selection it is dropped."""
        if not self.jobs.ended(event.job):
            return
        self._asked, self._news, self._fault = False, None, event.fault
        if isinstance(event.result, Checked):
            self._results.update(event.result.results)
            if event.result.around is not None:
                name, found = event.result.around
                self._around[name] = found
        self.watch_scene()

    # What is shown.

    def fill(self, scene: Scene, width: int) -> Iterable[Text]:
        """The lines for so many columns."""
        checks = self.checks
        if checks is None or checks.pass_ is not scene.session.pass_:
            return [line((NO_PASS, ui.FAINT))]
        shown = self._shown(checks, scene)
        view = CheckView(
            head=[*self._head(checks, scene, width)],
            results=checks.of_leaves(self._results),
            shown=shown,
            around=None if shown is None else self._around.get(shown.wrt),
            incomplete=_incomplete(scene, checks.name(scene.selected)),
        )
        return view_lines(view, width, self.size.height)

    def _head(self, checks: Checks, scene: Scene, width: int) -> Iterable[Text]:
        """What goes on, or what could be asked for."""
        if not checks.leaves and checks.name(scene.selected) is None:
            return [line((NO_LEAVES, ui.FAINT))]
        if self._fault is not None:
            return [line((said, ui.BAD)) for said in error_text(self._fault).splitlines()]
        if self.jobs.running(CHECK):
            if self._news is None:
                return [] if self._results else [line((CHECKING, ui.FAINT))]
            return [progress_line(CHECK, self._news, width)]
        missing = self._missing(checks, scene)
        if not missing:
            return []
        return [offer_text(missing, checks.effort(missing), self._cancelled)]

    def on_click(self, event: Click) -> None:
        """On the first line: check now, or cancel."""
        first = event.screen_y - self.content_region.y + self.scroll_offset.y == 0
        if first and not self.call_off():
            self.action_check()


def _incomplete(scene: Scene, name: str | None) -> bool:
    """Whether the selected node's gradient is still to be completed at this step."""
    if name is None or scene.selected is None:
        return False
    return row_in_pass(scene.session, scene.selected).status != "complete"
