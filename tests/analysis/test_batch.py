"""An operation on a batch is the operation at each of its points."""

from __future__ import annotations

import dataclasses
import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from one_operation import cases
from random_graphs import random_computation

from bpstep.analysis.batch import forward, moving, pieces
from bpstep.engine.graph import Graph
from bpstep.engine.operation import Operation, evaluate
from bpstep.engine.ops import OPERATIONS

BATCH = 7
ROUNDINGS = 8
"""Roundings (of the largest operand or result) that math and NumPy may lie apart by."""


def batches(rng: np.random.Generator, shapes: list[tuple[int, ...]], dtype: str) -> list[Any]:
    """One array an operand, some of them the same at every point; half of all values are ties."""
    found = []
    for k, shape in enumerate(shapes):
        length = 1 if k and rng.random() < 0.3 else BATCH
        drawn = rng.normal(size=(length, *shape))
        found.append(np.where(rng.random(drawn.shape) < 0.5, np.round(drawn), drawn).astype(dtype))
    return found


def point(arrays: list[Any], k: int) -> list[Any]:
    rows = [x[min(k, len(x) - 1)] for x in arrays]
    return [row if row.ndim else float(row) for row in rows]


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("row", OPERATIONS.values(), ids=lambda row: row.name)
def test_a_batch_is_its_points(row: Operation, dtype: str) -> None:
    rng = np.random.default_rng(1)
    tried = cases(row, dtype)
    assert tried
    for case in tried:
        graph, node = case.graph, case.node.index
        shapes = [graph.shape(i) for i in graph.operands(node)]
        keywords = graph.keywords(node)
        points = batches(rng, shapes, dtype)
        with np.errstate(all="ignore"):
            found = forward(row, points, shapes, keywords, graph.dtype)
            expected = [
                evaluate(row, point(points, k), keywords, graph.dtype) for k in range(BATCH)
            ]
        assert found.shape == (max(map(len, points)), *graph.shape(node))
        assert found.dtype == graph.dtype
        size = max(1.0, *(np.max(np.abs(x)) for x in points))
        np.testing.assert_allclose(
            found,
            np.stack(expected)[: len(found)],
            rtol=ROUNDINGS * np.finfo(dtype).eps,
            atol=ROUNDINGS * np.finfo(dtype).eps * size,
        )


@pytest.mark.parametrize("row", OPERATIONS.values(), ids=lambda row: row.name)
def test_the_pieces_of_a_batch_are_those_of_its_points(row: Operation) -> None:
    rng = np.random.default_rng(2)
    for case in cases(row):
        graph, node = case.graph, case.node.index
        shapes = [graph.shape(i) for i in graph.operands(node)]
        points = batches(rng, shapes, "float64")
        rest = (shapes, graph.keywords(node))
        with np.errstate(all="ignore"):
            y = forward(row, points, *rest, graph.dtype)
            whole = pieces(row, points, y, *rest, moving(graph, node))
            if row.branch is None or row.branch.tied is None:
                assert whole is None
                continue
            assert whole is not None
            for k in range(len(y)):
                alone = [x[k : k + 1] if len(x) > 1 else x for x in points]
                one = pieces(row, alone, y[k : k + 1], *rest, moving(graph, node))
                assert one is not None
                np.testing.assert_array_equal(
                    whole.codes[min(k, len(whole.codes) - 1)], one.codes[0]
                )
                np.testing.assert_array_equal(whole.tied[min(k, len(whole.tied) - 1)], one.tied[0])
        assert not np.isnan(whole.codes).any()


def at(build: Any, *values: float) -> tuple[Any, Any]:
    """Code and tie of the last operation, recorded on parameters."""
    graph = Graph()
    node = build(graph, *(graph.param(f"x{k}", value) for k, value in enumerate(values))).index
    row = graph.operation(node)
    assert row is not None
    operands = [np.asarray(graph.values[i])[None] for i in graph.operands(node)]
    shapes = [graph.shape(i) for i in graph.operands(node)]
    keywords = graph.keywords(node)
    with np.errstate(all="ignore"):
        y = forward(row, operands, shapes, keywords, graph.dtype)
        found = pieces(row, operands, y, shapes, keywords, moving(graph, node))
    assert found is not None
    return found.codes[0].tolist(), found.tied[0].tolist()


STEPS = [-1.5, -1.0, -0.5, 0.0, 0.5, 1.0, 1.5]


