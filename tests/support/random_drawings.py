"""Random drawings: boxes and edges as an evaluated graph has them, and their painted form."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping

from rich.text import Text

from bpstep.render.drawing.paint import Face, Mark, paint
from bpstep.render.drawing.shape import Box, Edge, Layout, Style, lay_out

Drawing = tuple[list[Box], list[Edge]]


def random_drawing(rng: random.Random, most: int = 24, reach: int = 8) -> Drawing:
    """Up to `most` boxes; operands are among the `reach` boxes before, and may stand twice."""
    count = rng.randint(1, most)
    boxes = [Box(key, rng.randint(5, 14)) for key in range(count)]
    edges: list[Edge] = []
    for target in range(count):
        for operand in range(rng.choice((0, 1, 1, 2, 2, 2, 3, 5)) if target else 0):
            source = rng.randrange(max(0, target - rng.randint(1, reach)), target)
            edges.append(Edge(len(edges), source, target, operand, rng.choice((0, 1, 2, 3, 7))))
    return boxes, edges


def layered_drawing(rng: random.Random, layers: int = 4, width: int = 6) -> Drawing:
    """Full of crossings: every node reads some of the layer above."""
    boxes = [Box(key, rng.randint(5, 8)) for key in range(layers * width)]
    edges: list[Edge] = []
    for target in range(width, layers * width):
        above = (target // width - 1) * width
        for operand in range(rng.randint(1, 4)):
            source = above + rng.randrange(width)
            edges.append(Edge(len(edges), source, target, operand, rng.randint(0, 2)))
    return boxes, edges


def faces(boxes: list[Box]) -> dict[int, Face]:
    return {box.key: Face((Text(f" n{box.key}"),)) for box in boxes}


def painted(layout: Layout, boxes: list[Box], marks: Mapping[int, Mark] | None = None) -> list[str]:
    return [line.plain for line in paint(layout, faces(boxes), marks or {})]


def expected(edges: list[Edge]) -> Counter[tuple[str, str]]:
    return Counter((f"n{edge.source}", f"n{edge.target}") for edge in edges)


def laid(drawing: Drawing, style: Style) -> Layout:
    return lay_out(*drawing, style)
