"""One contribution element by element: which products were zero, and by which of their factors.

An element of a contribution is a sum of products, upstream gradient times local derivative, over
the consumer's elements that read it. Only which of them are zero is worked out here, so matrix
products and broadcasting are followed with masks and no Jacobian is formed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from bpstep.analysis.flat import Flat, Reason, flats
from bpstep.engine.arithmetic import Array, Value
from bpstep.engine.rules import Edge, local_derivative, read, spread_factors
from bpstep.engine.tensors import last_axis, reduced_axes, unbroadcast


@dataclass(frozen=True, eq=False)
class Terms:
    """What the products into some elements of a receiver are.

    ``fed``: elements that any product goes into. ``live``: one of them is not zero. ``killed``:
    one is zero, and the upstream gradient is not, sorted by reason. These masks have the
    receiver's shape. ``awaiting`` has the consumer's: elements whose zero gradient is all that
    keeps something from arriving, so that the reason lies nearer the output.
    """

    fed: Array
    live: Array
    killed: tuple[Flat, ...]
    awaiting: Array


def terms(edge: Edge, upstream: Value, wanted: Array) -> Terms:
    """Split the contribution of an edge; ``wanted`` marks elements in the receiver's shape."""
    with np.errstate(all="ignore"):
        if edge.rule.form == "local":
            return _local(edge, np.asarray(upstream), wanted)
        if edge.rule.form == "spread":
            return _spread(edge, upstream, wanted)
        split = _PULLBACKS.get(edge.operation.name, _whole)
        return split(edge, np.asarray(upstream), wanted)


def _local(edge: Edge, upstream: Array, wanted: Array) -> Terms:
    shape, target = edge.graph.shape(edge.source), wanted.shape
    asked = np.broadcast_to(wanted, shape)
    slope = np.broadcast_to(np.asarray(local_derivative(edge), edge.graph.dtype), shape)

    def back(mask: Array) -> Array:
        return np.asarray(unbroadcast(mask.astype(float), target)) > 0

    parts = _Products.of(edge, upstream, slope, asked)
    rest = asked & ~np.broadcast_to(back(parts.explained), shape)
    killed = tuple(Flat(f.reason, f.culprit, back(f.mask)) for f in parts.killed)
    return Terms(wanted, back(parts.live), killed, parts.awaiting | rest)


def _spread(edge: Edge, upstream: Value, wanted: Array) -> Terms:
    keywords = edge.graph.keywords(edge.source)
    raised, slope = spread_factors(edge, upstream, local_derivative(edge))
    shape = wanted.shape
    parts = _Products.of(
        edge, np.broadcast_to(raised, shape), np.broadcast_to(slope, shape), wanted
    )
    rest = wanted & ~parts.explained
    axes = reduced_axes(keywords.get("axis"), wanted.ndim)
    gathered = np.any(parts.awaiting | rest, axis=axes, keepdims=keywords.get("keepdims", False))
    return Terms(wanted, parts.live, parts.killed, np.asarray(gathered))


@dataclass(frozen=True, eq=False)
class _Products:
    """Elementwise products sorted: those not zero, killed here, and zero by the upstream alone."""

    live: Array
    killed: tuple[Flat, ...]
    awaiting: Array

    @classmethod
    def of(cls, edge: Edge, upstream: Array, slope: Array, asked: Array) -> _Products:
        arrived, flat = asked & (upstream != 0), np.equal(slope, 0)
        product = np.asarray(upstream * slope, edge.graph.dtype)
        lost = arrived & ~flat & (product == 0)
        killed = list(flats(edge, arrived & flat))
        if lost.any():
            killed.append(Flat("underflow", None, lost))
        return cls(arrived & ~flat & ~lost, tuple(killed), asked & ~arrived & ~flat)

    @property
    def explained(self) -> Array:
        """The products that say something; the others are zero by both factors."""
        found = self.live | self.awaiting
        for flat in self.killed:
            found = found | flat.mask
        return found


# ---- rules without an elementwise form ----


