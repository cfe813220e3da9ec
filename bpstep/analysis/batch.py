"""One operation of the table at many points at once, and the piece it is on at each.

Every array has a leading batch axis, of length 1 where an operand is the same at all points; the
batch of the result is the longest. Scalars have shape (B,). What is computed here may differ from
the recording by a rounding (``math`` against NumPy), so differences are taken between results of
these functions only, the point itself being a batch of 1. Floating-point warnings are the caller's
to silence.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bpstep.engine.arithmetic import Array
from bpstep.engine.graph import Graph
from bpstep.engine.operation import Branch, Operation, finish, parameters
from bpstep.engine.tensors import reduced_axes

Shape = tuple[int, ...]
Kernel = Callable[[Sequence[Array]], Array]
"""The operation on batches of its operands: one array an operand in, a batch of results out."""


@dataclass(frozen=True, eq=False)
class Pieces:
    """The piece of every element of a batch, and whether the element sits between two pieces.

    Both have the same shape, its first axis the batch (1 where all points are on one piece). What
    an element is depends on the operation: for one that works element by element it broadcasts to
    the result's, for ``max`` and ``min`` it is one of the operand's.
    """

    codes: Array
    tied: Array


def forward(
    row: Operation,
    operands: Sequence[Array],
    shapes: Sequence[Shape],
    keywords: Mapping[str, Any],
    dtype: Any,
) -> Array:
    """The operation at every point of a batch: shape (B, \\*result).

    ``operands`` have shapes (1 or B, \\*shape) for the recorded ``shapes``; ``keywords`` are bound.
    """
    return kernel(row, shapes, keywords, dtype)(operands)


def kernel(
    row: Operation, shapes: Sequence[Shape], keywords: Mapping[str, Any], dtype: Any
) -> Kernel:
    """The operation on batches, prepared once for operands of these shapes."""
    if row.name in _OWN:
        function = _OWN[row.name](shapes, keywords)
    elif _is_pointwise(row):
        function = _pointwise(row, shapes, keywords)
    elif "axis" in keywords:
        function = _reduction(row, shapes, keywords)
    else:
        function = _one_by_one(row, keywords, dtype)
    return lambda operands: np.asarray(function(operands), dtype)


def pieces(
    row: Operation,
    operands: Sequence[Array],
    result: Array,
    shapes: Sequence[Shape],
    keywords: Mapping[str, Any],
    moves: tuple[bool, ...],
) -> Pieces | None:
    """Where each point of a batch lies; None where the operation is not pieced together.

    ``result`` is what ``forward`` gave for these operands, ``moves`` says which operands can
    change (see ``moving``). The selection of ``where`` is told by its condition, not here.
    """
    branch = row.branch
    if branch is None or branch.tied is None:
        return None
    given = {**keywords, "y": result, "moves": moves, "axes": shifted(None, shapes[0])}
    if "axis" in keywords:
        given["axis"] = shifted(keywords["axis"], shapes[0])
    aligned = align(operands, shapes) if _is_pointwise(row) else operands
    given.update(zip("abc", aligned, strict=False))
    return _pieces(branch, given)


def _pieces(branch: Branch, given: Mapping[str, Any]) -> Pieces:
    assert branch.tied is not None, "asked only of branches of their own"
    codes, tied = (
        np.asarray(function(**{name: given[name] for name in parameters(function)}))
        for function in (branch.code, branch.tied)
    )
    codes, tied = np.broadcast_arrays(codes, tied)
    return Pieces(codes, tied)


def moving(graph: Graph, node: int) -> tuple[bool, ...]:
    """Which operands of a node can change: all but leaves without a gradient."""
    return tuple(
        graph.operation(operand) is not None or graph.requires_grad(operand)
        for operand in graph.operands(node)
    )


# Nothing is recorded for these, so no rule says that they work element by element.
_SILENT = frozenset(("lt", "le", "gt", "ge", "eq", "ne", "isnan", "detach"))


def _is_pointwise(row: Operation) -> bool:
    return row.elementwise or row.name in _SILENT


def align(operands: Sequence[Array], shapes: Sequence[Shape]) -> Sequence[Array]:
    """Operands with axes of size 1 put in after the batch, so that they broadcast as recorded."""
    rank = max(map(len, shapes))
    if all(len(shape) == rank for shape in shapes):
        return operands
    return [
        x.reshape((len(x), *(1,) * (rank - len(shape)), *shape))
        for x, shape in zip(operands, shapes, strict=True)
    ]


def shifted(axis: int | tuple[int, ...] | None, shape: Shape) -> tuple[int, ...]:
    """The axes that an operation reduces, counted behind a batch axis."""
    return tuple(i + 1 for i in reduced_axes(axis, len(shape)))


def _pointwise(row: Operation, shapes: Sequence[Shape], keywords: Mapping[str, Any]) -> Kernel:
    return lambda operands: row.forward(*align(operands, shapes), **keywords)


def _reduction(row: Operation, shapes: Sequence[Shape], keywords: Mapping[str, Any]) -> Kernel:
    """The row's own function, its axis shifted by one."""
    moved = {**keywords, "axis": shifted(keywords["axis"], shapes[0])}
    return lambda operands: row.forward(operands[0], **moved)


