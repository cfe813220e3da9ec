"""One element of a node's value opened into what it was computed from.

For a matrix product the products that are summed, for a sum or a mean the addends, for anything
else the operands' elements that it reads.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from bpstep.analysis.elements import Index, element
from bpstep.analysis.products import Place, raveled, unraveled, within
from bpstep.engine.graph import Graph
from bpstep.engine.tensors import last_axis, reduced_axes

MOST_READ = 200
"""So many terms of a value are given, in order."""

Form = Literal["leaf", "products", "addends", "operands", "read"]
Read = tuple[tuple[int, Index], ...]
"""Operand positions, and the elements of them, that make one term."""


@dataclass(frozen=True)
class ValueTerm:
    """One addend, the product of its ``factors``; of other operations one element that is read."""

    places: tuple[Place, ...]
    factors: tuple[float, ...]
    value: float


@dataclass(frozen=True, eq=False)
class ValueTerms:
    """How one element of a value came about.

    ``form``: a ``leaf`` was given; ``products`` and ``addends`` are summed (and divided by
    ``divisor``, for a mean); of an elementwise operation there is an element of each of its
    ``operands``; other operations have ``read`` the elements that are given.
    ``count`` is the number of all terms, of which the first MOST_READ are given. ``corners`` are
    as those of a contribution.
    """

    node: int
    index: Index
    value: float
    op: str
    form: Form
    terms: tuple[ValueTerm, ...]
    count: int
    divisor: float
    corners: tuple[ValueTerm, ...]


@dataclass(frozen=True, eq=False)
class _Reads:
    """What makes an element: a term for each position in ``sub``."""

    form: Form
    sub: tuple[int, ...]
    at: Callable[[Index], Read]

    @property
    def count(self) -> int:
        return int(np.prod(self.sub, dtype=int))

    def first(self, limit: int) -> Iterator[Read]:
        return (self.at(unraveled(k, self.sub)) for k in range(min(limit, self.count)))

    def corners(self) -> Iterator[Read]:
        if self.count:
            ends = [
                tuple((n - 1) * (k == j) for j, n in enumerate(self.sub))
                for k in range(len(self.sub))
            ]
            start = (0,) * len(self.sub)
            yield from (self.at(index) for index in dict.fromkeys([start, *ends]))


def value_terms(graph: Graph, node: int, index: Index, limit: int = MOST_READ) -> ValueTerms:
    """What one element of a node's value was computed from; ``index`` is in its shape."""
    operation = graph.operation(node)
    value = element(graph.recorded(node), index)
    if operation is None:
        return ValueTerms(node, index, value, "", "leaf", (), 0, 1.0, ())
    reads = _reads(graph, node, index)
    mean = operation.name == "mean"
    return ValueTerms(
        node=node,
        index=index,
        value=value,
        op=operation.name,
        form=reads.form,
        terms=tuple(_term(graph, node, read) for read in reads.first(limit)),
        count=reads.count,
        divisor=float(reads.count) if mean else 1.0,
        corners=tuple(_term(graph, node, read) for read in reads.corners()),
    )


def _term(graph: Graph, node: int, read: Read) -> ValueTerm:
    operands = graph.operands(node)
    names = [f"{'abc'[k]}" if k < 3 else f"x{k}" for k, _ in read]
    places = tuple(
        Place(name, graph.label(operands[k]), index)
        for name, (k, index) in zip(names, read, strict=True)
    )
    factors = tuple(element(graph.recorded(operands[k]), index) for k, index in read)
    with np.errstate(all="ignore"):
        value = float(np.prod(np.array(factors, dtype=graph.dtype)))
    return ValueTerm(places, factors, value)


def _reads(graph: Graph, node: int, index: Index) -> _Reads:
    operation = graph.operation(node)
    assert operation is not None, "a leaf is computed from nothing"
    shapes = [graph.shape(i) for i in graph.operands(node)]
    found = _READS.get(operation.name)
    if found is not None:
        return found(graph, node, shapes, index)
    if np.broadcast_shapes(*shapes) == graph.shape(node):
        return _elementwise(shapes, index)
    return _whole(shapes)


