"""Where everything is: boxes and lines of a layered drawing, laid out once and looked up often."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from bpstep.render.drawing import arranging, ports
from bpstep.render.drawing.canvas import Cell
from bpstep.render.drawing.drawing import Drawing, Spot
from bpstep.render.drawing.layering import layers
from bpstep.render.drawing.parts import Box, Edge, Region, Style
from bpstep.render.drawing.rows import rows

__all__ = ["Box", "Edge", "Layout", "Region", "Spot", "Style", "lay_out"]

Direction = Literal["left", "right", "up", "down"]


@dataclass(eq=False)
class Layout:
    """A laid out drawing of ``width`` columns and ``height`` lines.

    ``crossings`` is how often lines cross, ``spots`` where each edge meets its target.
    """

    style: Style
    edges: Mapping[int, Edge]
    regions: Mapping[int, Region]
    layers: Mapping[int, tuple[int, ...]]
    spots: Mapping[int, Spot]
    lines: Sequence[Mapping[int, Cell]]
    width: int
    crossings: int
    _on_line: dict[int, tuple[int, ...]] = field(default_factory=dict)
    _spots_on: dict[int, tuple[int, ...]] = field(default_factory=dict)
    _edges_on: dict[int, tuple[int, ...]] = field(default_factory=dict)
    _layer_of: dict[int, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        on_line: dict[int, list[int]] = {}
        for key, region in sorted(self.regions.items(), key=lambda pair: pair[1].x):
            for y in range(region.y, region.bottom):
                on_line.setdefault(y, []).append(key)
        self._on_line = {y: tuple(keys) for y, keys in on_line.items()}
        spots_on: dict[int, list[int]] = {}
        for key, spot in sorted(self.spots.items(), key=lambda pair: pair[1].x):
            spots_on.setdefault(spot.y, []).append(key)
        self._spots_on = {y: tuple(keys) for y, keys in spots_on.items()}
        self._layer_of = {key: layer for layer, keys in self.layers.items() for key in keys}

    @property
    def height(self) -> int:
        """The number of lines."""
        return len(self.lines)

    def box(self, key: int) -> Region:
        """Where a box is, its frame included; raises KeyError for a node that is not drawn."""
        return self.regions[key]

    def boxes_on(self, y: int) -> tuple[int, ...]:
        """The boxes on a line, from left to right."""
        return self._on_line.get(y, ())

    def spots_on(self, y: int) -> tuple[int, ...]:
        """The edges that meet their boxes just below a line, from left to right."""
        return self._spots_on.get(y, ())

    def edges_on(self, y: int) -> tuple[int, ...]:
        """The edges that have to do with what is on a line: those that leave its boxes too."""
        if y not in self._edges_on:
            cells = [cell for line in self.lines[y : y + 2] for cell in line.values()]
            through = {edge for cell in cells for edge in cell.edges}
            self._edges_on[y] = tuple(sorted(through.union(self.spots_on(y))))
        return self._edges_on[y]

    def box_at(self, x: int, y: int) -> int | None:
        """The box that a cell belongs to."""
        for key in self.boxes_on(y):
            if self.regions[key].x <= x < self.regions[key].right:
                return key
        return None

    def edges_at(self, x: int, y: int) -> tuple[int, ...]:
        """The edges that go through a cell, or whose label's room it belongs to."""
        cell = self.lines[y].get(x) if 0 <= y < self.height else None
        if cell is not None:
            return tuple(sorted(cell.edges))
        spots = ((edge, self.spots[edge]) for edge in self.spots_on(y))
        return tuple(edge for edge, at in spots if at.label_x <= x < at.label_x + at.room)

    def neighbour(self, key: int, direction: Direction) -> int | None:
        """The box that one comes to: up and down along an edge if there is one, else the nearest
        box of the next layer; left and right the next box of the layer.
        """
        if direction in ("left", "right"):
            layer = self.layers[self._layer_of[key]]
            place = layer.index(key) + (1 if direction == "right" else -1)
            return layer[place] if 0 <= place < len(layer) else None
        if direction == "up":
            joined = [edge.source for edge in self.edges.values() if edge.target == key]
        else:
            joined = [edge.target for edge in self.edges.values() if edge.source == key]
        step = -1 if direction == "up" else 1
        return self._nearest(key, joined or self.layers.get(self._layer_of[key] + step, ()))

    def _nearest(self, key: int, others: Iterable[int]) -> int | None:
        here = self.regions[key]

        def distance(other: int) -> tuple[int, int, int]:
            there = self.regions[other]
            return (abs(there.y - here.y), abs(there.middle - here.middle), other)

        return min(others, key=distance, default=None)


def lay_out(boxes: Sequence[Box], edges: Sequence[Edge], style: Style) -> Layout:
    """Lay out a drawing: layers, order in them, columns, lines between them.

    Every edge goes from a smaller to a greater key, both of which have boxes.
    """
    layer = layers([box.key for box in boxes], edges)
    laid = rows(boxes, edges, layer)
    laid, crossings = arranging.arrange(laid, style.gap)
    heights = {box.key: box.height + (2 if style.framed else 0) for box in boxes}
    drawing = Drawing(heights)
    for row in laid:
        drawing.row(row)
        if row is not laid[-1]:
            ports.connect(row, laid[row[0].layer + 1])
            drawing.channel(row)
    return Layout(
        style=style,
        edges={edge.key: edge for edge in edges},
        regions=drawing.regions,
        layers={n: tuple(i.key for i in row if i.key is not None) for n, row in enumerate(laid)},
        spots=drawing.spots,
        lines=drawing.canvas.lines,
        width=drawing.width,
        crossings=crossings,
    )
