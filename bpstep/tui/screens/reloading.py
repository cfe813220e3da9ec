"""What a screen does to show its scenario as the file has it now."""

from __future__ import annotations

from textual.reactive import reactive

from bpstep.engine.errors import BpstepError
from bpstep.session.relocation import relocate
from bpstep.session.session import Session
from bpstep.tui.document import Document, files_at_fault, reloaded
from bpstep.tui.draw.fault import place_at_fault
from bpstep.tui.screens.showing import ShowingScreen
from bpstep.tui.watching import NO_FILE, Watcher
from bpstep.tui.widgets.prompt import Prompt

LOW = 20
"""Fewer lines than these are few."""


class ReloadingScreen(ShowingScreen):
    """Reads its file again, when asked or when it is saved.

    While the file is wrong, ``fault`` says what is wrong with it and the last good run is kept.
    ``about`` is the description in the file.
    """

    fault: reactive[BpstepError | None] = reactive(None, repaint=False)
    wrong: reactive[str] = reactive("", repaint=False)
    about: reactive[str] = reactive("", repaint=False)

    document: Document
    watcher: Watcher

    def take(self, document: Document) -> None:
        """Take a document, whose files are watched from now on."""
        self.document = document
        self.watcher = Watcher(document.files, document.stamps)

    def on_resize(self) -> None:
        """In a low window what is wrong with a file takes less room."""
        self.set_class(self.size.height < LOW, "-lowest")

    def look(self) -> None:
        """Read the file again if it was saved, and nobody is in the middle of something."""
        if self.at_rest and self.watcher.look() is not None:
            self.reread()

    @property
    def at_rest(self) -> bool:
        """Whether a reload disturbs nobody: no line is being typed, no screen lies over this."""
        covered = self in self.app.screen_stack and self.app.screen is not self
        # Its panes may not be there yet, where the machine is slow.
        typing = any(prompt.is_open for prompt in self.query(Prompt))
        return self.is_mounted and not covered and not typing

    def reread(self) -> bool:
        """Read the file again, at the same step; False where it is wrong: the last good run stays.

        Changes by ``set`` are dropped.
        """
        before = self.session
        if self.document.path == NO_FILE:
            said = "There is no file to read again: this did not come from one."
            self.notify(said, severity="error", markup=False)
            return False
        try:
            self.document = reloaded(self.document, before)
        except BpstepError as error:
            self.watcher.read({*self.document.files, *files_at_fault(error)})
            self.fault = error
            return False
        self.watcher.read(self.document.files, self.document.stamps)
        self.fault = None
        self.about = self.document.about
        if self.document.session is not None:
            self.scene = self.shown.moved(self.document.session)
            self.app.clear_notifications()
            said = said_of(self.document.file, before, self.document.session)
            self.notify(said, markup=False, timeout=3)
        return True

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
