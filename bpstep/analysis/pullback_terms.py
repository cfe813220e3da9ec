"""The products that rules without an elementwise form sum up: one function an operation.

A rule that has none here is opened by pushing unit gradients through it, which is right for any.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from bpstep.analysis.elements import Index
from bpstep.analysis.products import (
    Factor,
    Place,
    Products,
    feeding,
    nothing,
    raveled,
    single,
    unraveled,
    within,
)
from bpstep.engine.arithmetic import Array
from bpstep.engine.rules import Edge, read
from bpstep.engine.tensors import last_axis, reduced_axes, unbroadcast

MOST_PUSHED = 500
"""So many unit gradients are pushed through a rule, for the largest upstream gradients first."""

Open = Callable[[Edge, Array, Index], Products]


def _matmul(edge: Edge, upstream: Array, index: Index) -> Products:
    """Σ G·B along a row of G for A, Σ A·G along a column for B, over every batch it went into."""
    graph = edge.graph
    operands = graph.operands(edge.source)
    shapes = [graph.shape(i) for i in operands]
    mine, other = edge.operand, 1 - edge.operand
    batch = np.broadcast_shapes(shapes[0][:-2], shapes[1][:-2])
    matrices = _matrices(index, shapes[mine], mine)
    first, sub = feeding(batch, shapes[mine][:-2], index[:-2])
    window: tuple[Any, ...] = tuple(slice(i, i + n) for i, n in zip(first, sub, strict=True))
    factors = _as_matrix(np.asarray(graph.values[operands[other]]), other)
    factors = np.broadcast_to(factors, batch + factors.shape[-2:])
    grads = np.reshape(upstream, (*batch, *_sizes(shapes)))
    row, column = matrices
    if mine == 0:
        up, down = grads[(*window, row)], factors[(*window, column)]
    else:
        up, down = grads[(*window, slice(None), column)], factors[(*window, slice(None), row)]

    def place(position: Index) -> tuple[Index, Factor]:
        *batches, n = position
        there = tuple(i + k for i, k in zip(first, batches, strict=True))
        sent = (row, n) if mine == 0 else (n, column)
        read_at = (column, n) if mine == 0 else (n, row)
        found = _unmatrix(there, read_at, shapes[other], other)
        at = Place("ab"[other], graph.label(operands[other]), found)
        kept = [k for k, shape in zip(sent, shapes, strict=True) if len(shape) > 1]
        return (*there, *kept), Factor(f"{{{at.name}}}", (at,))

    up, down = up.ravel(), down.ravel()
    return Products((*sub, _sizes(shapes)[1 - mine]), up, down, up * down, place)


def _sizes(shapes: list[tuple[int, ...]]) -> tuple[int, int]:
    """Rows and columns of a matrix product, a vector being one row or one column."""
    left, right = shapes
    return (left[-2] if len(left) > 1 else 1), (right[-1] if len(right) > 1 else 1)


def _as_matrix(value: Array, position: int) -> Array:
    if value.ndim > 1:
        return value
    return value[None, :] if position == 0 else value[:, None]


def _matrices(index: Index, shape: tuple[int, ...], position: int) -> tuple[int, int]:
    """Row and column of an element in its matrix, a vector being one row or one column."""
    if len(shape) > 1:
        return index[-2], index[-1]
    return (0, index[0]) if position == 0 else (index[0], 0)


def _unmatrix(batch: Index, place: tuple[int, int], shape: tuple[int, ...], position: int) -> Index:
    """The index of an operand's element at a batch of the result, and a row and column."""
    if len(shape) == 1:
        return (place[1 - position],)
    return (*within(batch, shape[:-2]), *place)


def _transpose(edge: Edge, upstream: Array, index: Index) -> Products:
    return single(upstream, index[::-1])


def _reshape(edge: Edge, upstream: Array, index: Index) -> Products:
    place = raveled(index, edge.graph.shape(edge.target))
    return single(upstream, unraveled(place, upstream.shape))


def _concat(edge: Edge, upstream: Array, index: Index) -> Products:
    graph = edge.graph
    axis = graph.keywords(edge.source)["axis"] % len(index)
    before = graph.operands(edge.source)[: edge.operand]
    start = sum(graph.shape(i)[axis] for i in before)
    return single(upstream, (*index[:axis], index[axis] + start, *index[axis + 1 :]))