def _one_by_one(row: Operation, keywords: Mapping[str, Any], dtype: Any) -> Kernel:
    """Any other row: point by point, as it was recorded."""

    def loop(operands: Sequence[Array]) -> Array:
        batch = max(map(len, operands))
        points = zip(*(np.broadcast_to(x, (batch, *x.shape[1:])) for x in operands), strict=True)
        return np.stack([_at_point(row, point, keywords, dtype) for point in points])

    return loop


def _at_point(row: Operation, point: Sequence[Any], keywords: Mapping[str, Any], dtype: Any) -> Any:
    values = [x if np.ndim(x) else float(x) for x in point]
    return finish(row.forward(*values, **keywords), dtype)


# ---- rows that neither work element by element nor reduce an axis they are told ----


def _matmul(shapes: Sequence[Shape], keywords: Mapping[str, Any]) -> Kernel:
    """Matrix products: a vector is one row or column, and batches of matrices are aligned."""
    left, right = shapes
    matrices = ((1, *left)[-max(2, len(left)) :], (*right, 1)[: max(2, len(right))])
    added = tuple(-k for k, shape in ((2, left), (1, right)) if len(shape) == 1)

    def product(operands: Sequence[Array]) -> Array:
        tall = [x.reshape((len(x), *shape)) for x, shape in zip(operands, matrices, strict=True)]
        return np.squeeze(np.matmul(*align(tall, matrices)), axis=added)

    return product


def _norm(shapes: Sequence[Shape], keywords: Mapping[str, Any]) -> Kernel:
    axes = shifted(None, shapes[0])
    if not axes:
        return lambda operands: np.abs(operands[0])
    return lambda operands: np.sqrt(np.sum(operands[0] * operands[0], axis=axes))


def _transpose(shapes: Sequence[Shape], keywords: Mapping[str, Any]) -> Kernel:
    order = (0, *range(len(shapes[0]), 0, -1))
    return lambda operands: np.transpose(operands[0], order)


def _reshape(shapes: Sequence[Shape], keywords: Mapping[str, Any]) -> Kernel:
    shape = keywords["shape"]
    return lambda operands: operands[0].reshape((len(operands[0]), *shape))


def _concat(shapes: Sequence[Shape], keywords: Mapping[str, Any]) -> Kernel:
    (axis,) = shifted(keywords["axis"], shapes[0])

    def joined(operands: Sequence[Array]) -> Array:
        batch = max(map(len, operands))
        parts = [np.broadcast_to(x, (batch, *x.shape[1:])) for x in operands]
        return np.concatenate(parts, axis=axis)

    return joined


def _index(shapes: Sequence[Shape], keywords: Mapping[str, Any]) -> Kernel:
    place = (slice(None), *keywords["index"])
    return lambda operands: operands[0][place]


def _argmax(shapes: Sequence[Shape], keywords: Mapping[str, Any]) -> Kernel:
    return lambda operands: operands[0].reshape((len(operands[0]), -1)).argmax(axis=1)


_OWN: Mapping[str, Callable[[Sequence[Shape], Mapping[str, Any]], Kernel]] = {
    "matmul": _matmul,
    "dot": _matmul,
    "norm": _norm,
    "transpose": _transpose,
    "reshape": _reshape,
    "concat": _concat,
    "index": _index,
    "argmax": _argmax,
}
