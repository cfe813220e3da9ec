"""What a screen does to show its scenario as the file has it now."""

from __future__ import annotations

import os
from functools import partial

from textual import on
from textual.reactive import reactive

from bpstep.engine.errors import BpstepError
from bpstep.session.relocation import relocate
from bpstep.session.session import Session
from bpstep.tui.document import Document, files_at_fault, reloaded
from bpstep.tui.draw.fault import place_at_fault
from bpstep.tui.jobs import JobDone, News
from bpstep.tui.screens.working import CANCELLED, WorkingScreen
from bpstep.tui.watching import NO_FILE, Watcher
from bpstep.tui.widgets.job_bar import JobBar
from bpstep.tui.widgets.prompt import Prompt

RELOAD = "reload"
"""The kind of the job that reads a large file."""
LARGE_FILE, LARGE_GRAPH = 50_000, 2000
"""A file of so many bytes, or of which so many nodes were made, is read in a thread."""
LOW = 20
"""Fewer lines than these are few."""


class ReloadingScreen(WorkingScreen):
    """Reads its file again, when asked or when it is saved.

    While the file is wrong, ``fault`` says what is wrong with it and the last good run is kept.
    ``about`` is the description in the file. A large file is read beside: motions keep working.
    """

    fault: reactive[BpstepError | None] = reactive(None, repaint=False)
    wrong: reactive[str] = reactive("", repaint=False)
    about: reactive[str] = reactive("", repaint=False)

    document: Document
    watcher: Watcher

    _arrived: Document | BpstepError | None = None
    """What was read beside, and waits until it disturbs nobody."""

    def take(self, document: Document) -> None:
        """Take a document, whose files are watched from now on."""
        self.document = document
        self.watcher = Watcher(document.files, document.stamps)

    def on_resize(self) -> None:
        """In a low window what is wrong with a file takes less room."""
        self.set_class(self.size.height < LOW, "-lowest")

    def look(self) -> None:
        """Read the file again if it was saved, and nobody is in the middle of something."""
        if not self.at_rest or self.jobs.running(RELOAD):
            return
        if self._arrived is not None:
            arrived, self._arrived = self._arrived, None
            self._take_in(arrived)
        elif self.watcher.look() is not None:
            self.reread()

    @property
    def at_rest(self) -> bool:
        """Whether a reload disturbs nobody: no line is being typed, no screen lies over this."""
        covered = self in self.app.screen_stack and self.app.screen is not self
        # Its panes may not be there yet, where the machine is slow.
        typing = any(prompt.is_open for prompt in self.query(Prompt))
        return self.is_mounted and not covered and not typing

    def reread(self) -> bool:
        """Read the file again, at the same step; whether that is done.

        Where the file is wrong, the last good run stays. Changes by ``set`` are dropped.
        """
        if self.document.path == NO_FILE:
            said = "There is no file to read again: this did not come from one."
            self.notify(said, severity="error", markup=False)
            return False
        if self._takes_long():
            self._begin_to_read()
            return False
        try:
            return self._take_in(reloaded(self.document, self.session))
        except BpstepError as error:
            return self._take_in(error)

    def _take_in(self, read: Document | BpstepError) -> bool:
        """Show what was read, or what is wrong with it; whether it was right."""
        if isinstance(read, BpstepError):
            self.watcher.read({*self.document.files, *files_at_fault(read)})
            self.fault = read
            return False
        self.document = read
        self.watcher.read(read.files, read.stamps)
        self.fault = None
        self.about = read.about
        if read.session is not None:
            before = self.session
            self.scene = self.shown.moved(before.onto(read.session.scenario, read.session.run))
            self.app.clear_notifications()
            self.notify(said_of(read.file, before, self.session), markup=False, timeout=3)
        return True

    # Reading beside.

    def _takes_long(self) -> bool:
        graph = self.session.graph
        try:
            size = sum(os.path.getsize(file) for file in self.document.files)
        except OSError:
            size = 0
        return size > LARGE_FILE or (graph is not None and len(graph) > LARGE_GRAPH)

    def _begin_to_read(self) -> None:
        self._arrived = None
        self.jobs.start(RELOAD, self.document, partial(reloaded, self.document, self.session))
        if self._going() is None:
            self.query_one(JobBar).tell(RELOAD, News())

    @on(JobDone)
    def was_read(self, event: JobDone) -> None:
        """A large file was read."""
        if event.job.kind != RELOAD or not self.jobs.ended(event.job):
            return
        self._end_bar()
        arrived = event.fault or event.result
        assert isinstance(arrived, Document | BpstepError), "a document was read"
        self._arrived = arrived
        self.look()

    def call_off(self) -> bool:
        """Cancel what goes on, or else the reading of the file."""
        if super().call_off():
            return True
        if not self.jobs.cancel(RELOAD):
            return False
        self._end_bar()
        self.watcher.read(self.document.files)
        self.tell(CANCELLED.format(title=RELOAD))
        return True

    def _end_bar(self) -> None:
        if self._going() is None:
            self.query_one(JobBar).end()

    def watch_fault(self, fault: BpstepError | None) -> None:
        """The status bar has a sign for it, as long as it lasts."""
        self.wrong = "" if fault is None else place_at_fault(fault, self.document.file)


def said_of(file: str, before: Session, after: Session) -> str:
    """That a file was read again, and what did not survive it."""
    said = [f"read again: {file}"]
    if before.changes:
        said.append(f"what was set is dropped: {', '.join(before.changes)}")
    if not relocate(before.run, before.position, after.run).same:
        said.append("the step is no longer there: this is the nearest")
    return "\n".join(said)
