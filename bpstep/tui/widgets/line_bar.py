"""Bars of a line or two: their text is made once for each change, and drawn as it is."""

from __future__ import annotations

from typing import Any

from rich.text import Text
from textual.geometry import Region, Size
from textual.strip import Strip
from textual.widget import Widget


class LineBar(Widget):
    """Draws the lines of ``render()``, cut to its width, over its background."""

    _strips: tuple[Size, list[Strip]] | None = None

    def render(self) -> Text:
        """The lines, with line ends between them."""
        raise NotImplementedError

    def refresh(self, *regions: Region, **settings: Any) -> Any:
        """Something changes: the text is to be made again."""
        self._strips = None
        return super().refresh(*regions, **settings)

    def notify_style_update(self) -> None:
        """Another theme, or another class."""
        self._strips = None
        super().notify_style_update()

    def render_line(self, y: int) -> Strip:
        """One line of the screen."""
        if self._strips is None or self._strips[0] != self.size:
            self._strips = self.size, self._made()
        strips = self._strips[1]
        return strips[y] if y < len(strips) else Strip.blank(self.size.width, self.rich_style)

    def _made(self) -> list[Strip]:
        width, style, console = self.size.width, self.rich_style, self.app.console
        lines = self.render().split("\n", allow_blank=True)
        return [
            Strip(line.render(console)).adjust_cell_length(width).apply_style(style)
            for line in lines
        ]
