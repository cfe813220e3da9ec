"""Lines laid out for a number of columns."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import zip_longest

from rich.console import Console
from rich.text import Text
from textual.geometry import Size

Make = Callable[[int], Iterable[Text]]
"""Makes lines for a number of columns."""


class LinesView:
    """Lines for the width that they really have: made anew with other lines or other room.

    Sentences are wrapped. So are rows of tables, unless ``tables`` says that they keep their shape,
    for what holds this to scroll sideways.
    """

    def __init__(self, tables: bool) -> None:
        self.tables = tables
        self.make: Make = lambda width: ()
        self.room = 0
        self.laid: list[Text] = []
        self.starts: list[int] = []
        """The row in which each line begins."""

    def lay(self, room: int, console: Console) -> list[int]:
        """Make the lines for so many columns, and tell which rows are other than before."""
        before = self.laid if room == self.room else []
        self.room = room
        self.laid, self.starts = [], []
        for line in self.make(room):
            self.starts.append(len(self.laid))
            self.laid.extend(self._fitted(line, console))
        rows = zip_longest(before, self.laid)
        return [row for row, (old, new) in enumerate(rows) if old != new]

    @property
    def extent(self) -> Size:
        """The columns there are, or those of the longest row of a table, and the number of rows."""
        return Size(max([self.room, *(line.cell_len for line in self.laid)]), len(self.laid))

    def row_of(self, sign: str) -> int | None:
        """The first line that begins with a sign."""
        rows = (row for row, line in enumerate(self.laid) if line.plain.startswith(sign))
        return next(rows, None)

    def _fitted(self, line: Text, console: Console) -> Iterable[Text]:
        if self.room <= 0 or line.cell_len <= self.room or (self.tables and is_row(line)):
            return (line,)
        indent = len(line.plain) - len(line.plain.lstrip())
        if indent > self.room // 4:
            return line.wrap(console, self.room)
        parts = line[indent:].wrap(console, self.room - indent)
        for part in parts:
            part.pad_left(indent)
        return parts


def is_row(line: Text) -> bool:
    """Whether a line is a row of a table: its cells are two spaces apart, or more."""
    return "  " in line.plain.strip()