@pytest.mark.parametrize(
    ("build", "ties"),
    [
        *((lambda g, x, n=n: g.apply(n, x), [0.0]) for n in ("relu", "abs", "sign", "leaky_relu")),
        *((lambda g, x, n=n: g.apply(n, x), [0.0]) for n in ("sqrt", "log", "log2", "reciprocal")),
        (lambda g, x: g.apply("log1p", x), [-1.0]),
        (lambda g, x: 1.0 / x, [0.0]),
        (lambda g, x: g.apply("maximum", x, 0.5), [0.5]),
        (lambda g, x: x > 0.5, [0.5]),
        (lambda g, x: g.apply("clamp", x, min=-1.0, max=0.5), [-1.0, 0.5]),
        (lambda g, x: g.apply("clamp", x, max=0.5), [0.5]),
        (lambda g, x: g.apply("floor", x), [-1.0, 0.0, 1.0]),
        (lambda g, x: g.apply("round", x), [-1.5, -0.5, 0.5, 1.5]),
        (lambda g, x: x**2.0, []),
        (lambda g, x: x**-2.0, [0.0]),
        (lambda g, x: x**0.5, [0.0]),
        (lambda g, x: g.apply("atan2", x, -1.0), [0.0]),
        (lambda g, x: g.apply("atan2", x, 1.0), []),
    ],
)
def test_ties_are_where_the_piece_changes(build: Any, ties: list[float]) -> None:
    found = {x: at(build, x) for x in STEPS}
    assert [x for x, (_, tied) in found.items() if tied] == ties
    # Between two ties lies one piece: the codes differ exactly across a tie.
    smooth = [x for x in STEPS if x not in ties]
    for low, high in itertools.pairwise(smooth):
        crosses = any(low < tie < high for tie in ties)
        assert (found[low][0] != found[high][0]) == crosses, (low, high)


def test_the_ties_of_a_maximum_are_its_winners() -> None:
    assert at(lambda g, x: g.apply("max", x), [1.0, 3.0, 3.0]) == ([0, 1, 1], [False, True, True])
    assert at(lambda g, x: g.apply("max", x), [1.0, 2.0, 3.0]) == ([0, 0, 1], [False, False, False])
    assert at(lambda g, x: g.apply("argmax", x), [1.0, 3.0, 3.0]) == (1.0, True)
    assert at(lambda g, x: g.apply("argmax", x), [1.0, 2.0, 3.0]) == (2.0, False)


def test_an_exponent_that_moves_stands_alone_left_of_zero() -> None:
    """(−2)**2 is a number, (−2)**2.01 is none; right of zero nothing happens."""
    assert at(lambda g, x, b: x**b, -2.0, 2.0)[1] is True
    assert at(lambda g, x, b: x**b, 2.0, 2.0)[1] is False
    assert at(lambda g, x, b: x**b, 2.0, 2.0)[0] == at(lambda g, x, b: x**b, 2.0, 2.5)[0]


def test_a_norm_has_one_piece_around_the_origin() -> None:
    assert at(lambda g, x: g.apply("norm", x), [0.0, 0.0]) == (0.0, True)
    assert at(lambda g, x: g.apply("norm", x), [0.0, -1.0]) == (1.0, False)


def test_a_row_that_batches_know_nothing_of_is_evaluated_point_by_point() -> None:
    rng = np.random.default_rng(4)
    a, b = rng.normal(size=(BATCH, 2, 3)), rng.normal(size=(1, 3, 2))
    row = dataclasses.replace(OPERATIONS["matmul"], name="another")
    rest = ([(2, 3), (3, 2)], {}, np.dtype("float64"))
    known = forward(OPERATIONS["matmul"], [a, b], *rest)
    np.testing.assert_allclose(forward(row, [a, b], *rest), known, rtol=1e-14, atol=1e-14)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32 - 1), st.booleans())
def test_random_graphs_evaluate_as_they_were_recorded(seed: int, tensors: bool) -> None:
    made = random_computation(np.random.default_rng(seed), 8, tensors=tensors)
    graph, _ = made.record()
    for node in range(len(graph)):
        row = graph.operation(node)
        if row is None:
            continue
        operands = graph.operands(node)
        given_ = [np.repeat(np.asarray(graph.values[i])[None], 3, axis=0) for i in operands]
        shapes = [graph.shape(i) for i in operands]
        with np.errstate(all="ignore"):
            found = forward(row, given_, shapes, graph.keywords(node), graph.dtype)
        size = max(1.0, *(np.max(np.abs(x[np.isfinite(x)]), initial=0) for x in given_))
        expected = np.repeat(np.asarray(graph.values[node])[None], 3, axis=0)
        np.testing.assert_allclose(found, expected, rtol=1e-13, atol=1e-14 * size)
