"""Panes of lines that scroll, painted where they differ: a key repaints a few lines, not all."""

from __future__ import annotations

from typing import Any, ClassVar

from rich.style import Style
from rich.text import Text
from textual.geometry import Region
from textual.strip import Strip

from bpstep.tui.widgets.placed import PlacedPane

NOTHING = Text()


class StyledOnce(PlacedPane):
    """Remembers the style of its background, which Textual collects from all that is round it."""

    _style: Style | None = None
    _written: tuple[Text, Text] | None = None
    _frame: tuple[Region, ...] = ()

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

    def write_frame(self, title: Text, subtitle: Text = NOTHING) -> None:
        """Write in the frame what is not there yet, and paint its lines, not all of the pane."""
        if (title, subtitle) == self._written:
            return
        self._written = title, subtitle
        (left, top), (width, height) = self.content_offset, self.outer_size
        if height:
            self._frame = tuple(Region(-left, y - top, width, 1) for y in (0, height - 1))
        self.border_title, self.border_subtitle = title, subtitle
        self._frame = ()

    def refresh(self, *regions: Region, **settings: Any) -> Any:
        """Paint regions, or all; of what is written in the frame, the frame."""
        return super().refresh(*(regions or self._frame), **settings)


class PaintedPane(StyledOnce):
    """Asks for its lines when something changes, and paints those that are others than before."""

    HEADS: ClassVar[int] = 0
    """Lines at the top that do not scroll."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._lines: list[Text] = []
        self._strips: dict[int, Strip] = {}
        self._width = 0

    def head(self, row: int) -> Text:
        """A line at the top that does not scroll."""
        raise NotImplementedError

    def line(self, row: int) -> Text:
        """The line of a row, the first of all being 0."""
        raise NotImplementedError

    def repaint(self) -> None:
        """Paint what differs, of the lines in sight."""
        top, height = round(self.scroll_offset.y), self.scrollable_content_region.height
        heads = range(min(self.HEADS, height))
        lines = [*map(self.head, heads), *map(self.line, range(top, top + height - len(heads)))]
        before, self._lines = self._lines, lines
        if self._width != self.size.width:
            self._width, before = self.size.width, []
        differing = [y for y, line in enumerate(lines) if y >= len(before) or before[y] != line]
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
