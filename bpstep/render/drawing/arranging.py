"""Order and columns together: of several arrangements the one that is easiest to follow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from bpstep.render.drawing import ordering, placing
from bpstep.render.drawing.rows import Row

SMALL, MEDIUM = 28, 64
"""Drawings of so many items are tried in every arrangement there is, or in two; larger in one."""

BEND = 3
"""A bend is as bad as so many columns."""


@dataclass(eq=False)
class Arrangement:
    """Rows in order and the columns of their items; how bad that is, crossings first."""

    cost: tuple[int, int]
    rows: list[Row]
    columns: list[list[int]]


def arrange(laid: Sequence[Row], gap: int) -> tuple[list[Row], int]:
    """Rows in order, their items placed, and how many links cross."""
    best = min(_arrangements(laid, gap), key=lambda one: one.cost)
    ordering.apply(best.rows)
    for row, columns in zip(best.rows, best.columns, strict=True):
        for item, column in zip(row, columns, strict=True):
            item.x = column
    return best.rows, best.cost[0]


def _arrangements(laid: Sequence[Row], gap: int) -> Iterator[Arrangement]:
    items = sum(map(len, laid))
    tries = None if items <= SMALL else 2 if items <= MEDIUM else 1
    seen: list[list[Row]] = []
    for start in islice(ordering.starts(laid), tries):
        crossings, rows = ordering.improved(start)
        if rows in seen:
            continue
        seen.append(rows)
        ordering.apply(rows)
        bends, width = placing.place(rows, gap)
        columns = [[item.x for item in row] for row in rows]
        yield Arrangement((crossings, bends * BEND + width), rows, columns)
