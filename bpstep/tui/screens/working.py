"""Slow commands of a screen: in a thread, with a bar, called off with Esc.

Motions keep working meanwhile. A slow command changes nothing; its report is added to the output,
and its line to the transcript of the session as it is by then. Of another run it is dropped.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial

from textual import on
from textual.actions import SkipAction

from bpstep.session.session import Session
from bpstep.tui.jobs import Job, JobDone, JobNews, Jobs, News
from bpstep.tui.runner import Result, carry_out
from bpstep.tui.screens.showing import ShowingScreen
from bpstep.tui.screens.speaking import SpeakingScreen
from bpstep.tui.slow import Part, parts_of
from bpstep.tui.widgets.job_bar import JobBar
from bpstep.tui.widgets.prompt import Prompt
from bpstep.tui.widgets.tab_body import TabBody

COMMAND = "command"
"""The kind of its jobs."""

BUSY = "{title} goes on: Esc cancels it"
CANCELLED = "cancelled: {title}"
DROPPED = "dropped, for the run has changed: {title}"


@dataclass(frozen=True, eq=False)
class Begun:
    """A slow command that was begun: its line, the session it is about, what is to follow."""

    text: str
    session: Session
    rest: Sequence[Part]


class WorkingScreen(ShowingScreen, SpeakingScreen):
    """Carries out typed lines."""

    @cached_property
    def jobs(self) -> Jobs:
        """The slow command that goes on, if one does."""
        return Jobs(self)

    def do(self, text: str) -> Result:
        """Carry out a command line at once and show where it leads."""
        raise NotImplementedError

    def carry(self, text: str) -> str | None:
        """Carry out a line, slow commands in a thread; the message of what could not be done."""
        parts = parts_of(self.session, text)
        going = self._going()
        if going is not None and any(part.slow for part in parts):
            return BUSY.format(title=going.text)
        return self._go_on(parts)

    def _going(self) -> Begun | None:
        job = self.jobs.running(COMMAND)
        return job.key if job is not None and isinstance(job.key, Begun) else None

    def _is_current(self, job: Job) -> bool:
        return job.kind == COMMAND and self.jobs.is_current(job)

    def _go_on(self, parts: Sequence[Part]) -> str | None:
        for number, part in enumerate(parts):
            if part.slow:
                self._begin(Begun(part.text, self.session, parts[number + 1 :]))
                return None
            result = self.do(part.text)
            self.say(result.lines, result.quiet)
            if result.fault is not None:
                return result.fault
        return None

    def _begin(self, begun: Begun) -> None:
        self.jobs.start(COMMAND, begun, partial(carry_out, begun.session, begun.text))
        self.query_one(JobBar).tell(begun.text, News())

    @on(JobNews)
    def came_so_far(self, event: JobNews) -> None:
        """A slow command has come so far."""
        going = self._going()
        if going is not None and self._is_current(event.job):
            self.query_one(JobBar).tell(going.text, event.news)

    @on(JobDone)
    def came_to_an_end(self, event: JobDone) -> None:
        """A slow command has its result: say it, and go on with the line."""
        begun = self._going()
        if begun is None or not self._is_current(event.job):
            return
        self.jobs.ended(event.job)
        self.query_one(JobBar).end()
        if event.fault is not None:
            raise event.fault
        assert isinstance(event.result, Result), "a command was carried out"
        if self.session.run is not begun.session.run:
            self.tell(DROPPED.format(title=begun.text))
            return
        self._record(begun.session, event.result.session)
        self.say(event.result.lines, event.result.quiet)
        fault = event.result.fault or self._go_on(begun.rest)
        if fault is not None:
            self._fail(begun.text, fault)

    def _record(self, before: Session, after: Session) -> None:
        """Add what was carried out to the transcript of the session as it is now."""
        added = after.transcript[len(before.transcript) :]
        if added:
            session = self.session
            transcript = (*session.transcript, *added)
            self.scene = self.shown.moved(replace(session, transcript=transcript))

    def _fail(self, text: str, fault: str) -> None:
        """A line with a mistake in it is opened again, unless another is being typed."""
        prompt = self.query_one(Prompt)
        if prompt.is_open:
            self.warn(fault)
        else:
            self.begin(text)
            prompt.fail(fault)

    @on(JobBar.Cancelled)
    def bar_clicked(self) -> None:
        """The bar was clicked."""
        self.call_off()

    def call_off(self) -> bool:
        """Cancel a slow command, or else what a pane works on; whether anything went on."""
        going = self._going()
        if going is None:
            return any(pane.call_off() for pane in self.query(TabBody))
        self.jobs.cancel(COMMAND)
        self.query_one(JobBar).end()
        self.tell(CANCELLED.format(title=going.text))
        return True

    def action_interrupt(self) -> None:
        """Cancel what goes on."""
        if not self.call_off():
            raise SkipAction
