"""A small plot in characters: dots in Braille, marks on them, and a frame with its numbers."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from rich.text import Text

from bpstep.render import lines as ui
from bpstep.render.lines import Cell, line
from bpstep.render.numbers import apart, short

BLANK = "\u2800"
FRAME_ROWS = 2
"""Rows below the dots: the axis and its numbers."""


@dataclass(frozen=True)
class Range:
    """The numbers along an axis, finite and not all the same."""

    low: float
    high: float

    def share(self, value: float) -> float:
        """How far along the axis a number is, from 0 to 1 inside it; no difference overflows."""
        return (value / 2 - self.low / 2) / (self.high / 2 - self.low / 2)

    def at(self, share: float) -> float:
        """The number so far along the axis."""
        return self.low * (1 - share) + self.high * share


def around(values: Iterable[float]) -> Range | None:
    """The range that holds the finite ones of some numbers; None where there are none."""
    finite = [value for value in values if math.isfinite(value)]
    if not finite:
        return None
    low, high = min(finite), max(finite)
    if low / 2 < high / 2:
        return Range(low, high)
    room = abs(low) / 8 or 1.0
    most = sys.float_info.max
    return Range(max(low - room, -most), min(high + room, most))


@dataclass(frozen=True)
class Curve:
    """Points joined by lines, or dots, with gaps where one is not finite."""

    xs: Sequence[float]
    ys: Sequence[float]
    style: str
    dotted: bool = False


@dataclass(frozen=True)
class Mark:
    """A sign at a point: at the top where ``y`` is not finite, on the axis where it is None."""

    x: float
    y: float | None
    sign: str
    style: str
    name: str = ""


@dataclass(frozen=True)
class Canvas:
    """So many columns and rows of characters, the numbers beside the axes included."""

    width: int
    height: int
    x: Range
    y: Range

    @property
    def labels(self) -> tuple[str, str]:
        """The numbers at the ends of the upright axis."""
        low, high = apart(self.y.low, self.y.high, self.width // 3)
        return high, low

    @property
    def columns(self) -> int:
        """Characters beside the upright axis."""
        return max(1, self.width - max(map(len, self.labels)) - 1)

    @property
    def rows(self) -> int:
        """Rows above the axis."""
        return max(1, self.height - FRAME_ROWS)

    def column(self, x: float) -> int:
        """The character that a number stands at: the one that its dot is in."""
        return round(_kept(self.x.share(x)) * (2 * self.columns - 1)) // 2

    def row(self, y: float) -> int:
        """The row that a number stands in, the top one first; what is not finite is above all."""
        if not math.isfinite(y):
            return 0
        return self.rows - 1 - round(_kept(self.y.share(y)) * (4 * self.rows - 1)) // 4

    def draw(self, curves: Sequence[Curve], marks: Sequence[Mark]) -> list[Text]:
        """Curves, each over those before it, then marks."""
        cells: list[list[Cell]] = [[" "] * self.columns for _ in range(self.rows)]
        for curve in curves:
            self._lay(curve, cells)
        axis: list[Cell] = [("─", ui.FAINT)] * self.columns
        for mark in marks:
            if mark.y is None:
                axis[self.column(mark.x)] = (mark.sign, mark.style)
            else:
                cells[self.row(mark.y)][self.column(mark.x)] = (mark.sign, mark.style)
        return self._framed(cells, axis, marks)

    def _lay(self, curve: Curve, cells: list[list[Cell]]) -> None:
        for row, dots in enumerate(self._dots(curve)):
            for column, dot in enumerate(dots):
                if dot != BLANK:
                    cells[row][column] = (_joined(cells[row][column], dot), curve.style)

    def _dots(self, curve: Curve) -> list[str]:
        # Imported when something is plotted: the app starts without.
        from plotille import Canvas as Dots

        # Both ends of a range have a dot: what is at the end of plotille's is outside.
        wide, high = 2 * self.columns, 4 * self.rows
        dots = Dots(self.columns, self.rows, 0, 0, wide / (wide - 1), high / (high - 1))
        places = [
            (self.x.share(x), self.y.share(y)) if math.isfinite(y) else None
            for x, y in zip(curve.xs, curve.ys, strict=True)
        ]
        for place, after in zip(places, [*places[1:], None], strict=True):
            if place is None:
                continue
            if after is None or curve.dotted:
                dots.point(*_inside(place))
            else:
                piece = _clipped(place, after)
                if piece is not None:
                    dots.line(*piece)
        return str(dots.plot()).split("\n")

    def _framed(
        self, cells: list[list[Cell]], axis: list[Cell], marks: Sequence[Mark]
    ) -> list[Text]:
        margin = self.width - self.columns - 1
        beside = {0: self.labels[0], self.rows - 1: self.labels[1]}
        framed = [
            line((f"{beside.get(row, ''):>{margin}}│", ui.FAINT), *cells[row])
            for row in range(self.rows)
        ]
        framed.append(line((" " * margin + "└", ui.FAINT), *axis))
        framed.append(line((" " * (margin + 1) + self._numbers(marks), ui.FAINT)))
        return framed

    def _numbers(self, marks: Sequence[Mark]) -> str:
        """The names of marks on the axis below them, then the numbers at its ends: what fits."""
        text = " " * self.columns
        ends = ((short(self.x.low), 0), (short(self.x.high), self.columns))
        named = [(mark.name, self.column(mark.x)) for mark in marks if mark.y is None]
        for name, place in (*ends, *named):
            text = _written(text, name, place)
        return text.rstrip()


def _joined(under: Cell, dot: str) -> str:
    """The dots of two curves in one character."""
    below = under if isinstance(under, str) else under[0]
    return chr(ord(below) | ord(dot)) if ord(below) >= ord(BLANK) else dot


def _written(text: str, name: str, place: int) -> str:
    """A text with a name written into it at a place, unless something is there."""
    start = max(0, min(place, len(text) - cell_len(name)))
    end = start + len(name)
    free = text[max(0, start - 1) : end + 1]
    if free.strip() or end > len(text) or cell_len(name) != len(name):
        return text
    return text[:start] + name + text[end:]


def _kept(share: float) -> float:
    """A share of an axis, moved to its end where it is outside."""
    return min(max(share, 0.0), 1.0)


Place = tuple[float, float]


def _inside(place: Place) -> Place:
    """A place a little outside, as rounding makes it, moved in; one far away is not drawn."""
    x, y = place
    return (x, y) if 0 <= y <= 1 else (x, 9.0)


def _clipped(start: Place, end: Place) -> tuple[float, float, float, float] | None:
    """The part of a line between the top and the bottom; None where there is none."""
    (x0, y0), (x1, y1) = start, end
    if max(y0, y1) < 0 or min(y0, y1) > 1:
        return None

    def at(y: float) -> float:
        return x0 + (x1 - x0) * ((y - y0) / (y1 - y0))

    ends = []
    for x, y in (start, end):
        bound = min(max(y, 0.0), 1.0)
        ends += [x, y] if bound == y else [at(bound), bound]
    return ends[0], ends[1], ends[2], ends[3]
