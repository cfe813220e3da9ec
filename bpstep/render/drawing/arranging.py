"""Order and columns together: of several arrangements the one that is easiest to follow."""

from __future__ import annotations

from collections.abc import Sequence

from bpstep.render.drawing import ordering, placing
from bpstep.render.drawing.rows import Row

SMALL, MEDIUM = 48, 120
"""Drawings of so many items are tried in every arrangement there is, or in two; larger in one."""

BEND = 3
"""A bend is as bad as so many columns."""


def arrange(laid: Sequence[Row], gap: int) -> tuple[list[Row], int]:
    """Rows in order, their items placed, and how many links cross."""
    items = sum(map(len, laid))
    tries = 5 if items <= SMALL else 2 if items <= MEDIUM else 1
    best: tuple[tuple[int, int], list[Row]] | None = None
    for number, start in enumerate(ordering.starts(laid)):
        if number == tries:
            break
        crossings, rows = ordering.improved(start)
        ordering.apply(rows)
        bends, width = placing.place(rows, gap)
        cost = (crossings, bends * BEND + width)
        if best is None or cost < best[0]:
            best = (cost, rows)
    assert best is not None, "there is at least one start"
    ordering.apply(best[1])
    placing.place(best[1], gap)
    return best[1], best[0][0]