def _index(edge: Edge, upstream: Array, index: Index) -> Products:
    chosen = edge.graph.keywords(edge.source)["index"]
    shape = edge.graph.shape(edge.target)
    wanted = tuple(i % n for i, n in zip(chosen, shape, strict=False))
    if index[: len(wanted)] != wanted:
        return nothing(upstream)
    return single(upstream, index[len(wanted) :])


def _softmax(edge: Edge, upstream: Array, index: Index) -> Products:
    """∂y_i/∂x_j = y_i·(δ_ij − y_j)."""

    def slope(y: Array, mine: float, own: Array) -> Array:
        return np.asarray(y * np.where(own, 1 - mine, -mine))

    return _normalised(edge, upstream, index, slope, ("{y}*(1-{y})", "-{y}*{t}"))


def _log_softmax(edge: Edge, upstream: Array, index: Index) -> Products:
    """∂y_i/∂x_j = δ_ij − exp(y_j)."""

    def slope(y: Array, mine: float, own: Array) -> Array:
        share = np.exp(mine)
        return np.asarray(np.where(own, 1 - share, -share), dtype=y.dtype)

    return _normalised(edge, upstream, index, slope, ("1-exp({t})", "-exp({t})"))


def _normalised(
    edge: Edge,
    upstream: Array,
    index: Index,
    slope: Callable[[Array, Any, Array], Array],
    formulas: tuple[str, str],
) -> Products:
    """Every element of the group that is normalised together, each reading this one."""
    graph = edge.graph
    label, y = graph.label(edge.source), np.asarray(graph.values[edge.source])
    axes = reduced_axes(last_axis(y, graph.keywords(edge.source)["axis"]), y.ndim)
    first = tuple(0 if k in axes else i for k, i in enumerate(index))
    sub = tuple(n if k in axes else 1 for k, n in enumerate(y.shape))
    window = tuple(slice(i, i + n) for i, n in zip(first, sub, strict=True))
    up, group = upstream[window].ravel(), y[window].ravel()
    mine = raveled(tuple(i - k for i, k in zip(index, first, strict=True)), sub)
    down = slope(group, group[mine], np.arange(len(group)) == mine)

    def place(position: Index) -> tuple[Index, Factor]:
        there = tuple(i + k for i, k in zip(first, position, strict=True))
        formula = formulas[there != index]
        places = (Place("y", label, there), Place("t", label, index))
        named = tuple(p for p in places if f"{{{p.name}}}" in formula)
        return there, Factor(formula, named)

    return Products(sub, up, down, up * down, place)


PULLBACKS: Mapping[str, Open] = {
    "matmul": _matmul,
    "softmax": _softmax,
    "log_softmax": _log_softmax,
    "transpose": _transpose,
    "reshape": _reshape,
    "concat": _concat,
    "index": _index,
}


def pushed(
    edge: Edge, upstream: Array, index: Index, pull: Callable[[Array], Any] | None = None
) -> Products:
    """A column of the Jacobian, from one unit gradient after the other through the pullback.

    Exact for any rule, for a pullback is linear in the upstream gradient. Beyond MOST_PUSHED
    elements what the others come to is the difference from the whole.
    """
    through = pull or _pullback(edge)
    flat = upstream.ravel()
    size = np.where(np.isfinite(flat), np.abs(flat), np.inf)
    chosen = np.sort(np.argsort(-size, kind="stable")[:MOST_PUSHED])
    local = np.array([_local(through, upstream, k, index) for k in chosen], dtype=upstream.dtype)
    up = flat[chosen]
    value = up * local
    left = len(flat) - len(chosen)
    whole = float(np.asarray(through(upstream))[index]) if left else 0.0

    def place(position: Index) -> tuple[Index, Factor]:
        return unraveled(int(chosen[position[0]]), upstream.shape), Factor("")

    rest = whole - float(value.sum()) if left else 0.0
    return Products((len(chosen),), up, local, value, place, left, rest)


def _local(through: Callable[[Array], Any], upstream: Array, k: int, index: Index) -> float:
    unit = np.zeros_like(upstream)
    unit.flat[k] = 1
    return float(np.asarray(through(unit))[index])


def _pullback(edge: Edge) -> Callable[[Array], Any]:
    given = read(edge, edge.rule.reads)
    shape = edge.graph.shape(edge.target)

    def pull(g: Array) -> Any:
        return unbroadcast(edge.rule.function(**{**given, "g": g}), shape)

    return pull
