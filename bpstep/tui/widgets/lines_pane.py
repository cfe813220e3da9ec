"""A pane of lines that scrolls both ways, and of itself to what is to be seen."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.events import Resize
from textual.geometry import Size

from bpstep.tui.widgets.lines_view import LinesView, Make
from bpstep.tui.widgets.text_pane import TextPane

SIDEWAYS = 8
"""Columns that an arrow scrolls."""


class LinesPane(TextPane):
    """Lines for the width there is. Rows of tables keep their shape: left and right scroll."""

    TABLES = True

    DEFAULT_CSS = """
    LinesPane { overflow-x: auto; scrollbar-size-horizontal: 1; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right", "sideways(1)", "columns to the right", show=False),
        Binding("left", "sideways(-1)", "columns to the left", show=False),
    ]

    def compose(self) -> ComposeResult:
        """The lines."""
        yield LinesView(self.TABLES)

    @property
    def view(self) -> LinesView:
        """The lines."""
        return self.query_one(LinesView)

    def lay(self, make: Make) -> None:
        """Show lines, made when the width is known."""
        if self.is_mounted:
            self.view.show(make)
            self.settle()

    def settle(self) -> None:
        """Scroll to what is to be seen: called whenever there is something else, or other room."""

    def watch_virtual_size(self, size: Size) -> None:
        """There are more lines, or fewer."""
        self.settle()

    def on_resize(self, event: Resize) -> None:
        """There is other room."""
        self.settle()

    def action_sideways(self, steps: int) -> None:
        """Scroll to the side."""
        self.scroll_relative(x=steps * SIDEWAYS, animate=False)