def _elementwise(shapes: Sequence[tuple[int, ...]], index: Index) -> _Reads:
    """An element of each operand, where broadcasting puts it."""
    return _Reads("operands", (len(shapes),), lambda at: ((at[0], within(index, shapes[at[0]])),))


def _whole(shapes: Sequence[tuple[int, ...]]) -> _Reads:
    """Every element of the first operand."""
    return _Reads("read", shapes[0], lambda at: ((0, at),))


def _group(form: Form) -> Callable[..., _Reads]:
    """The elements that a reduction, or a normalisation, takes together."""

    def reads(graph: Graph, node: int, shapes: Sequence[tuple[int, ...]], index: Index) -> _Reads:
        keywords, shape = graph.keywords(node), shapes[0]
        axis = keywords.get("axis")
        kept = keywords.get("keepdims", False) or graph.shape(node) == shape
        if shape == ():
            return _Reads(form, (), lambda at: ((0, ()),))
        operand = graph.recorded(graph.operands(node)[0])
        axes = reduced_axes(last_axis(operand, axis), len(shape))
        fixed = iter(index)
        full = [next(fixed) if kept or k not in axes else 0 for k in range(len(shape))]
        first = tuple(0 if k in axes else i for k, i in enumerate(full))
        sub = tuple(n if k in axes else 1 for k, n in enumerate(shape))
        return _Reads(form, sub, lambda at: ((0, _moved(first, at)),))

    return reads


def _moved(first: Index, at: Index) -> Index:
    return tuple(i + k for i, k in zip(first, at, strict=True))


def _matmul(graph: Graph, node: int, shapes: Sequence[tuple[int, ...]], index: Index) -> _Reads:
    left, right = shapes
    axes = list(index)
    column = axes.pop() if len(right) > 1 else None
    row = axes.pop() if len(left) > 1 else None
    batch = tuple(axes)

    def at(place: Index) -> Read:
        k = place[0]
        a = (k,) if row is None else (*within(batch, left[:-2]), row, k)
        b = (k,) if column is None else (*within(batch, right[:-2]), k, column)
        return (0, a), (1, b)

    return _Reads("products", (left[-1],), at)


def _dot(graph: Graph, node: int, shapes: Sequence[tuple[int, ...]], index: Index) -> _Reads:
    return _Reads("products", shapes[0], lambda at: ((0, at), (1, at)))


def _one(operand: int, index: Index) -> _Reads:
    return _Reads("read", (), lambda at: ((operand, index),))


def _transpose(graph: Graph, node: int, shapes: Sequence[tuple[int, ...]], index: Index) -> _Reads:
    return _one(0, index[::-1])


def _reshape(graph: Graph, node: int, shapes: Sequence[tuple[int, ...]], index: Index) -> _Reads:
    return _one(0, unraveled(raveled(index, graph.shape(node)), shapes[0]))


def _index(graph: Graph, node: int, shapes: Sequence[tuple[int, ...]], index: Index) -> _Reads:
    chosen = graph.keywords(node)["index"]
    return _one(0, (*(i % n for i, n in zip(chosen, shapes[0], strict=False)), *index))


def _concat(graph: Graph, node: int, shapes: Sequence[tuple[int, ...]], index: Index) -> _Reads:
    axis = graph.keywords(node)["axis"] % len(index)
    ends = list(itertools.accumulate(shape[axis] for shape in shapes))
    operand = next(k for k, end in enumerate(ends) if index[axis] < end)
    start = ends[operand] - shapes[operand][axis]
    return _one(operand, (*index[:axis], index[axis] - start, *index[axis + 1 :]))


_READS: Mapping[str, Callable[..., _Reads]] = {
    "matmul": _matmul,
    "dot": _dot,
    "sum": _group("addends"),
    "mean": _group("addends"),
    **dict.fromkeys(
        ("prod", "max", "min", "norm", "logsumexp", "softmax", "log_softmax"), _group("read")
    ),
    "transpose": _transpose,
    "reshape": _reshape,
    "index": _index,
    "concat": _concat,
}
