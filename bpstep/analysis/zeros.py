"""Why a gradient is zero: the places where it becomes so, nearest the output first.

A zero is followed back toward the output through what is zero as well, and no further: the
reasons are those without which something would arrive. Each contribution is looked at once, so
graphs with exponentially many paths take no longer than others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from bpstep.analysis.elements import Index
from bpstep.analysis.flat import Flat, Reason
from bpstep.analysis.reach import Reach
from bpstep.analysis.terms import terms
from bpstep.engine.arithmetic import Array, Value
from bpstep.engine.graph import Graph
from bpstep.engine.ledger import ConventionUse, Ledger
from bpstep.engine.reverse import DETACH, reverse
from bpstep.engine.rules import Edge

_ONE: Array = np.ones((), dtype=bool)

ONE_BY_ONE = 24
"""Of a tensor with at most so many zeros, each is explained; of another only all together."""


@dataclass(frozen=True, eq=False)
class Cause:
    """One place at which a gradient becomes zero.

    ``node`` is the operation that sends zero on (``cancelled``: the node at which contributions
    sum to zero; ``detached``: the detach; ``no-path``, ``frozen``: the node without a gradient),
    ``receiver`` the operand that gets it at ``step`` of the pass, ``elements`` how many of the
    receiver's. ``factor`` is the node whose value makes the derivative zero. ``distance`` counts
    edges from the output to the place where the gradient is zero first.
    """

    reason: Reason
    node: int
    receiver: int
    distance: int
    step: int | None = None
    operand: int | None = None
    factor: int | None = None
    convention: ConventionUse | None = None
    elements: int = 1


@dataclass(frozen=True, eq=False)
class ZeroGradient:
    """The zeros in a node's gradient, and why they are.

    ``zeros`` of ``size`` elements are zero, where ``gradient`` is None all of them. ``causes`` come
    nearest the output first. ``elements`` has the reasons of each zero element by itself, where
    there are a few. No cause at all says that the reverse pass itself is wrong.
    """

    node: int
    gradient: Value | None
    zeros: int
    size: int
    causes: tuple[Cause, ...]
    elements: tuple[tuple[Index, tuple[Reason, ...]], ...] = ()

    @property
    def reasons(self) -> tuple[Reason, ...]:
        """Each reason once, the one nearest the output first."""
        return _reasons(self.causes)


def zero_gradient(
    ledger: Ledger, node: int, elements: Iterable[Index] | None = None
) -> ZeroGradient | None:
    """Why a node's gradient is zero; None where no element of it is.

    ``elements`` narrows the question to some elements. The gradient is what the node holds after
    the pass, an older buffer included.
    """
    gradient, shape = ledger.grad(node), ledger.graph.shape(node)
    asked = _mask(shape, elements)
    if gradient is None:
        causes = _unrecorded(ledger, node)
        return ZeroGradient(node, None, int(asked.sum()), int(asked.sum()), causes)
    wanted = asked & np.equal(gradient, 0)
    if not wanted.any():
        return None
    search = _Search(ledger, node)
    return ZeroGradient(
        node,
        gradient,
        int(wanted.sum()),
        int(asked.sum()),
        search.causes(wanted),
        tuple(search.one_by_one(wanted)),
    )


def zero_causes(ledger: Ledger, node: int, wanted: Array) -> tuple[Cause, ...]:
    """The causes of a zero gradient at the elements of a mask, nearest the output first."""
    return _Search(ledger, node).causes(wanted)


def _mask(shape: tuple[int, ...], elements: Iterable[Index] | None) -> Array:
    mask = np.full(shape, elements is None)
    for index in elements or ():
        mask[index] = True
    return mask


def _reasons(causes: Iterable[Cause]) -> tuple[Reason, ...]:
    return tuple(dict.fromkeys(cause.reason for cause in causes))


# ---- nothing arrives at all ----


def _unrecorded(ledger: Ledger, node: int) -> tuple[Cause, ...]:
    """Why a node has no gradient: no path, cut by detaches, or nothing is recorded for it."""
    graph, reach = ledger.graph, Reach.of(ledger.graph, ledger.output)
    if not reach.reached(node):
        return (Cause("no-path", node, node, 0),)
    depth = reach.depth[node] or 0
    below = reach.detached_below(node)
    if graph.requires_grad(node):
        # An open way that nothing came along is a fault of the reverse pass.
        cuts = () if reach.open[node] else reach.cuts(node)
        return tuple(_cut(reach, cut) for cut in cuts)
    if graph.operation(node) is not None and below:
        return tuple(Cause("detached", cut, node, depth) for cut in below)
    return (Cause("frozen", node, node, depth),)


def _cut(reach: Reach, cut: int) -> Cause:
    (receiver,) = reach.graph.operands(cut)
    return Cause("detached", cut, receiver, (reach.depth[cut] or 0) + 1)


# ---- something arrives, and it is zero ----


@dataclass(eq=False)
class _Walk:
    """Zeros on the way back to the output: elements still to be explained, and causes found."""

    pending: dict[int, Array]
    fed: dict[int, Array] = field(default_factory=dict)
    cancelled: dict[int, Array] = field(default_factory=dict)
    causes: list[Cause] = field(default_factory=list)

    def add(self, found: dict[int, Array], node: int, mask: Array) -> None:
        """Mark more elements of a node."""
        if mask is _ONE or mask.any():
            found[node] = found[node] | mask if node in found else mask


class _Search:
    """The causes of zeros in one node's gradient."""

    def __init__(self, ledger: Ledger, node: int) -> None:
        self.ledger = ledger
        self.graph: Graph = ledger.graph
        self.node = node
        self._targets: list[int] = ledger.targets.tolist()
        self._sources: list[int] = ledger.sources.tolist()

    @cached_property
    def _reach(self) -> Reach:
        return Reach.of(self.graph, self.ledger.output)

    def causes(self, wanted: Array) -> tuple[Cause, ...]:
        """Every cause of the zeros at the elements of a mask, nearest the output first."""
        walk = _Walk({self.node: wanted})
        self._start(walk, wanted)
        # Whatever a node sends is sent after all that it receives: backwards, the elements of a
        # node to be explained are complete before its own contributions are looked at.
        for k in range(len(self._targets) - 1, -1, -1):
            if self._targets[k] in walk.pending:
                self._look(walk, k)
        causes = [*walk.causes, *self._sums(walk), *self._unfed(walk), *self._cuts(wanted)]
        return tuple(sorted(causes, key=lambda it: (it.distance, it.step or 0, -it.node)))

    def one_by_one(self, wanted: Array) -> Iterator[tuple[Index, tuple[Reason, ...]]]:
        """The reasons of each zero element, where a tensor has only a few."""
        if wanted.ndim == 0 or wanted.sum() > ONE_BY_ONE:
            return
        for index in zip(*(axis.tolist() for axis in np.nonzero(wanted)), strict=True):
            yield index, _reasons(self.causes(_mask(wanted.shape, [index])))

    def _start(self, walk: _Walk, wanted: Array) -> None:
        """A buffer of an earlier pass is one more contribution to the sum."""
        buffer = self.ledger.buffers.get(self.node)
        if buffer is not None:
            walk.add(walk.cancelled, self.node, wanted & np.not_equal(buffer, 0))

    def _look(self, walk: _Walk, k: int) -> None:
        """One contribution into a node whose zero is to be explained."""
        source, target = self._sources[k], self._targets[k]
        wanted = walk.pending[target]
        upstream, value = self.ledger.upstream(k + 2), self.ledger.value(k + 2)
        edge = Edge(self.graph, source, int(self.ledger.operands[k]), target)
        if type(upstream) is float and type(value) is float:
            self._look_at_number(walk, edge, k + 2, upstream, value)
            return
        found = terms(edge, upstream, wanted)
        walk.add(walk.fed, target, found.fed)
        walk.add(walk.cancelled, target, found.live)
        walk.add(walk.pending, source, found.awaiting)
        walk.causes += [self._cause(edge, flat, k + 2) for flat in found.killed]

    def _look_at_number(
        self, walk: _Walk, edge: Edge, step: int, upstream: float, value: float
    ) -> None:
        """The same from number to number, where there is one product, and it was recorded."""
        walk.add(walk.fed, edge.target, _ONE)
        if value != 0:
            walk.add(walk.cancelled, edge.target, _ONE)
        elif upstream == 0:
            walk.add(walk.pending, edge.source, _ONE)
        else:
            killed = terms(edge, upstream, _ONE).killed
            walk.causes += [self._cause(edge, flat, step) for flat in killed]

    def _cause(self, edge: Edge, flat: Flat, step: int) -> Cause:
        """A derivative that is zero, or a product that left the range, at one contribution."""
        factor = None if flat.culprit is None else self.graph.operands(edge.source)[flat.culprit]
        return Cause(
            reason=flat.reason,
            node=edge.source,
            receiver=edge.target,
            distance=(self._reach.depth[edge.source] or 0) + 1,
            step=step,
            operand=edge.operand,
            factor=factor,
            convention=self.ledger.convention(step) if flat.reason == "kink" else None,
            elements=int(flat.mask.sum()),
        )

    def _sums(self, walk: _Walk) -> Iterator[Cause]:
        """Nodes at which contributions, or products inside one, sum to zero."""
        for node, mask in walk.cancelled.items():
            done, depth = self.ledger.completion(node), self._reach.depth[node] or 0
            yield Cause("cancelled", node, node, depth, done, elements=int(mask.sum()))

    def _unfed(self, walk: _Walk) -> Iterator[Cause]:
        """Elements that nobody reads on the way from the output."""
        for node, mask in walk.pending.items():
            left = mask & ~walk.fed[node] if node in walk.fed else mask
            if left.any():
                depth = self._reach.depth[node] or 0
                yield Cause("no-path", node, node, depth, elements=int(left.sum()))

    def _cuts(self, wanted: Array) -> Iterator[Cause]:
        """Detaches but for which something would arrive."""
        if self._opened is None:
            return
        missed = self._opened.grad(self.node)
        lost = wanted & np.not_equal(0.0 if missed is None else missed, 0)
        if not lost.any():
            return
        brought = {it.through for it in self.ledger.ghosts() if np.any(np.not_equal(it.value, 0))}
        for cut in self._reach.cuts(self.node):
            if cut in brought:
                yield replace(_cut(self._reach, cut), elements=int(lost.sum()))

    @cached_property
    def _opened(self) -> Ledger | None:
        """The pass with every detach opened; None where the tape has none."""
        if not (self.graph.columns().code == DETACH).any():
            return None
        return reverse(self.graph, self.ledger.output, open_detach=True)
