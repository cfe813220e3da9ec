"""The columns of boxes: near what they are joined to, and so that lines run straight down.

Each row in turn is placed against its neighbours, all of them optimally at once: the distances
are minimised under the order of the row and the gaps in it by pooling (isotonic regression). With
squares first, which balances the whole picture; then with absolute distances, whose solution is a
weighted median of whole columns and so makes lines exactly straight.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from bpstep.render.drawing.rows import Item, Link, Row, entry_windows, exit_windows

SQUARE_SWEEPS, STRAIGHT_SWEEPS = 8, 12

PASSING, MEETING, MIDDLE = 16, 8, 1
"""Weights of a straight line: along an edge that passes layers, to a box, through the middles."""

Point = tuple[float, float]
"""A column that is wanted, and how much."""

Wishes = Callable[[Item], list[Point]]
Pooling = Callable[[list[Point]], float]


def place(rows: Sequence[Row], gap: int) -> tuple[int, int]:
    """Give every item its ``x``; the leftmost column of all is 0.

    Returns how many links cannot run straight, and the columns in use.
    """
    for row in rows:
        _pack(row, gap)
    windows = Windows(rows)
    _settle(rows, gap, SQUARE_SWEEPS, windows.middles, _mean)
    _settle(rows, gap, STRAIGHT_SWEEPS, windows.straight, _median)
    left = min((item.x for row in rows for item in row), default=0)
    for row in rows:
        for item in row:
            item.x -= left
    width = max((item.x + item.width for row in rows for item in row), default=0)
    return windows.bent(), width


def _pack(row: Row, gap: int) -> None:
    """Side by side, about a common axis."""
    column = -(sum(item.width + gap for item in row) // 2)
    for item in row:
        item.x = column
        column += item.width + gap


class Windows:
    """Between which columns each link may leave its upper item and meet its lower one."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self.exits: dict[Link, tuple[int, int]] = {}
        self.entries: dict[Link, tuple[int, int]] = {}
        for item in (item for row in rows for item in row):
            self.exits.update(zip(item.down, exit_windows(item), strict=True))
            self.entries.update(zip(item.up, entry_windows(item), strict=True))

    def middles(self, item: Item) -> list[Point]:
        """Where each link would run straight through the middles of both windows."""
        above = [
            (link.upper.x + (sum(self.exits[link]) - sum(self.entries[link])) / 2, 1.0)
            for link in item.up
        ]
        below = [
            (link.lower.x + (sum(self.entries[link]) - sum(self.exits[link])) / 2, 1.0)
            for link in item.down
        ]
        return above + below

    def straight(self, item: Item) -> list[Point]:
        """The ends of the range in which each link runs straight, and faintly its middle.

        The distance from a range is half the sum of those from its ends, and a constant.
        """
        points: list[Point] = []
        for link in item.up:
            (a, b), (c, d) = self.exits[link], self.entries[link]
            points += _range(link, link.upper.x + a - d, link.upper.x + b - c)
        for link in item.down:
            (a, b), (c, d) = self.exits[link], self.entries[link]
            points += _range(link, link.lower.x + c - b, link.lower.x + d - a)
        return points

    def bent(self) -> int:
        """How many links cannot run straight."""
        return sum(
            link.upper.x + a > link.lower.x + d or link.lower.x + c > link.upper.x + b
            for link, (a, b) in self.exits.items()
            for c, d in [self.entries[link]]
        )


def _range(link: Link, low: int, high: int) -> list[Point]:
    weight = PASSING if link.upper.key is None and link.lower.key is None else MEETING
    return [(low, weight), (high, weight), ((low + high) // 2, MIDDLE)]


def _settle(rows: Sequence[Row], gap: int, most: int, wishes: Wishes, pooling: Pooling) -> None:
    """Place rows downwards and upwards in turn until nothing moves."""
    still = 0
    for number in range(most):
        moved = False
        for row in rows if number % 2 == 0 else reversed(rows):
            moved |= _place_row(row, gap, [wishes(i) or [(i.x, 1.0)] for i in row], pooling)
        still = 0 if moved else still + 1
        if still == 2:
            return


def _place_row(row: Row, gap: int, wishes: Sequence[list[Point]], pooling: Pooling) -> bool:
    """Pool neighbours that want to be closer than they may: they move as one.

    Returns whether anything has moved.
    """
    pools: list[tuple[float, list[Point], int]] = []
    offset = 0
    offsets: list[int] = []
    for item, points in zip(row, wishes, strict=True):
        offsets.append(offset)
        shifted = [(column - offset, weight) for column, weight in points]
        pools.append((pooling(shifted), shifted, 1))
        while len(pools) > 1 and pools[-2][0] >= pools[-1][0]:
            _, right, more = pools.pop()
            _, left, count = pools.pop()
            pools.append((pooling(left + right), left + right, count + more))
        offset += item.width + gap
    columns = [round(column) for column, _, count in pools for _ in range(count)]
    moved = False
    for item, column, start in zip(row, columns, offsets, strict=True):
        moved |= item.x != column + start
        item.x = column + start
    return moved


def _mean(points: list[Point]) -> float:
    return sum(column * weight for column, weight in points) / sum(weight for _, weight in points)


def _median(points: list[Point]) -> float:
    """The weighted median; where it is a range, the middle of that."""
    points.sort()
    half = sum(weight for _, weight in points) / 2
    passed = 0.0
    for number, (column, weight) in enumerate(points):
        passed += weight
        if passed > half:
            return column
        if passed == half:
            return (column + points[number + 1][0]) // 2
    return points[-1][0]
