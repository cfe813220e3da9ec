"""The elements of a tensor in a grid, value and gradient side by side; a line at a time.

A row is one line of the last axis, with the indices before it as its head; a vector is a column.
Nothing is drawn but what is in sight, so that a million elements cost what ten do.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from rich.text import Text

from bpstep.render import lines as ui
from bpstep.render.lines import Cell, line
from bpstep.render.numbers import not_finite
from bpstep.render.scalar_terms import AWAITED
from bpstep.tui.draw.fit import scalar

Index = tuple[int, ...]

CURSOR, MORE = "›", "…"
SECTION = " │ "
CELL, FEWEST = 10, 8
"""Columns of a number with the space before it; where there is no room, no fewer than FEWEST."""


@dataclass(frozen=True)
class Grid:
    """The rows and columns that a shape is laid out in."""

    shape: tuple[int, ...]

    @property
    def rows(self) -> int:
        """How many lines there are."""
        return math.prod(self.shape[:-1]) if len(self.shape) > 1 else math.prod(self.shape)

    @property
    def columns(self) -> int:
        """How many elements a line has."""
        return self.shape[-1] if len(self.shape) > 1 else 1

    def place(self, index: Index) -> tuple[int, int]:
        """Row and column of an element."""
        if len(self.shape) < 2:
            return (index[0] if index else 0), 0
        return int(np.ravel_multi_index(index[:-1], self.shape[:-1])), index[-1]

    def index(self, row: int, column: int) -> Index:
        """The element in a row and column, or the nearest there is."""
        row = min(max(row, 0), self.rows - 1)
        column = min(max(column, 0), self.columns - 1)
        if len(self.shape) < 2:
            return (row,) if self.shape else ()
        return (*self.head(row), column)

    def head(self, row: int) -> Index:
        """The indices that the elements of a row share."""
        if len(self.shape) < 2:
            return (row,)
        return tuple(int(i) for i in np.unravel_index(row, self.shape[:-1]))

    def moved(self, index: Index, down: int, right: int) -> Index:
        """The element so many rows down and columns right; in a vector right is down."""
        row, column = self.place(index)
        if self.columns == 1:
            down, right = down + right, 0
        return self.index(row + down, column + right)


@dataclass(frozen=True)
class Columns:
    """How a width is shared: heads of rows, then as many columns twice as there is room for."""

    head: int
    cell: int
    first: int
    shown: int

    @classmethod
    def fitting(cls, grid: Grid, width: int, cursor: int, first: int = 0) -> Columns:
        """Columns from ``first`` on, or from where the cursor's is in sight."""
        last = _label(grid, grid.rows - 1) if grid.rows else ""
        head = len(CURSOR) + len(last)
        half = max(FEWEST, (width - head - 2 * len(SECTION) - len(MORE)) // 2)
        cell = min(CELL, half)
        shown = max(1, min(grid.columns, half // cell))
        first = min(first, cursor)
        first = max(first, cursor - shown + 1)
        return cls(head, cell, max(0, min(first, grid.columns - shown)), shown)

    @property
    def section(self) -> int:
        """How many columns of the screen value, or gradient, has."""
        return self.cell * self.shown

    def column_at(self, x: int) -> int:
        """The column of the grid at a column of the screen, or the nearest there is."""
        x -= self.head + len(SECTION)
        if x >= self.section + len(SECTION):
            x -= self.section + len(SECTION)
        return self.first + min(max(x, 0) // self.cell, self.shown - 1)


def _label(grid: Grid, row: int) -> str:
    return ", ".join(map(str, grid.head(row)))


def title_line(columns: Columns, grad: str) -> Text:
    """What stands in the two sections."""
    value = "value"[: columns.section].ljust(columns.section)
    shown = grad if len(grad) <= columns.section else "gradient"
    return line(
        " " * columns.head,
        (SECTION, ui.FAINT),
        (value, ui.HEADING),
        (SECTION, ui.FAINT),
        (shown[: columns.section], ui.HEADING),
    )


def index_line(grid: Grid, columns: Columns) -> Text:
    """The indices of the columns in sight; ``…`` on a side where there are others."""
    shown = range(columns.first, columns.first + columns.shown)
    left = MORE if columns.first else " "
    right = MORE if shown.stop < grid.columns else " "
    text = "".join((str(k) if grid.columns > 1 else "").rjust(columns.cell) for k in shown)
    bar = SECTION.strip()
    return line(
        (f"{' ' * columns.head} {bar}{left}{text}{right}{bar}{left}{text}{right}", ui.FAINT)
    )


def row_line(grid: Grid, columns: Columns, row: int, cursor: Index, value: Any, grad: Any) -> Text:
    """One row: its head, values, and gradients (None where nothing has arrived)."""
    here, column = grid.place(cursor)
    at = column if here == row else None
    head = _label(grid, row).rjust(columns.head - len(CURSOR))
    cells: list[Cell] = [(CURSOR if at is not None else " ", ui.HEADING), (head, ui.FAINT)]
    for tensor in (value, grad):
        cells.append((SECTION, ui.FAINT))
        for k in range(columns.first, columns.first + columns.shown):
            cells += _cell(tensor, grid.index(row, k), columns.cell, k == at)
    return line(*cells)


def _cell(tensor: Any, index: Index, width: int, chosen: bool) -> list[Cell]:
    text, style = AWAITED, ui.FAINT
    if tensor is not None:
        number = float(tensor[index]) if isinstance(tensor, np.ndarray) else float(tensor)
        text, style = scalar(number, width - 1), ui.BAD if not_finite(number) else ""
        text = text if len(text) < width else MORE
    sign = CURSOR if chosen else ""
    style = f"{style} reverse".strip() if chosen else style
    space = " " * (width - len(text) - len(sign))
    return [space, (sign + text, style)]
