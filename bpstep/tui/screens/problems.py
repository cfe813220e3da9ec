"""A file that is no scenario: what is wrong with it, until it is read again without a mistake."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, cast

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.widgets import Static

from bpstep.render.errors import error_text
from bpstep.tui.document import Document
from bpstep.tui.keys import PROBLEM_KEYS, bindings
from bpstep.tui.screens.page import PageScreen
from bpstep.tui.watching import Watcher
from bpstep.tui.widgets.key_bar import KeyBar
from bpstep.tui.widgets.text_pane import TextPane

if TYPE_CHECKING:
    from bpstep.tui.app import BpstepApp


class ProblemScreen(PageScreen):
    """Every problem of a file, with its line and a caret."""

    AUTO_FOCUS = "TextPane"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(PROBLEM_KEYS)]

    def __init__(self, document: Document) -> None:
        super().__init__()
        self.document = document
        self.watcher = Watcher(document.files, document.stamps)

    def compose(self) -> ComposeResult:
        """The problems, and what can be done."""
        pane = TextPane()
        pane.border_title = Text(f"! {self.document.file} cannot be opened")
        yield pane
        yield Static(
            "Correct the file: saved, it is read again (r reads it at once).",
            id="advice",
            markup=False,
        )
        yield KeyBar()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Keys to other pages are there when there are any."""
        return action != "app.switch" or len(cast("BpstepApp", self.app).pages) > 1

    def look(self) -> None:
        """Read the file again if it was saved, unless another screen lies over this."""
        covered = self in self.app.screen_stack and self.app.screen is not self
        if self.is_mounted and not covered and self.watcher.look() == "changed":
            cast("BpstepApp", self.app).reopen(self)

    def watch_among(self, among: str) -> None:
        """Another number of open files."""
        for pane in self.query(TextPane):
            pane.border_subtitle = Text(f"[{among}]" if among else "")

    def on_mount(self) -> None:
        """Write them."""
        if self.document.fault is not None:
            lines = error_text(self.document.fault).splitlines()
            self.query_one(TextPane).show(Text(line) for line in lines)
