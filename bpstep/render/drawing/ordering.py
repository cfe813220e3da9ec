"""The order of items within their rows, with few crossings between one row and the next."""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Callable, Iterable, Iterator, Sequence

from bpstep.render.drawing.rows import Item, Link, Row

SWEEPS, PATIENCE = 16, 4
"""How many sweeps are made at most, and how many that do not help."""

SWAP_ROUNDS = 4

Order = list[Row]
First = Callable[[Link], tuple[int, ...]]


def starts(laid: Sequence[Row]) -> Iterator[Order]:
    """Orders to begin with: walks from the last node up to its operands, which put the operands of
    a node beside one another, and the nodes as they were recorded.

    A walk gives a tree without crossings. Those that turn at every layer keep it from drifting
    to one side.
    """
    firsts: tuple[First, ...] = (
        lambda link: (link.operand,),
        lambda link: (_turning(link, link.operand),),
        lambda link: (_turning(link, link.upper.layer), link.operand),
        lambda link: (len(link.upper.up), link.operand),
    )
    for first in firsts:
        yield _walked(laid, first)
    yield [list(row) for row in laid]


def _turning(link: Link, number: int) -> int:
    return number if link.lower.layer % 2 else -number


def apply(rows: Sequence[Row]) -> None:
    """Number the items of rows, and put the links of all items in order."""
    _number(rows)
    for row in rows:
        for item in row:
            item.down.sort(key=lambda link: (link.lower.place, link.operand))
            item.up.sort(key=lambda link: (link.upper.place, link.operand))


def _walked(laid: Sequence[Row], first: First) -> Order:
    seen: set[Item] = set()
    found: Order = [[] for _ in laid]
    for start in (item for row in reversed(laid) for item in reversed(row)):
        waiting = [start]
        while waiting:
            item = waiting.pop()
            if item in seen:
                continue
            seen.add(item)
            found[item.layer].append(item)
            waiting += [link.upper for link in sorted(item.up, key=first, reverse=True)]
    return found


def _number(rows: Iterable[Row]) -> None:
    for row in rows:
        for place, item in enumerate(row):
            item.place = place


def improved(rows: Order) -> tuple[int, Order]:
    """Sweeps by barycentres, and swaps of neighbours; the fewest crossings that were seen, and
    the order that has them.
    """
    _number(rows)
    best = (crossings(rows), [list(row) for row in rows])
    helped = 0
    for sweep in range(SWEEPS):
        if best[0] == 0 or sweep - helped > PATIENCE:
            break
        _sweep(rows, downwards=sweep % 2 == 0)
        if sweep % 4 == 3:
            _swap(rows)
        count = crossings(rows)
        if count < best[0]:
            best = (count, [list(row) for row in rows])
            helped = sweep
    return best


def _sweep(rows: Order, downwards: bool) -> None:
    for row in rows[1:] if downwards else rows[-2::-1]:
        row.sort(key=_above if downwards else _below)
        _number([row])


def _above(item: Item) -> float:
    return _mean([link.upper.place for link in item.up], item.place)


def _below(item: Item) -> float:
    return _mean([link.lower.place for link in item.down], item.place)


def _mean(places: Sequence[int], otherwise: int) -> float:
    return sum(places) / len(places) if places else otherwise


def crossings(rows: Sequence[Row]) -> int:
    """How many pairs of links cross."""
    return sum(map(_crossings_below, rows))


def _crossings_below(row: Row) -> int:
    count = 0
    seen: list[int] = []
    for item in row:
        below = sorted(link.lower.place for link in item.down)
        count += sum(len(seen) - bisect_right(seen, place) for place in below)
        for place in below:
            insort(seen, place)
    return count


def _swap(rows: Order) -> None:
    """Swap neighbours in a row while that takes crossings away."""
    for _ in range(SWAP_ROUNDS):
        swapped = [_swap_in(row) for row in rows]
        if not any(swapped):
            return


def _swap_in(row: Row) -> bool:
    swapped = False
    above = [sorted(link.upper.place for link in item.up) for item in row]
    below = [sorted(link.lower.place for link in item.down) for item in row]
    for left in range(len(row) - 1):
        right = left + 1
        gain = _inverted(above[left], above[right]) + _inverted(below[left], below[right])
        if gain > 0:
            row[left], row[right] = row[right], row[left]
            above[left], above[right] = above[right], above[left]
            below[left], below[right] = below[right], below[left]
            row[left].place, row[right].place = left, right
            swapped = True
    return swapped


def _inverted(lefts: Sequence[int], rights: Sequence[int]) -> int:
    """How many crossings go away when what joins these places changes sides."""
    if not lefts or not rights:
        return 0
    if lefts[-1] < rights[0]:
        return -len(lefts) * len(rights)
    return sum((a > b) - (a < b) for a in lefts for b in rights)
