"""Lines as cells: which of its four neighbours each cell of a line is joined to, by which edges."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

UP, RIGHT, DOWN, LEFT = range(4)
"""The directions of a cell, in the order of its tuple."""


class Cell:
    """A cell of the picture that lines go through.

    ``ways`` are the edges that leave it up, right, down and left. ``crossed`` says that two lines
    cross in it, one upright and one level, and are not joined. ``tip`` is the edge that meets its
    box below this cell.
    """

    __slots__ = ("crossed", "net", "tip", "ways")

    def __init__(self, net: object) -> None:
        self.ways: tuple[list[int], ...] = ([], [], [], [])
        self.net = net
        self.crossed = False
        self.tip: int | None = None

    @property
    def edges(self) -> set[int]:
        """All edges that go through it."""
        return {edge for way in self.ways for edge in way}


class Canvas:
    """Lines of cells, by line and column."""

    def __init__(self) -> None:
        self.lines: list[dict[int, Cell]] = []

    def extend(self, height: int) -> None:
        """Make it so many lines higher."""
        self.lines += [{} for _ in range(height)]

    def _cell(self, x: int, y: int, net: object) -> Cell:
        cell = self.lines[y].get(x)
        if cell is None:
            cell = self.lines[y][x] = Cell(net)
        elif cell.net is not net:
            cell.crossed = True
        return cell

    def upright(self, x: int, lines: Iterable[int], edges: Sequence[int], net: object) -> None:
        """A line straight down through whole cells."""
        for y in lines:
            cell = self._cell(x, y, net)
            cell.ways[UP].extend(edges)
            cell.ways[DOWN].extend(edges)

    def turn(self, x: int, y: int, way: int, edges: Sequence[int], net: object) -> None:
        """Half a line, from the middle of a cell to its border."""
        self._cell(x, y, net).ways[way].extend(edges)

    def level(self, start: int, end: int, y: int, edges: Sequence[int], net: object) -> None:
        """A level line from the middle of one cell to the middle of another."""
        low, high = sorted((start, end))
        for x in range(low, high):
            self._cell(x, y, net).ways[RIGHT].extend(edges)
            self._cell(x + 1, y, net).ways[LEFT].extend(edges)
