"""What commands have said."""

from __future__ import annotations

from rich.text import Text
from textual.reactive import reactive

from bpstep.tui.widgets.lines_pane import LinesPane


class OutputPane(LinesPane):
    """The lines of all commands so far, the last in sight."""

    lines: reactive[tuple[Text, ...]] = reactive((), repaint=False)

    def watch_lines(self) -> None:
        """Something was said."""
        lines = self.lines
        self.lay(lambda width: lines)

    def settle(self) -> None:
        """The last line is in sight."""
        self.scroll_to(0, self.max_scroll_y, animate=False, immediate=True)
