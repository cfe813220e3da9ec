"""Reads a painted picture as a person does: follows lines from box to box, knowing no layout.

``┼`` and ``+`` are crossings, ``●`` a junction of four ways; everything else joins what it shows.
In ASCII a full stop joins what is below it, an apostrophe what is above, an ``o`` both, and each
of them what is beside it, if that joins it too.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence

UP, RIGHT, DOWN, LEFT = (0, -1), (1, 0), (0, 1), (-1, 0)
WAYS = (UP, RIGHT, DOWN, LEFT)
BACK = {UP: DOWN, DOWN: UP, LEFT: RIGHT, RIGHT: LEFT}
WORDS = {
    "UP": {UP},
    "RIGHT": {RIGHT},
    "DOWN": {DOWN},
    "LEFT": {LEFT},
    "VERTICAL": {UP, DOWN},
    "HORIZONTAL": {LEFT, RIGHT},
}
ASCII_WAYS = {
    "|": {UP, DOWN},
    ":": {UP, DOWN},
    "#": {UP, DOWN},
    "-": {LEFT, RIGHT},
    "~": {LEFT, RIGHT},
    "=": {LEFT, RIGHT},
    "+": set(WAYS),
    "o": set(WAYS),
    ".": {DOWN, LEFT, RIGHT},
    "'": {UP, LEFT, RIGHT},
}
TIPS = "▼▲v^"
CROSSINGS = "┼+╂┿╀╁╃╄╅╆╇╈╉╊╋┽┾"

Cell = tuple[int, int]


class Picture:
    """A picture's lines, and the boxes found in them, each with its name on its first line."""

    def __init__(self, lines: Sequence[str], framed: bool, ascii_only: bool) -> None:
        self.width = max(map(len, lines), default=0)
        self.lines = [line.ljust(self.width) for line in lines]
        self.ascii = ascii_only
        self.inside: dict[Cell, str] = {}
        self.feet: dict[str, list[Cell]] = {}
        self._find_boxes(framed)

    def _find_boxes(self, framed: bool) -> None:
        pattern = r"[│|] (n\d+) *[│|]" if framed else r"[\[({] (n\d+) *[\])}]"
        margin = 1 if framed else 0
        for y, line in enumerate(self.lines):
            for match in re.finditer(pattern, line):
                columns = range(match.start(), match.end())
                for row in range(y - margin, y + margin + 1):
                    for x in columns:
                        assert (x, row) not in self.inside, "boxes overlap"
                        self.inside[x, row] = match[1]
                assert match[1] not in self.feet, "a box is drawn twice"
                self.feet[match[1]] = [(x, y + margin + 1) for x in columns]

    def at(self, cell: Cell) -> str:
        x, y = cell
        return self.lines[y][x] if 0 <= y < len(self.lines) and 0 <= x < self.width else " "

    def ways(self, cell: Cell) -> set[Cell]:
        """Where a cell's character leads."""
        character = self.at(cell)
        if cell in self.inside or character == " ":
            return set()
        if character in TIPS:
            return {UP}
        if character == "●":
            return set(WAYS)
        if self.ascii:
            return ASCII_WAYS.get(character, set())
        name = unicodedata.name(character, "")
        if character in "┊┄":
            return {UP, DOWN} if character == "┊" else {LEFT, RIGHT}
        if not name.startswith("BOX DRAWINGS"):
            return set()
        return set().union(*(WORDS.get(word, set()) for word in name.split()))

    def edges(self) -> Counter[tuple[str, str]]:
        """Every edge from box to box; one that is drawn twice counts twice."""
        found: Counter[tuple[str, str]] = Counter()
        tips: set[Cell] = set()
        for name, feet in self.feet.items():
            for tip in self._tips_below(feet):
                assert tip not in tips, f"lines of two boxes run into one at {tip}"
                tips.add(tip)
                found[name, self.inside[tip[0], tip[1] + 1]] += 1
        drawn = {
            (x, y)
            for y, line in enumerate(self.lines)
            for x, character in enumerate(line)
            if character in TIPS and (x, y) not in self.inside
        }
        assert tips == drawn, "a line comes from nowhere"
        return found

    def _tips_below(self, feet: Sequence[Cell]) -> Iterator[Cell]:
        waiting = [(foot, UP) for foot in feet if UP in self.ways(foot)]
        seen = set(waiting)
        found: set[Cell] = set()
        while waiting:
            cell, came = waiting.pop()
            if self.at(cell) in TIPS:
                found.add(cell)
                continue
            for way in self._onward(cell, came):
                following = ((cell[0] + way[0], cell[1] + way[1]), BACK[way])
                if way == UP and following[0] in self.inside:
                    continue
                if BACK[way] not in self.ways(following[0]):
                    assert self.ascii, f"the line ends at {cell}"
                    continue
                if following not in seen:
                    seen.add(following)
                    waiting.append(following)
        yield from sorted(found)

    def _onward(self, cell: Cell, came: Cell) -> set[Cell]:
        if self.at(cell) in CROSSINGS:
            return {BACK[came]}
        return self.ways(cell) - {came}
