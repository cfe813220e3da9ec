"""The order of items within their rows, with few crossings between one row and the next."""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Callable, Iterable, Sequence

from bpstep.render.drawing.rows import Item, Link, Row

SWEEPS = 16
SWAP_ROUNDS = 4

Order = list[Row]


def order(laid: list[Row]) -> int:
    """Put the items of all rows, and the links of all items, in order; returns the crossings."""
    candidates = [_improved(start) for start in (_by_depth(laid), [list(row) for row in laid])]
    crossings, best = min(candidates, key=lambda candidate: candidate[0])
    for row, chosen in zip(laid, best, strict=True):
        row[:] = chosen
    _number(laid)
    for row in laid:
        for item in row:
            item.down.sort(key=lambda link: (link.lower.place, link.operand))
            item.up.sort(key=lambda link: (link.upper.place, link.operand))
    return crossings


def _by_depth(laid: Sequence[Row]) -> Order:
    """Rows in the order of a walk from the last node up to its operands: a tree has no crossing."""
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
            waiting += [link.upper for link in sorted(item.up, key=_operand, reverse=True)]
    return found


def _operand(link: Link) -> int:
    return link.operand


def _number(rows: Iterable[Row]) -> None:
    for row in rows:
        for place, item in enumerate(row):
            item.place = place


def _improved(start: Order) -> tuple[int, Order]:
    """Sweeps by barycentres, then swaps of neighbours; the best order that was seen."""
    rows = start
    _number(rows)
    best = (crossings(rows), [list(row) for row in rows])
    for sweep in range(SWEEPS):
        if best[0] == 0:
            break
        _sweep(rows, downwards=sweep % 2 == 0)
        if sweep % 4 == 3:
            _swap(rows)
        count = crossings(rows)
        if count < best[0]:
            best = (count, [list(row) for row in rows])
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
    for place in range(len(row) - 1):
        left, right = row[place], row[place + 1]
        if _gain(left, right) > 0:
            row[place], row[place + 1] = right, left
            left.place, right.place = place + 1, place
            swapped = True
    return swapped


def _gain(left: Item, right: Item) -> int:
    """How many crossings go away when two neighbours change places."""
    return _inverted(left, right, _places_above) + _inverted(left, right, _places_below)


def _places_above(item: Item) -> list[int]:
    return sorted(link.upper.place for link in item.up)


def _places_below(item: Item) -> list[int]:
    return sorted(link.lower.place for link in item.down)


def _inverted(left: Item, right: Item, places: Callable[[Item], list[int]]) -> int:
    lefts, rights = places(left), places(right)
    if not lefts or not rights or lefts[-1] <= rights[0]:
        return -sum(1 for a in lefts for b in rights if a < b)
    return sum((a > b) - (a < b) for a in lefts for b in rights)
