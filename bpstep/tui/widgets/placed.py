"""What a scrolling pane shows is made when it has its place, and before that is painted."""

from __future__ import annotations

from typing import Any

from textual.geometry import Region, Size
from textual.scroll_view import ScrollView
from textual.widget import Widget


class PlacedPane(ScrollView):
    """Is in sight with the right lines at once, and has none made while it is out of sight.

    Textual tells a widget of its size by a message, after it has painted it: there would be a frame
    with what was there before, and the right one 17 ms later.
    """

    _room: Size | None = None
    _placing = False
    _stale = False
    _bars: tuple[object, ...] = ()

    def placed(self) -> None:
        """It has other room, or is in sight again with what is stale: make what it shows."""

    def postponed(self) -> bool:
        """Whether it is out of sight, and so is to make what it shows when it is placed."""
        self._stale = not self.size.area
        return self._stale

    def extend(self, extent: Size) -> None:
        """As if ``virtual_size`` were set, which would lay out the whole screen."""
        if extent != self.virtual_size:
            self.set_reactive(Widget.virtual_size, extent)
            self._scroll_update(extent)

    def refresh(self, *regions: Region, **settings: Any) -> Any:
        """Paint regions, or all."""
        if self._placing and not settings:
            # All of it is about to be painted: not once more after that.
            self._set_dirty(*regions)
            return self
        return super().refresh(*regions, **settings)

    def _size_updated(
        self, size: Size, virtual_size: Size, container_size: Size, layout: bool = True
    ) -> bool:
        """What Textual calls when the screen has been laid out, and is not painted yet."""
        resized = super()._size_updated(size, virtual_size, container_size, layout)
        room = self.scrollable_content_region.size
        if room != self._room or self._stale:
            self._room, self._stale = room, False
            self._placing = True
            try:
                self.placed()
            finally:
                self._placing = False
        return resized

    def _scroll_update(self, virtual_size: Size) -> None:
        """Leave bars as they are: Textual paints them after each layout, in an update more."""
        styles = self.styles
        overflow = styles.overflow_x, styles.overflow_y
        thickness = styles.scrollbar_size_horizontal, styles.scrollbar_size_vertical
        bars = virtual_size, self.container_size, overflow, thickness
        if bars != self._bars:
            self._bars = bars
            super()._scroll_update(virtual_size)
