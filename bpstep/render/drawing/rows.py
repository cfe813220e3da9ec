"""Boxes in layers, with stand-ins where an edge passes a layer: links join neighbouring layers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from bpstep.render.drawing.parts import Box, Edge

MOST_EXITS = 5
"""A box is widened until so many lines can leave it; more share one."""

APART = 2
"""Lines that meet a box are so many columns from one another."""


@dataclass(eq=False)
class Item:
    """A box, or (``key`` is None) one column where an edge passes a layer.

    ``up`` and ``down`` are the links to the layers above and below. ``place`` is its position in
    its row, ``x`` its first column.
    """

    key: int | None
    layer: int
    width: int
    up: list[Link] = field(default_factory=list)
    down: list[Link] = field(default_factory=list)
    place: int = 0
    x: int = 0

    @property
    def shares(self) -> bool:
        """Whether everything that goes down from it leaves by one column."""
        return self.key is None or len(self.down) * APART + 1 > self.width


@dataclass(eq=False)
class Link:
    """A line from an item down to one of the next layer, and the edges that run through it.

    ``room`` is how many columns are kept for the label where it meets a box. ``leaves`` and
    ``meets`` are the columns where it leaves the upper item and meets the lower one.
    """

    upper: Item
    lower: Item
    edges: list[int]
    operand: int = 0
    room: int = 0
    leaves: int = 0
    meets: int = 0


Row = list[Item]


def rows(boxes: Sequence[Box], edges: Sequence[Edge], layer: Mapping[int, int]) -> list[Row]:
    """The items of each layer; edges from one box share the stand-ins that they pass."""
    laid: list[Row] = [[] for _ in range(max(layer.values(), default=-1) + 1)]
    items: dict[int, Item] = {}
    passing: dict[tuple[int, int], Item] = {}
    for box in sorted(boxes, key=lambda box: box.key):
        items[box.key] = item = Item(box.key, layer[box.key], box.width + 2)
        laid[item.layer].append(item)
    for edge in sorted(edges, key=lambda edge: (edge.source, edge.target, edge.operand)):
        upper = items[edge.source]
        for level in range(layer[edge.source] + 1, layer[edge.target]):
            stand_in = passing.get((edge.source, level))
            if stand_in is None:
                stand_in = passing[edge.source, level] = Item(None, level, 1)
                laid[level].append(stand_in)
                _join(Link(upper, stand_in, []))
            stand_in.up[0].edges.append(edge.key)
            upper = stand_in
        _join(Link(upper, items[edge.target], [edge.key], edge.operand, edge.label))
    for item in items.values():
        item.width = max(item.width, _entries_width(item), _exits_width(item))
    return laid


def _join(link: Link) -> None:
    link.upper.down.append(link)
    link.lower.up.append(link)


def _exits_width(item: Item) -> int:
    count = len(item.down)
    return count * APART + 1 if count <= MOST_EXITS else 0


def _entries_width(item: Item) -> int:
    """Room for every label at once: the first one's left of its line, the others' right of theirs.

    A single one may stand on either side. In whichever order they come, there is room.
    """
    rooms = [link.room for link in item.up]
    if len(rooms) < 2:
        return max((room + 3 for room in rooms), default=0)
    return sum(max(1, room) for room in rooms) + APART * (len(rooms) - 1) + 1


def _spaces(rooms: Sequence[int]) -> list[int]:
    """How far each line that meets a box is from the next."""
    return [APART + (room if number else 0) for number, room in enumerate(rooms[:-1])]


Window = tuple[int, int]
"""The first and the last column, counted from the item's own, where a line may meet it."""


def entry_windows(item: Item) -> list[Window]:
    """Where each link of ``up``, in its order, may meet the item: those beside it leave it room."""
    if item.key is None or not item.up:
        return [(0, 0)] * len(item.up)
    rooms = [link.room for link in item.up]
    if len(rooms) == 1:
        either_side = 2 * rooms[0] <= item.width
        return [(1, item.width - (2 if either_side else 1 + rooms[0]))]
    first = max([1, *rooms[:1]])
    last = item.width - 1 - max([1, *rooms[-1:]])
    return _windows(first, last, _spaces(rooms))


def exit_windows(item: Item) -> list[Window]:
    """Where each link of ``down``, in its order, may leave the item."""
    if item.key is None or not item.down:
        return [(0, 0)] * len(item.down)
    if item.shares:
        return [(1, item.width - 2)] * len(item.down)
    return _windows(1, item.width - 2, [APART] * (len(item.down) - 1))


def exit_spaces(item: Item) -> list[int]:
    """How far each line that leaves a box is at least from the next; 0 where they share one."""
    return [0 if item.shares else APART] * (len(item.down) - 1)


def entry_spaces(item: Item) -> list[int]:
    """How far each line that meets a box is at least from the next."""
    return _spaces([link.room for link in item.up])


def _windows(first: int, last: int, spaces: Sequence[int]) -> list[Window]:
    before = [0]
    for space in spaces:
        before.append(before[-1] + space)
    slack = last - first - before[-1]
    return [(first + offset, first + offset + slack) for offset in before]
