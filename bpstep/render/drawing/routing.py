"""Lines between two rows: which horizontal track each takes, so that few cross and none overlap."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from bpstep.render.drawing.rows import Link, Row


@dataclass(eq=False)
class Net:
    """Lines that leave one column: they share a trunk down to their track, and part on it.

    Of a line that takes two tracks, ``first`` is the upper part, and both are parts of ``whole``.
    """

    leaves: int
    ends: dict[int, list[int]]
    track: int = 0
    first: Net | None = None
    whole: object = None
    low: int = field(init=False)
    high: int = field(init=False)

    def __post_init__(self) -> None:
        self.low = min(self.leaves, *self.ends)
        self.high = max(self.leaves, *self.ends)
        self.whole = self.whole or self

    @property
    def straight(self) -> bool:
        """Whether it needs no track."""
        return self.low == self.high


@dataclass
class Channel:
    """The nets between two rows and how many tracks they take."""

    nets: list[Net]
    tracks: int


def channel(upper: Row) -> Channel:
    """Route what leaves a row."""
    return Channel(*route([net for item in upper for net in _nets(item.down)]))


def route(nets: Sequence[Net]) -> tuple[list[Net], int]:
    """Nets with tracks, and how many those are. A net may come back in two parts."""
    bent, tracks = _with_tracks([net for net in nets if not net.straight], nets)
    return [net for net in nets if net.straight] + bent, tracks


def _nets(links: Sequence[Link]) -> list[Net]:
    columns: dict[int, dict[int, list[int]]] = {}
    for link in links:
        ends = columns.setdefault(link.leaves, {})
        ends.setdefault(link.meets, []).extend(link.edges)
    return [Net(leaves, ends) for leaves, ends in columns.items()]


def _with_tracks(bent: list[Net], all_nets: Sequence[Net]) -> tuple[list[Net], int]:
    used = {column for net in all_nets for column in (net.leaves, *net.ends)}
    waiting = sorted(bent, key=lambda net: (net.low, net.high))
    placed: list[Net] = []
    while waiting:
        ready = [net for net in waiting if not any(_must_follow(net, o) for o in waiting)]
        if not ready:
            waiting = _with_dogleg(waiting, used)
            continue
        net = min(ready, key=lambda one: _regret(one, waiting))
        waiting.remove(net)
        net.track = 1 + max((o.track for o in placed if _meet(net, o)), default=-1)
        placed.append(net)
    return placed, 1 + max((net.track for net in placed), default=-1)


def _must_follow(net: Net, other: Net) -> bool:
    """Whether a net's track must be below another's: it would run into its trunk."""
    if net is other:
        return False
    if net.first is other:
        return True
    return other.first is not net and other.leaves in net.ends


def _meet(net: Net, other: Net) -> bool:
    """Whether two nets are too close for one track: a column is left between them."""
    return net.low <= other.high + 1 and other.low <= net.high + 1


def _regret(net: Net, others: Sequence[Net]) -> int:
    """How many crossings more it costs to have a net above all others than below them."""
    return sum(
        max(0, _crossings(net, other) - _crossings(other, net))
        for other in others
        if other is not net and _meet(net, other)
    )


def _crossings(above: Net, below: Net) -> int:
    """How often two nets cross when the one is above the other."""
    down = sum(below.low < end < below.high for end in above.ends)
    return down + (above.low < below.leaves < above.high)


def _with_dogleg(waiting: Sequence[Net], used: set[int]) -> list[Net]:
    """Every net waits for another to end: one of them takes two tracks, and a free column between.

    Its upper part needs only its trunk out of the way, its lower part only its ends.
    """
    broken = min(waiting, key=lambda net: (len(net.ends), net.high - net.low, net.low))
    column = _free_column(broken, used)
    used.add(column)
    edges = [edge for end in broken.ends.values() for edge in end]
    upper = Net(broken.leaves, {column: edges}, first=broken.first, whole=broken.whole)
    lower = Net(column, broken.ends, first=upper, whole=broken.whole)
    for net in waiting:
        if net.first is broken:
            net.first = lower
    return [upper, lower, *(net for net in waiting if net is not broken)]


def _free_column(net: Net, used: set[int]) -> int:
    """The nearest column that no line uses, between the ends of the net or right of them."""
    inside = (column for column in range(net.low + 1, net.high) if column not in used)
    found = next(inside, None)
    if found is not None:
        return found
    column = net.high + 1
    while column in used:
        column += 1
    return column
