"""Every derivative rule of the table against its own forward function, and what it reads."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from one_operation import Case, cases, smooth

from bpstep.engine.errors import GraphError
from bpstep.engine.graph import Graph
from bpstep.engine.operation import evaluate
from bpstep.engine.ops import OPERATIONS
from bpstep.engine.rules import Edge, contribution

RECORDING = [row for row in OPERATIONS.values() if row.records]


def upstream(case: Case) -> Any:
    """Upstream gradients that differ for every element of the result."""
    return smooth(case.node.shape, 7) - 0.2


def weighed(edge: Edge, weights: Any, moved: Any) -> float:
    """Σ weights × result with the edge's operand at ``moved``: forward functions only."""
    graph = edge.graph
    values = [graph.values[i] for i in graph.operands(edge.source)]
    values[edge.operand] = moved
    result = evaluate(edge.operation, values, graph.keywords(edge.source), graph.dtype)
    return float(np.sum(weights * np.asarray(result)))


def difference(edge: Edge, weights: Any, direction: Any, h: float = 1e-3) -> float:
    """The directional derivative by the five-point formula, whose error is of the order h⁴."""
    value = edge.graph.values[edge.target]
    at = [weighed(edge, weights, value + k * h * direction) for k in (-2, -1, 1, 2)]
    return (at[0] - 8 * at[1] + 8 * at[2] - at[3]) / (12 * h)


@pytest.mark.parametrize("sign", [1.0, -1.0], ids=["positive", "negative"])
@pytest.mark.parametrize("row", RECORDING, ids=lambda row: row.name)
def test_a_rule_is_the_derivative_of_its_forward_function(row: Any, sign: float) -> None:
    tried = cases(row, sign=sign)
    assert tried
    for case in tried:
        if not np.all(np.isfinite(case.node.value)):
            assert sign < 0
            continue
        weights = upstream(case)
        for edge in case.edges():
            sent = contribution(edge, weights)[0]
            assert np.shape(sent) == edge.graph.shape(edge.target)
            for direction in directions(np.shape(sent)):
                found, expected = np.sum(sent * direction), difference(edge, weights, direction)
                scale = 1 + abs(expected)
                assert abs(found - expected) < 1e-7 * scale, edge.graph.expression(edge.source)


def directions(shape: tuple[int, ...]) -> list[Any]:
    """Each element alone, or the one number there is."""
    if shape == ():
        return [1.0]
    size = int(np.prod(shape))
    return [np.reshape(row, shape) for row in np.eye(size)]


@pytest.mark.parametrize("row", RECORDING, ids=lambda row: row.name)
def test_float32_is_float64_rounded(row: Any) -> None:
    for double, single in zip(cases(row), cases(row, "float32"), strict=True):
        weights = np.float32(upstream(double))
        given = weights if weights.ndim else float(weights)
        for exact, edge in zip(double.edges(), single.edges(), strict=True):
            sent = contribution(edge, given)[0]
            assert np.array_equal(np.float32(sent), sent)
            expected = contribution(exact, np.float64(weights) if weights.ndim else given)[0]
            np.testing.assert_allclose(sent, expected, rtol=3e-5, atol=3e-6)


@pytest.mark.parametrize("row", RECORDING, ids=lambda row: row.name)
def test_a_rule_reads_nothing_but_what_it_has_saved(row: Any) -> None:
    for case in cases(row):
        for edge in case.edges():
            before = contribution(edge, upstream(case))[0]
            spoilt = next(each for each in cases(row) if same_case(each, case))
            for node in {*spoilt.graph.operands(spoilt.node.index), spoilt.node.index}:
                if node not in edge.saved():
                    spoilt.graph.replace(node, np.full(spoilt.graph.shape(node), np.nan))
            other = Edge(spoilt.graph, edge.source, edge.operand, edge.target)
            np.testing.assert_array_equal(contribution(other, upstream(case))[0], before)


@pytest.mark.parametrize("row", RECORDING, ids=lambda row: row.name)
def test_everything_saved_is_read(row: Any) -> None:
    needed = {
        (edge.operand, name)
        for case in cases(row)
        for edge in case.edges()
        for name in edge.rule.saved
        if matters(case, edge, name)
    }
    assert needed == {
        (position, name)
        for position, rule in enumerate(row.rules)
        if rule is not None
        for name in rule.saved
    }


def matters(case: Case, edge: Edge, name: str) -> bool:
    """Whether another value under that name changes what the edge sends."""
    graph, operands = case.graph, case.graph.operands(case.node.index)
    node = case.node.index if name == "y" else operands["abc".index(name)]
    original = graph.values[node]
    before = contribution(edge, upstream(case))[0]
    changed = False
    for value in (original * 0.0, original * -1.5, original * 2.0, original + np.arange(1.0, 2.0)):
        graph.values[node] = value if np.ndim(original) else float(np.sum(value))
        changed |= not np.array_equal(contribution(edge, upstream(case))[0], before)
    graph.values[node] = original
    return changed


def same_case(one: Case, other: Case) -> bool:
    shapes = [[case.graph.shape(i) for i in range(len(case.graph))] for case in (one, other)]
    keywords = [case.graph.keywords(case.node.index) for case in (one, other)]
    return shapes[0] == shapes[1] and keywords[0] == keywords[1]


@pytest.mark.parametrize(
    ("name", "saved"),
    [
        *((name, ["b", "a"]) for name in ("mul", "matmul")),
        ("div", ["b", "ab"]),
        ("pow", ["ab", "ab"]),
        *((name, ["a"]) for name in ("log", "sin", "cos", "abs")),
        ("maximum", ["ab", "ab"]),
        *((name, ["y"]) for name in ("relu", "exp", "sqrt", "tanh", "sigmoid", "softmax")),
        *((name, ["", ""]) for name in ("add", "sub")),
        *((name, [""]) for name in ("neg", "sum", "mean", "reshape", "transpose", "sign")),
    ],
)
def test_what_the_format_says_is_saved(name: str, saved: list[str]) -> None:
    rules = OPERATIONS[name].rules
    assert ["".join(sorted(rule.saved)) for rule in rules if rule is not None] == saved


def test_comparisons_and_their_like_record_nothing() -> None:
    silent = {row.name for row in OPERATIONS.values() if not row.records}
    assert silent == {"lt", "le", "gt", "ge", "eq", "ne", "isnan", "argmax", "detach"}


@pytest.mark.parametrize("row", OPERATIONS.values(), ids=lambda row: row.name)
def test_a_value_is_a_float_or_a_read_only_array(row: Any) -> None:
    for dtype in ("float64", "float32"):
        for case in cases(row, dtype):
            value = case.node.value
            if case.node.shape == ():
                assert type(value) is float
                assert dtype == "float64" or float(np.float32(value)) == value
            else:
                assert value.dtype == dtype
                with pytest.raises(ValueError, match="read-only"):
                    value[...] = 0.0


def test_a_batch_of_small_products_is_small() -> None:
    """Its batch was once multiplied twice: (1000, 10, 4) @ (1000, 4, 10) was too large."""
    graph = Graph()
    left = graph.param("a", np.ones((1000, 10, 4)))
    assert (left @ np.ones((1000, 4, 10))).shape == (1000, 10, 10)
    with pytest.raises(GraphError, match="elements") as caught:
        _ = graph.param("b", np.ones((1, 4000, 1))) @ np.ones((1000, 1, 4000))
    assert caught.value.code == "too-large"
