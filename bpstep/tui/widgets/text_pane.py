"""A pane of text that scrolls: arrows, page keys and space are its own while it has the focus."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.widgets import Static


class TextPane(VerticalScroll, can_focus=True):
    """Lines of text, wrapped where they are too long."""

    DEFAULT_CSS = """
    TextPane { scrollbar-size-vertical: 1; }
    TextPane > Static { width: 1fr; height: auto; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("space", "page_down", show=False)]

    def compose(self) -> ComposeResult:
        """One text."""
        yield Static(markup=False)

    def show(self, lines: Iterable[Text]) -> None:
        """Replace the text."""
        if self.is_mounted:
            self.query_one(Static).update(Text("\n").join(lines))

    @property
    def columns(self) -> int:
        """The columns there are for a line, one kept for the scroll bar."""
        return max(1, self.content_region.width + self.scrollbar_size_vertical - 1)
