"""The characters that lines and frames are made of."""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import NamedTuple

NONE, LIGHT, HEAVY = 0, 1, 2

Weights = tuple[int, int, int, int]
"""How heavy a line is in each direction: up, right, down, left."""

JUNCTION, CROSSING = "●", "┼"
ROUND = {"┌": "╭", "┐": "╮", "└": "╰", "┘": "╯"}
DASHED = {"│": "┊", "─": "┄"}

_PARTS = {
    "UP": (0,),
    "RIGHT": (1,),
    "DOWN": (2,),
    "LEFT": (3,),
    "VERTICAL": (0, 2),
    "HORIZONTAL": (1, 3),
}
_WEIGHTS = {"LIGHT": LIGHT, "HEAVY": HEAVY}


@lru_cache(maxsize=1)
def _lines() -> dict[Weights, str]:
    """Unicode's light and heavy lines, by what their names say that they join."""
    names = {chr(code): unicodedata.name(chr(code)) for code in range(0x2500, 0x2580)}
    found: dict[Weights, str] = {}
    for character, name in names.items():
        words = name.removeprefix("BOX DRAWINGS ").split()
        if set(words) <= {*_PARTS, *_WEIGHTS, "AND"}:
            found[_weights(words)] = character
    return found


def _weights(words: list[str]) -> Weights:
    """Of "DOWN LIGHT AND RIGHT UP HEAVY": each weight holds for its side of AND, or for both."""
    weights = [NONE] * 4
    sides = [side.split() for side in " ".join(words).split(" AND ")]
    given = [next((_WEIGHTS[word] for word in side if word in _WEIGHTS), None) for side in sides]
    for side, own in zip(sides, given, strict=True):
        weight = own or given[0] or LIGHT
        for word in side:
            for way in _PARTS.get(word, ()):
                weights[way] = weight
    return weights[0], weights[1], weights[2], weights[3]


@lru_cache(maxsize=1024)
def unicode_line(weights: Weights, crossed: bool, dashed: bool) -> str:
    """A cell of lines. Four ways that are joined are a dot: a cross is always a crossing."""
    if all(weights) and not crossed:
        return JUNCTION
    character = _lines()[weights]
    character = ROUND.get(character, character)
    return DASHED.get(character, character) if dashed else character


@lru_cache(maxsize=1024)
def ascii_line(weights: Weights, crossed: bool, dashed: bool) -> str:
    """The same in ASCII. A full stop is joined to what is below it, an apostrophe to what is
    above, an o to both; all of them, and a plus where lines cross, to what is beside.
    """
    up, right, down, left = weights
    if not (right or left):
        return "#" if HEAVY in (up, down) else ":" if dashed else "|"
    if not (up or down):
        return "=" if HEAVY in (right, left) else "~" if dashed else "-"
    if crossed:
        return "+"
    return "o" if up and down else "." if down else "'"


TIPS = {False: ("▼", "▲"), True: ("v", "^")}
"""Where an edge meets its box: forward, and marked for what comes back. By whether in ASCII."""

BRACKETS = {"operation": ("[", "]"), "leaf": ("(", ")"), "constant": ("{", "}")}


class Frame(NamedTuple):
    """Corners and sides."""

    upper_left: str
    level: str
    upper_right: str
    upright: str
    lower_left: str
    lower_right: str


FRAMES = {
    (False, "operation"): Frame(*"┌─┐│└┘"),
    (False, "leaf"): Frame(*"╭─╮│╰╯"),
    (False, "constant"): Frame(*"┌╌┐╎└┘"),
    (True, "operation"): Frame(*"+-+|++"),
    (True, "leaf"): Frame(*".-.|''"),
    (True, "constant"): Frame(*"+~+:++"),
}
"""The frames of kinds of nodes, by whether in ASCII."""