def _matmul(edge: Edge, upstream: Array, wanted: Array) -> Terms:
    """Matrix products of masks: how many products of each kind go into an element."""
    other = "b" if edge.operand == 0 else "a"
    given = read(edge, edge.rule.reads)
    factor = np.asarray(given[other])
    arrived = upstream != 0

    def count(g: Array, factors: Array) -> Array:
        return np.asarray(
            edge.rule.function(**{**given, "g": g.astype(float), other: factors.astype(float)})
        )

    def read_by(mask: Array, factors: Array) -> Array:
        pair = (mask, factors) if edge.operand == 0 else (factors, mask)
        return np.asarray(np.matmul(*(x.astype(float) for x in pair)) > 0)

    killed = wanted & (count(arrived, factor == 0) > 0)
    both = wanted & (count(arrived, factor != 0) > 0)
    lost = both & (count(np.abs(upstream), np.abs(factor)) == 0)
    awaited = wanted & (count(~arrived, factor != 0) > 0)
    rest = wanted & ~(killed | both | awaited)
    awaiting = read_by(wanted, factor != 0) | read_by(rest, np.ones_like(factor))
    kinds = (Flat("zero-factor", 1 - edge.operand, killed), Flat("underflow", None, lost))
    return Terms(wanted, both & ~lost, _present(kinds), awaiting & ~arrived)


def _softmax(edge: Edge, upstream: Array, wanted: Array) -> Terms:
    return _normalised(edge, upstream, wanted, np.asarray(edge.graph.values[edge.source]), True)


def _log_softmax(edge: Edge, upstream: Array, wanted: Array) -> Terms:
    shares = np.exp(np.asarray(edge.graph.values[edge.source]))
    return _normalised(edge, upstream, wanted, shares, False)


def _normalised(edge: Edge, upstream: Array, wanted: Array, shares: Array, weighted: bool) -> Terms:
    """A group is taken as one: only where nothing arrives at any of it the reason lies before.

    ``weighted``: what comes from the other elements is multiplied by their shares too (softmax).
    """
    axis = last_axis(shares, edge.graph.keywords(edge.source)["axis"])
    arrived = upstream != 0
    sends = arrived & (shares != 0) if weighted else arrived
    others = np.sum(sends, axis=axis, keepdims=True) - sends > 0
    own = arrived & (shares != 1) & ((shares != 0) if weighted else np.bool_(True))
    live = wanted & (own | (others & (shares != 0)))
    reached = np.any(arrived, axis=axis, keepdims=True)
    alone = reduced_group(shares.shape, axis) == 1
    killed = wanted & reached & ~live
    reason: Reason = "blocked" if alone else "saturated"
    silent = np.any(wanted, axis=axis, keepdims=True) & ~reached
    kinds = _present((Flat(reason, edge.operand, killed),))
    return Terms(wanted, live, kinds, np.broadcast_to(silent, wanted.shape))


def reduced_group(shape: tuple[int, ...], axis: Any) -> int:
    """How many elements are normalised together."""
    return int(np.prod([shape[i] for i in reduced_axes(axis, len(shape))], dtype=int))


def _rearranged(edge: Edge, upstream: Array, wanted: Array) -> Terms:
    """Elements moved to other places: some of the operand's may have none in the result."""
    graph = edge.graph
    given = read(edge, edge.rule.reads)
    arrived = np.asarray(edge.rule.function(**{**given, "g": (upstream != 0).astype(float)})) > 0
    fed = np.asarray(edge.rule.function(**{**given, "g": np.ones(upstream.shape)})) > 0
    masks = [np.zeros(graph.shape(i)) for i in graph.operands(edge.source)]
    masks[edge.operand] = (wanted & fed & ~arrived).astype(float)
    awaiting = edge.operation.forward(*masks, **graph.keywords(edge.source))
    return Terms(wanted & fed, wanted & arrived, (), np.asarray(awaiting) > 0)


def _whole(edge: Edge, upstream: Array, wanted: Array) -> Terms:
    """Any other rule: every element is taken to be read by every one."""
    nothing = np.zeros_like(wanted)
    if not np.any(upstream != 0):
        return Terms(wanted, nothing, (), np.ones(upstream.shape, dtype=bool))
    return Terms(wanted, nothing, (Flat("saturated", edge.operand, wanted),), upstream != upstream)


def _present(kinds: tuple[Flat, ...]) -> tuple[Flat, ...]:
    return tuple(flat for flat in kinds if flat.mask.any())


_PULLBACKS: Mapping[str, Callable[[Edge, Array, Array], Terms]] = {
    "matmul": _matmul,
    "softmax": _softmax,
    "log_softmax": _log_softmax,
    "transpose": _rearranged,
    "reshape": _rearranged,
    "concat": _rearranged,
    "index": _rearranged,
}
