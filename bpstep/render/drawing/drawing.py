"""Rows and the lines between them, drawn into cells from top to bottom."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from bpstep.render.drawing.canvas import DOWN, UP, Canvas
from bpstep.render.drawing.parts import Region
from bpstep.render.drawing.routing import Net, channel
from bpstep.render.drawing.rows import Item, Row


@dataclass(frozen=True)
class Spot:
    """Where an edge meets its box, and where the columns are that are kept for its label.

    A label that stands ``left`` of its line is flush with it.
    """

    x: int
    y: int
    label_x: int
    room: int
    left: bool


class Drawing:
    """A picture that grows downwards: a row of boxes, the lines to the next row, and so on."""

    def __init__(self, heights: Mapping[int, int]) -> None:
        self.canvas = Canvas()
        self.regions: dict[int, Region] = {}
        self.spots: dict[int, Spot] = {}
        self._heights = heights

    @property
    def width(self) -> int:
        """The columns in use."""
        cells = (max(line) + 1 for line in self.canvas.lines if line)
        return max([0, *cells, *(region.right for region in self.regions.values())])

    def row(self, row: Row) -> None:
        """Boxes, all as high as the highest, and the lines that pass between them."""
        top = len(self.canvas.lines)
        height = max(self._heights[item.key] for item in row if item.key is not None)
        self.canvas.extend(height)
        for item in row:
            if item.key is None:
                lines = range(top, top + height)
                self.canvas.upright(item.x, lines, item.up[0].edges, item)
            else:
                self.regions[item.key] = Region(item.x, top, item.width, height)

    def channel(self, upper: Row) -> None:
        """The lines from a row to the next: tracks, then the line where they meet the boxes."""
        routed = channel(upper)
        top = len(self.canvas.lines)
        self.canvas.extend(routed.tracks + 1)
        bottom = top + routed.tracks
        parted = {net.first for net in routed.nets}
        for net in routed.nets:
            if net.straight:
                self._straight(net, top, bottom)
            else:
                self._bent(net, top, bottom, net in parted)
        for item in upper:
            self._meet(item, bottom)

    def _straight(self, net: Net, top: int, bottom: int) -> None:
        edges = [edge for end in net.ends.values() for edge in end]
        self.canvas.upright(net.leaves, range(top, bottom + 1), edges, net.whole)

    def _bent(self, net: Net, top: int, bottom: int, goes_on: bool) -> None:
        """A trunk down to the track, along it, and down from it; a first part ends on its track."""
        start = top if net.first is None else top + net.first.track + 1
        track = top + net.track
        for column, edges in net.ends.items():
            self.canvas.upright(net.leaves, range(start, track), edges, net.whole)
            self.canvas.turn(net.leaves, track, UP, edges, net.whole)
            self.canvas.level(net.leaves, column, track, edges, net.whole)
            self.canvas.turn(column, track, DOWN, edges, net.whole)
            if not goes_on:
                self.canvas.upright(column, range(track + 1, bottom + 1), edges, net.whole)

    def _meet(self, item: Item, line: int) -> None:
        """Mark where lines end in boxes, and keep room for their labels."""
        for link in item.down:
            if link.lower.key is None:
                continue
            (edge,) = link.edges
            self.canvas.lines[line][link.meets].tip = edge
            left = _left(link.lower, link.meets, link.room, link is link.lower.up[0])
            label_x = link.meets - link.room if left else link.meets + 1
            self.spots[edge] = Spot(link.meets, line, label_x, link.room, left)


def _left(item: Item, column: int, room: int, first: bool) -> bool:
    """Whether the label stands left of the line: the first of several, or where right is none."""
    if len(item.up) > 1:
        return first
    return column + room >= item.x + item.width
