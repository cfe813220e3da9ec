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

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down", "line(1)", "a line down", show=False),
        Binding("up", "line(-1)", "a line up", show=False),
        Binding("pagedown,space", "page(1)", "a page down", show=False),
        Binding("pageup", "page(-1)", "a page up", show=False),
        Binding("home", "edge(0)", "the first line", show=False),
        Binding("end", "edge(1)", "the last line", show=False),
        Binding("left,right", "line(0)", "nothing: lines are wrapped", show=False),
    ]

    def compose(self) -> ComposeResult:
        """One text."""
        yield Static(markup=False)

    def show(self, lines: Iterable[Text]) -> None:
        """Replace the text."""
        if self.is_mounted:
            self.query_one(Static).update(Text("\n").join(lines))

    # Unlike the container's own, these keep their keys where there is nothing to scroll.

    def action_line(self, lines: int) -> None:
        """Scroll by lines."""
        self.scroll_relative(y=lines, animate=False)

    def action_page(self, pages: int) -> None:
        """Scroll by pages."""
        self.scroll_relative(y=pages * max(1, self.size.height - 1), animate=False)

    def action_edge(self, last: int) -> None:
        """Scroll to the first line, or the last."""
        if last:
            self.scroll_end(animate=False)
        else:
            self.scroll_home(animate=False)
