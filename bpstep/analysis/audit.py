"""The audit of a ledger, one edge at a time: where a reverse pass first goes wrong, and by whom.

Every contribution is held against its consumer's *final* adjoint and the slopes of that one
operation; every adjoint against the sum of what arrived. What is expected is made from the ledger's
own adjoint of the consumer, so consequences of an earlier error do not appear: each finding is an
error of its own, and the first in reverse order is where the pass goes wrong.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from bpstep.analysis.arrivals import Arrivals, Link, Sent, by_source, links
from bpstep.analysis.extrapolation import Floats
from bpstep.analysis.forward import recorded_values
from bpstep.analysis.motions import Motion
from bpstep.analysis.moved import Flags
from bpstep.analysis.owed import SUM_ROUNDINGS, Owed
from bpstep.analysis.progress import breathing
from bpstep.analysis.screening import cleared
from bpstep.analysis.slopes import Slopes, slopes
from bpstep.engine.arithmetic import Array, Value
from bpstep.engine.graph import Graph
from bpstep.engine.ledger import Ledger

Reason = Literal[
    "missing", "counted-again", "one-operand", "sent-early", "wrong-rule", "overwritten"
]

RELATIVE = {"float64": 1e-9, "float32": 1e-4}
"""Relative differences below this are the rounding of a right rule."""

ROUNDINGS = 16.0
"""How many roundings of what arrived over one link its sum may differ by."""

ELEMENTS = 64
"""Tensors of up to this many elements are audited element by element, others along random
directions."""

DIRECTIONS = 8
"""How many random directions a large tensor is moved along."""


@dataclass(frozen=True, eq=False)
class WrongEdge:
    """An adjoint that is wrong, and the node that made it so.

    ``node`` is the receiver, ``cause`` the consumer whose rule or sending is wrong; where the sum
    itself is (``overwritten``) it is the node, and ``source`` is None. ``expected`` and ``found``
    are what the cause should have sent and sent in all (``overwritten``: the sum, and what stands
    in its place), in the node's shape; ``expected`` is None where it cannot be told: shares at a
    tie that are wrong together, contributions too small to be measured, large tensors.
    """

    node: int
    cause: int
    reason: Reason
    expected: Value | None
    found: Value
    source: int | None


def audit(
    graph: Graph, ledger: Ledger, *, random: np.random.Generator | None = None
) -> tuple[WrongEdge, ...]:
    """Every node at which a reverse pass goes wrong, in reverse tape order, one cause a node.

    Last come those whose missing contribution is too small to be told from none at all. What is
    not finite is not judged.
    """
    with np.errstate(all="ignore"):
        return tuple(_Audit(graph, ledger, random or np.random.default_rng(0)).findings())


class _Audit:
    """A ledger beside the slopes of its operations."""

    def __init__(self, graph: Graph, ledger: Ledger, random: np.random.Generator) -> None:
        self.graph = graph
        self.ledger = ledger
        self.random = random
        self.values = recorded_values(graph)
        self.arrivals = Arrivals(ledger)
        self.links = links(graph, ledger.output)
        self.outgoing = by_source(self.links)
        self.relative = RELATIVE[str(graph.dtype)]
        self.epsilon = float(np.finfo(graph.dtype).eps)
        self.adjoints = [ledger.grad(node) for node in breathing(range(ledger.output + 1))]
        self.measured = self._measure()

    def _measure(self) -> Mapping[Link, tuple[Floats, Slopes]]:
        """The directions and slopes of every link whose consumer has an adjoint."""
        chosen = [
            link
            for group in breathing(self.links.values())
            for link in group
            if self.adjoints[link.source] is not None
        ]
        directions = [self._directions(self.graph.shape(link.target)) for link in breathing(chosen)]
        motions = [
            Motion(link.source, dict.fromkeys(link.places, along))
            for link, along in zip(chosen, directions, strict=True)
        ]
        found = slopes(self.graph, self.values, motions)
        return dict(zip(chosen, zip(directions, found, strict=True), strict=True))

    def _directions(self, shape: tuple[int, ...]) -> Floats:
        """Every element alone, or random directions through a large tensor."""
        count = int(np.prod(shape))
        if count <= ELEMENTS:
            return np.eye(count).reshape((count, *shape))
        return _sixteenths(self.random, (DIRECTIONS, *shape))

    def findings(self) -> Iterator[WrongEdge]:
        """In reverse tape order, then the weak ones."""
        weak: list[WrongEdge] = []
        local = {link: found for link, (_, found) in self.measured.items()}
        clear = cleared(self.ledger, self.adjoints, self.links, local, self.relative)
        for node in breathing(range(self.ledger.output, -1, -1)):
            if node not in clear and (node == self.ledger.output or node in self.links):
                yield from self._at_node(node, weak)
        yield from weak

    def _at_node(self, node: int, weak: list[WrongEdge]) -> Iterator[WrongEdge]:
        """The first wrong edge into a node; without one, whether the node holds their sum."""
        arrived = [self.arrivals.over(link) for link in self.links.get(node, ())]
        unmeasured = []
        for sent in arrived:
            if sent.link not in self.measured or not np.all(np.isfinite(sent.total)):
                continue
            wrong = self._wrong(sent)
            if wrong is not None:
                yield wrong
                return
            if sent.missing and np.any(self._adjoint(sent.link.source)):
                unmeasured.append(self._finding(sent, None))
        weak.extend(unmeasured)
        yield from self._overwritten(node, arrived)

    def _adjoint(self, node: int) -> Array:
        adjoint = self.adjoints[node]
        assert adjoint is not None, "asked only of nodes that something arrived at"
        return np.asarray(adjoint, float)

    # ---- one link ----

    def _wrong(self, sent: Sent) -> WrongEdge | None:
        """What is wrong with what arrived over a link, if anything is."""
        upstream = self._adjoint(sent.link.source)
        if not np.all(np.isfinite(upstream)):
            return None
        along, local = self.measured[sent.link]
        owed = Owed.of(local, upstream)
        flat = along.reshape(len(along), -1)
        found = flat @ sent.total.reshape(-1)
        rounding = ROUNDINGS * self.epsilon * (np.abs(flat) @ sent.weight.reshape(-1))
        outside = owed.excludes(found, rounding + self.relative * owed.size.max(initial=0.0))
        if not outside.any():
            outside = self._miscounted(sent, upstream)
        if outside.any():
            expected = np.where(outside, (owed.low + owed.high) / 2, found)
            whole = len(along) == sent.total.size
            return self._finding(sent, _as_value(expected.reshape(sent.shape)) if whole else None)
        if np.any(local.tied) and self._is_last(sent.link) and self._shares_wrong(sent.link):
            return self._finding(sent, None)
        return None

    def _miscounted(self, sent: Sent, upstream: Array) -> Flags:
        """Between numbers, an error in counting is exact, however small the slope is.

        Once for each position, with the final adjoint: what is owed follows from what was sent.
        """
        if sent.shape or upstream.shape or not (sent.repeated or sent.premature(upstream)):
            return np.zeros(1, dtype=bool)
        last = {each.place: each for each in sent.arrivals}
        due = sum(_rescaled(each.value, each.upstream, upstream) for each in last.values())
        size = max(float(sent.weight), abs(due))
        return np.array([abs(float(sent.total) - due) > SUM_ROUNDINGS * self.epsilon * size])

    def _finding(self, sent: Sent, expected: Value | None) -> WrongEdge:
        link = sent.link
        reason = self._reason(sent)
        return WrongEdge(
            link.target, link.source, reason, expected, _as_value(sent.total), link.source
        )

    def _reason(self, sent: Sent) -> Reason:
        """The form of a wrong sum names its cause."""
        if not sent.arrivals:
            return "missing"
        if sent.repeated:
            return "counted-again"
        if sent.missing:
            return "one-operand"
        if sent.premature(self._adjoint(sent.link.source)):
            return "sent-early"
        return "wrong-rule"

    # ---- all shares of an operation at a tie ----

    def _is_last(self, link: Link) -> bool:
        """Whether a link is the one of its operation that comes first in reverse order."""
        return link.target == max(each.target for each in self.outgoing[link.source])

    def _shares_wrong(self, link: Link) -> bool:
        """At a tie, shares may each be possible and yet not together: (0, 1, 1) of a maximum.

        Moved along any direction at once, the operation's slope lies between its one-sided ones.
        """
        siblings = [self.arrivals.over(each) for each in self.outgoing[link.source]]
        if len(siblings) == 1 and siblings[0].shape == ():
            return False
        # A share that never came is named where it is missing.
        if not all(self._can_be_judged(sent) and not sent.missing for sent in siblings):
            return False
        directions = [self._jointly(sent.shape) for sent in siblings]
        found = sum(
            (along * sent.total).reshape(len(along), -1).sum(axis=1)
            for along, sent in zip(directions, siblings, strict=True)
        )
        moved = {
            place: along
            for along, sent in zip(directions, siblings, strict=True)
            for place in sent.link.places
        }
        (local,) = slopes(self.graph, self.values, [Motion(link.source, moved)])
        owed = Owed.of(local, self._adjoint(link.source))
        return bool(owed.excludes(np.asarray(found), self.relative * owed.size).any())

    def _can_be_judged(self, sent: Sent) -> bool:
        """Whether what arrived is finite, and so are the slopes along each direction alone.

        Where an operand alone jumps or has no end to its slope, nothing is owed along others.
        """
        local = self.measured[sent.link][1]
        return all(np.all(np.isfinite(each)) for each in (sent.total, local.low, local.high))

    def _jointly(self, shape: tuple[int, ...]) -> Floats:
        """Directions that all operands move along together: all the same way, signs, anything."""
        signs = self.random.choice([-1.0, 1.0], (DIRECTIONS, *shape))
        anything = _sixteenths(self.random, (DIRECTIONS, *shape))
        return np.concatenate([np.ones((1, *shape)), signs, anything])

    # ---- one sum ----

    def _overwritten(self, node: int, arrived: Sequence[Sent]) -> Iterator[WrongEdge]:
        """Whether a node holds something else than the sum of what arrived."""
        adjoint = self.adjoints[node]
        if adjoint is None:
            return
        shape = self.graph.shape(node)
        held = self.ledger.buffers.get(node, 0.0) + float(node == self.ledger.output)
        total = sum((sent.total for sent in arrived), start=np.zeros(shape) + held)
        weight = sum((sent.weight for sent in arrived), start=np.zeros(shape) + np.abs(held))
        off = np.abs(adjoint - total) > SUM_ROUNDINGS * self.epsilon * weight
        if np.all(np.isfinite(total)) and np.any(off):
            yield WrongEdge(node, node, "overwritten", _as_value(total), adjoint, None)


def _rescaled(value: Value, upstream: Value, adjoint: Array) -> float:
    """What a contribution would have been with the final adjoint."""
    return float(value) * (float(adjoint) / float(upstream) if upstream else 1.0)


def _sixteenths(random: np.random.Generator, shape: tuple[int, ...]) -> Floats:
    """Random numbers with few digits: their products with a power of two are exact."""
    return random.integers(-32, 33, shape) / 16.0


def _as_value(array: Array) -> Value:
    return array if array.ndim else float(array)
