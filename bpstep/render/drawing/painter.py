"""Paints a picture line by line, and keeps the lines on which nothing has changed since."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bpstep.render.drawing.paint import paint_line

if TYPE_CHECKING:
    from rich.text import Text

    from bpstep.render.drawing.paint import Face, Mark
    from bpstep.render.drawing.scenes import Picture
    from bpstep.render.drawing.shape import Layout

Shown = list["Face | Mark | None"]


class Painter:
    """From one step to the next few boxes and edges differ."""

    def __init__(self) -> None:
        self._layout: Layout | None = None
        self._kept: dict[int, tuple[Shown, Text]] = {}

    def line(self, picture: Picture, y: int) -> Text:
        """As ``paint_line``; a text that is not to be changed."""
        layout = picture.layout
        if layout is not self._layout:
            self._layout, self._kept = layout, {}
        shown: Shown = [picture.faces[key] for key in layout.boxes_on(y)]
        shown += [picture.marks.get(edge) for edge in layout.edges_on(y)]
        kept = self._kept.get(y)
        if kept is None or kept[0] != shown:
            kept = shown, paint_line(layout, y, picture.faces, picture.marks)
            self._kept[y] = kept
        return kept[1]
