"""A text and the places in it: what every message about a file points at."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property

_LINE_END = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True, eq=False)
class Source:
    """A file's name, as given, and its text; indices count characters from 0."""

    path: str
    text: str

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *(end.end() for end in _LINE_END.finditer(self.text))]

    @property
    def length(self) -> int:
        """The number of lines; a line end at the end begins no other."""
        return len(self._starts) - (len(self._starts) > 1 and self._starts[-1] == len(self.text))

    def position(self, index: int) -> tuple[int, int]:
        """Line and column of a character, both counted from 1."""
        line = bisect_right(self._starts, index)
        return line, index - self._starts[line - 1] + 1

    def line(self, number: int) -> str:
        """The text of a line, counted from 1, without its line end."""
        # Kept, because many problems may stand in one line of a megabyte.
        if number not in self._lines:
            start = self._starts[number - 1]
            end = self._starts[number] if number < len(self._starts) else len(self.text)
            self._lines[number] = self.text[start:end].rstrip("\r\n")
        return self._lines[number]

    @cached_property
    def _lines(self) -> dict[int, str]:
        return {}


@dataclass(frozen=True, slots=True)
class Span:
    """The characters from start up to but not including end."""

    source: Source
    start: int
    end: int
