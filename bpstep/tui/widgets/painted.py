"""Panes of lines that scroll, painted where they differ: a key repaints a few lines, not all."""

from __future__ import annotations

from rich.style import Style
from rich.text import Text
from textual.geometry import Region, Size
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.widget import Widget


class StyledOnce(ScrollView):
    """Remembers the style of its background, which Textual collects from all that is round it."""

    _style: Style | None = None

    def notify_style_update(self) -> None:
        """Another theme, or another class: the style is to be collected again."""
        self._style = None
        super().notify_style_update()

    @property
    def base_style(self) -> Style:
        """The style behind a line."""
        if self._style is None:
            self._style = self.rich_style
        return self._style

    def extend(self, extent: Size) -> None:
        """As if ``virtual_size`` were set, which would lay out the whole screen."""
        if extent != self.virtual_size:
            self.set_reactive(Widget.virtual_size, extent)
            self._scroll_update(extent)


class PaintedPane(StyledOnce):
    """Asks for its lines when something changes, and paints those that are others than before."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._lines: list[Text] = []
        self._strips: dict[int, Strip] = {}

    def line(self, row: int) -> Text:
        """The line of a row, the first of all being 0."""
        raise NotImplementedError

    def repaint(self) -> None:
        """Paint what differs, of the lines in sight."""
        top, height = round(self.scroll_offset.y), self.scrollable_content_region.height
        lines = [self.line(top + y) for y in range(height)]
        before, self._lines = self._lines, lines
        differing = [y for y in range(height) if y >= len(before) or before[y] != lines[y]]
        for y in differing:
            self._strips.pop(y, None)
        if differing:
            self.refresh(*(Region(0, y, self.size.width, 1) for y in differing))

    def notify_style_update(self) -> None:
        """What was painted has another style."""
        self._strips.clear()
        super().notify_style_update()

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Other lines are in sight."""
        super().watch_scroll_y(old_value, new_value)
        if round(old_value) != round(new_value):
            self.repaint()

    def watch_scroll_x(self, old_value: float, new_value: float) -> None:
        """Other columns are in sight."""
        super().watch_scroll_x(old_value, new_value)
        if round(old_value) != round(new_value):
            self._strips.clear()

    def render_line(self, y: int) -> Strip:
        """One line of the screen."""
        if y not in self._strips:
            self._strips[y] = self._strip(y)
        return self._strips[y]

    def _strip(self, y: int) -> Strip:
        width, left = self.scrollable_content_region.width, round(self.scroll_offset.x)
        if y >= len(self._lines):
            return Strip.blank(width, self.base_style)
        strip = Strip(self._lines[y].render(self.app.console))
        return strip.crop_extend(left, left + width, None).apply_style(self.base_style)
