"""A pane of lines that scrolls both ways, and of itself to what is to be seen."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.strip import Strip

from bpstep.tui.widgets.lines_view import LinesView, Make
from bpstep.tui.widgets.painted import StyledOnce
from bpstep.tui.widgets.scroll_keys import SCROLL_KEYS, ScrollKeys

SIDEWAYS = 8
"""Columns that an arrow scrolls."""


class LinesPane(ScrollKeys, StyledOnce, can_focus=True):
    """Lines for the width there is. Rows of tables keep their shape: left and right scroll.

    Other lines are painted where they differ. The screen is not laid out anew for them, which costs
    as much as painting all of it: so the scrollbar's column is kept, empty where all is seen.
    """

    TABLES = True

    DEFAULT_CSS = """
    LinesPane {
        overflow-y: scroll;
        scrollbar-size-vertical: 1;
        scrollbar-size-horizontal: 1;
    }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        *SCROLL_KEYS,
        Binding("right", "sideways(1)", "columns to the right", show=False),
        Binding("left", "sideways(-1)", "columns to the left", show=False),
    ]

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self.view = LinesView(self.TABLES)

    def lay(self, make: Make) -> None:
        """Show lines, made when the width is known."""
        self.view.make = make
        if self.is_mounted:
            self._lay()

    def _lay(self) -> None:
        if self.postponed():
            return
        width = self.scrollable_content_region.width
        if width != self.view.room:
            self.refresh()  # rows may be gone that are on the screen still
        differing = self.view.lay(width, self.app.console)
        self.extend(self._filling(self.view.extent))
        self._paint(differing)
        self.settle()

    def _filling(self, extent: Size) -> Size:
        """At least the room there is: a bar without anything to scroll is not painted again."""
        room = self.scrollable_content_region.size
        return Size(max(extent.width, room.width), max(extent.height, room.height))

    def _paint(self, rows: list[int]) -> None:
        """Draw lines again that are other than before, as far as they are in sight."""
        top, width = self.scroll_offset.y, self.size.width
        seen = [row - top for row in rows if 0 <= row - top < self.size.height]
        if seen:
            self.refresh(*(Region(0, y, width, 1) for y in seen))

    def settle(self) -> None:
        """Scroll to what is to be seen: called whenever there is something else, or other room."""

    def placed(self) -> None:
        """There is other room."""
        self._lay()

    def render_line(self, y: int) -> Strip:
        """One line."""
        left, top = self.scroll_offset
        width, row = self.scrollable_content_region.width, y + top
        if row >= len(self.view.laid):
            return Strip.blank(width, self.base_style)
        strip = Strip(self.view.laid[row].render(self.app.console))
        return strip.crop_extend(left, left + width, None).apply_style(self.base_style)

    def action_sideways(self, steps: int) -> None:
        """Scroll to the side."""
        self.scroll_relative(x=steps * SIDEWAYS, animate=False)
