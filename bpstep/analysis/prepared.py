"""Operations of a tape prepared for batches: how they are evaluated, and which branch they take.

Operations on numbers take the short way: among numbers nothing has to be aligned, and the table's
own functions do. All others are evaluated by ``batch``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from bpstep.analysis.batch import Pieces, kernel, moving, pieces
from bpstep.engine.arithmetic import Array, Value
from bpstep.engine.graph import Graph
from bpstep.engine.operation import Operation, parameters
from bpstep.engine.ops import TABLE
from bpstep.engine.pieces import SIGN, side

Given = Sequence[Any]
"""The operands of one operation: batches, and what is the same at all points."""


class Branching(NamedTuple):
    """An operation that is pieced together.

    ``code`` gives the branch of every point, ``pieces`` also which elements are tied.
    """

    node: int
    code: Callable[[Given, Any], Array]
    pieces: Callable[[Given, Any], Pieces | None]


def simple_functions(graph: Graph, output: int) -> list[Callable[..., Any] | None]:
    """For every node up to one: the function of an operation on numbers that has neither branches
    nor keywords, and None for any other.
    """
    codes = graph.columns().code[: output + 1].tolist()
    if not graph.is_plain:
        return [None] * len(codes)
    simple = {
        code: row.forward
        for code, row in enumerate(TABLE)
        if row.elementwise and row.branch is None and not row.keywords
    }
    return [simple.get(code) for code in codes]


def prepared(graph: Graph, node: int) -> tuple[Callable[..., Any], Branching | None]:
    """How any operation is evaluated, and its branches, if it is pieced together."""
    row = graph.operation(node)
    assert row is not None, "a leaf is not evaluated"
    lean = graph.is_plain and row.elementwise
    function = _lean(graph, node, row) if lean else _general(graph, node, row)
    if row.branch is None or row.branch.tied is None:
        return function, None
    pieced = partial(pieces_of, graph, node)
    code = _lean_code(graph, node, row) if lean else _codes(pieced)
    return function, Branching(node, code, pieced)


def _lean(graph: Graph, node: int, row: Operation) -> Callable[..., Any]:
    """The operation's own function: among numbers nothing has to be aligned."""
    keywords = graph.keywords(node)
    return partial(row.forward, **keywords) if keywords else row.forward


def _general(graph: Graph, node: int, row: Operation) -> Callable[..., Any]:
    shapes = [graph.shape(i) for i in graph.operands(node)]
    function = kernel(row, shapes, graph.keywords(node), graph.dtype)
    return lambda *operands: function([_batch(x, graph.dtype) for x in operands])


def recorded(value: Value, dtype: Any) -> Array:
    """A recorded value as a batch of one point."""
    return np.asarray(value, dtype)[None]


def _batch(value: float | Array, dtype: Any) -> Array:
    """A batch as it is; a number that is the same at all points as a batch of one."""
    return np.full(1, value, dtype) if isinstance(value, float) else value


def _lean_code(graph: Graph, node: int, row: Operation) -> Callable[[Given, Any], Array]:
    """The branch of an elementwise operation on numbers, without looking for ties."""
    assert row.branch is not None, "asked only of operations with branches"
    function = row.branch.code
    names = parameters(function)
    if row.branch is SIGN:
        return _sides
    keywords = {**graph.keywords(node), "moves": moving(graph, node)}

    def code(given: Given, result: Any) -> Array:
        known = {**keywords, "y": result, **dict(zip("abc", given, strict=False))}
        return np.asarray(function(**{name: known[name] for name in names}))

    return code


def _sides(given: Given, result: Any) -> Array:
    """The branch of what changes at zero; one for all where all points are on one side."""
    (points,) = given
    if isinstance(points, float) or points.min() > 0 or points.max() < 0:
        return _ONE_SIDE
    return np.asarray(side(points))


_ONE_SIDE = np.zeros(())


def _codes(pieced: Callable[[Given, Any], Pieces | None]) -> Callable[[Given, Any], Array]:
    def code(given: Given, result: Any) -> Array:
        found = pieced(given, result)
        assert found is not None, "asked only of operations with pieces of their own"
        return found.codes

    return code


def pieces_of(graph: Graph, node: int, given: Given, result: Any) -> Pieces | None:
    """The pieces of one operation at all points; None where it has none of its own."""
    row = graph.operation(node)
    assert row is not None, "a leaf has no pieces"
    shapes = [graph.shape(i) for i in graph.operands(node)]
    operands = [_batch(x, graph.dtype) for x in given]
    batch = _batch(result, graph.dtype)
    return pieces(row, operands, batch, shapes, graph.keywords(node), moving(graph, node))
