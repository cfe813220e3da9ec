"""What commands have said."""

from __future__ import annotations

from rich.text import Text
from textual.reactive import reactive

from bpstep.tui.widgets.text_pane import TextPane


class OutputPane(TextPane):
    """The lines of all commands so far, the last in sight."""

    lines: reactive[tuple[Text, ...]] = reactive((), repaint=False)

    def watch_lines(self) -> None:
        """Something was said."""
        self.show(self.lines)
        self.call_after_refresh(self.scroll_end, animate=False)
