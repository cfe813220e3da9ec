"""Zeros followed back toward the output, through what is zero as well, and no further.

Each contribution is looked at once, so graphs with exponentially many paths take no longer than
others; of tensors, the elements that matter are followed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from bpstep.analysis.causes import Cause, at, cut, reasons_of
from bpstep.analysis.elements import Index
from bpstep.analysis.flat import Flat, Reason
from bpstep.analysis.progress import breathing
from bpstep.analysis.reach import Reach
from bpstep.analysis.terms import terms
from bpstep.engine.arithmetic import Array
from bpstep.engine.graph import Graph
from bpstep.engine.ledger import Ledger
from bpstep.engine.reverse import DETACH, reverse
from bpstep.engine.rules import Edge

ONE_BY_ONE = 24
"""Of a tensor with at most so many zeros, each is explained; of another only all together."""

_ONE: Array = np.ones((), dtype=bool)


def mask_of(shape: tuple[int, ...], elements: Iterable[Index] | None) -> Array:
    """Which elements of a shape are meant: None for all."""
    mask = np.full(shape, elements is None)
    for index in elements or ():
        mask[index] = True
    return mask


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


class ZeroSearch:
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
        for k in breathing(range(len(self._targets) - 1, -1, -1)):
            if self._targets[k] in walk.pending:
                self._look(walk, k)
        causes = [*walk.causes, *self._sums(walk), *self._unfed(walk), *self._cuts(wanted)]
        return tuple(sorted(causes, key=lambda it: (it.distance, it.step or 0)))

    def one_by_one(self, wanted: Array) -> Iterator[tuple[Index, tuple[Reason, ...]]]:
        """The reasons of each zero element, where a tensor has only a few."""
        if wanted.ndim == 0 or wanted.sum() > ONE_BY_ONE:
            return
        for index in zip(*(axis.tolist() for axis in np.nonzero(wanted)), strict=True):
            yield index, reasons_of(self.causes(mask_of(wanted.shape, [index])))

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
        operands = self.graph.operands(edge.source)
        factor = None if flat.culprit is None else operands[flat.culprit]
        return Cause(
            reason=flat.reason,
            node=self.graph.label(edge.source),
            receiver=self.graph.label(edge.target),
            distance=(self._reach.depth[edge.source] or 0) + 1,
            operation=edge.operation.name,
            step=step,
            operand=edge.operand,
            culprit=flat.culprit,
            factor=None if factor is None else self.graph.label(factor),
            value=None if factor is None else self.graph.values[factor],
            convention=self.ledger.convention(step) if flat.reason == "kink" else None,
            elements=int(flat.mask.sum()),
        )

    def _sums(self, walk: _Walk) -> Iterator[Cause]:
        """Nodes at which contributions, or products inside one, sum to zero."""
        for node, mask in walk.cancelled.items():
            done, depth = self.ledger.completion(node), self._reach.depth[node] or 0
            yield at("cancelled", self.graph, node, node, depth, done, int(mask.sum()))

    def _unfed(self, walk: _Walk) -> Iterator[Cause]:
        """Elements that nobody reads on the way from the output."""
        for node, mask in walk.pending.items():
            left = mask & ~walk.fed[node] if node in walk.fed else mask
            if left.any():
                depth = self._reach.depth[node] or 0
                yield at("no-path", self.graph, node, node, depth, None, int(left.sum()))

    def _cuts(self, wanted: Array) -> Iterator[Cause]:
        """Detaches but for which something would arrive."""
        if self._opened is None:
            return
        missed = self._opened.grad(self.node)
        lost = wanted & np.not_equal(0.0 if missed is None else missed, 0)
        if not lost.any():
            return
        brought = {it.through for it in self.ledger.ghosts() if np.any(np.not_equal(it.value, 0))}
        for detach in self._reach.cuts(self.node):
            if detach in brought:
                yield replace(cut(self._reach, detach), elements=int(lost.sum()))

    @cached_property
    def _opened(self) -> Ledger | None:
        """The pass with every detach opened; None where the tape has none."""
        if not (self.graph.columns().code == DETACH).any():
            return None
        return reverse(self.graph, self.ledger.output, open_detach=True)
