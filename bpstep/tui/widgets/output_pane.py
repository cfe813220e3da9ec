"""What commands have said."""

from __future__ import annotations

from rich.text import Text
from textual.reactive import reactive

from bpstep.tui.widgets.lines_pane import LinesPane


class OutputPane(LinesPane):
    """The lines of all commands so far; what was said last is in sight, from its beginning on."""

    lines: reactive[tuple[Text, ...]] = reactive((), repaint=False)

    newest = 0
    """The first line of what was said last."""

    def watch_lines(self, before: tuple[Text, ...], lines: tuple[Text, ...]) -> None:
        """Something was said."""
        self.newest = _kept(before, lines)
        self.lay(lambda width: lines)

    def settle(self) -> None:
        """The first line of the newest is at the top, or all of it in sight."""
        starts = self.view.starts
        top = starts[self.newest] if self.newest < len(starts) else self.max_scroll_y
        self.scroll_to(0, top, animate=False, immediate=True, force=True)


def _kept(before: tuple[Text, ...], lines: tuple[Text, ...]) -> int:
    """How many of the lines stood there before; they come first."""
    known = set(map(id, before))
    return next((k for k, line in enumerate(lines) if id(line) not in known), len(lines))
