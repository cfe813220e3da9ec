"""The keys by which a pane scrolls."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from textual.binding import Binding

if TYPE_CHECKING:
    from textual.widget import Widget as Scrolled
else:
    # Textual takes its style rules from the first base that is a widget.
    Scrolled = object

SCROLL_KEYS: Final = (
    Binding("down", "line(1)", "a line down", show=False),
    Binding("up", "line(-1)", "a line up", show=False),
    Binding("pagedown,space", "page(1)", "a page down", show=False),
    Binding("pageup", "page(-1)", "a page up", show=False),
    Binding("home", "edge(0)", "the first line", show=False),
    Binding("end", "edge(1)", "the last line", show=False),
)
"""The pane's own while it has the focus, also where there is nothing to scroll."""


class ScrollKeys(Scrolled):
    """What the keys do."""

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
