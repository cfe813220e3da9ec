"""Slopes of single operations from their forward functions, and limits of many rows at once."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from one_operation import cases

from bpstep.analysis.extrapolation import agreed, diverges, extrapolate, extrapolate_rows
from bpstep.analysis.motions import Motion
from bpstep.analysis.slopes import Slopes, slopes
from bpstep.engine.graph import Graph
from bpstep.engine.ops import OPERATIONS
from bpstep.engine.rules import contribution

RECORDING = [row for row in OPERATIONS.values() if row.records]


def unit(shape: tuple[int, ...]) -> Any:
    count = int(np.prod(shape))
    return np.eye(count).reshape((count, *shape))


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("row", RECORDING, ids=lambda row: row.name)
def test_slopes_are_local_derivatives_within_their_bounds(row: Any, dtype: str) -> None:
    rng = np.random.default_rng(3)
    for case in cases(row, dtype):
        graph = case.graph
        upstream = rng.normal(size=case.node.shape).astype(dtype)
        for edge in case.edges():
            along = unit(graph.shape(edge.target))
            motion = Motion(edge.source, {edge.operand: along})
            (local,) = slopes(graph, graph.values, [motion])
            given = upstream if upstream.ndim else float(upstream)
            sent = np.asarray(contribution(edge, given)[0], float).reshape(-1)
            owed = (upstream * local.low).reshape(len(along), -1).sum(axis=1)
            bound = (np.abs(upstream) * local.bound).reshape(len(along), -1).sum(axis=1)
            rounding = 16 * np.finfo(dtype).eps * (np.abs(owed) + np.abs(sent))
            assert np.all(np.abs(sent - owed) <= bound + rounding), graph.expression(edge.source)
            if dtype == "float64":
                assert np.all(bound <= 1e-9 * (1 + np.abs(owed))), graph.expression(edge.source)


def at(build: Any, x: float, dtype: str = "float64") -> Slopes:
    graph = Graph(dtype)
    node = build(graph, graph.param("x", x)).index
    (found,) = slopes(graph, graph.values, [Motion(node, {0: np.ones(1)})])
    return found


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize(
    ("build", "x", "low", "high"),
    [
        (lambda g, x: g.apply("relu", x), 0.0, 0.0, 1.0),
        (lambda g, x: g.apply("abs", x), 0.0, -1.0, 1.0),
        (lambda g, x: g.apply("leaky_relu", x, slope=2.0), 0.0, 1.0, 2.0),
        (lambda g, x: g.apply("maximum", x, 3.0), 3.0, 0.0, 1.0),
        (lambda g, x: g.apply("clamp", x, min=-1.0), -1.0, 0.0, 1.0),
        (lambda g, x: g.apply("floor", x), 2.0, -np.inf, np.inf),
        (lambda g, x: g.apply("sign", x), 0.0, -np.inf, np.inf),
        (lambda g, x: x**1.5, 0.0, 0.0, 0.0),
    ],
)
def test_at_a_tie_slopes_are_one_sided(
    build: Any, x: float, low: float, high: float, dtype: str
) -> None:
    found = at(build, x, dtype)
    assert found.tied.all()
    assert found.low == pytest.approx(low, abs=0.02 if dtype == "float32" else 1e-6)
    assert found.high == pytest.approx(high, abs=0.02 if dtype == "float32" else 1e-6)


@pytest.mark.parametrize("name", ["sqrt", "log"])
def test_a_slope_without_end_is_any_slope(name: str) -> None:
    found = at(lambda g, x: g.apply(name, x), 0.0)
    assert (found.low[0], found.high[0]) == (-np.inf, np.inf)


def test_a_kink_nearby_is_not_looked_across() -> None:
    found = at(lambda g, x: g.apply("abs", x), 1e-7)
    assert not found.tied.any()
    assert found.low == pytest.approx(1.0, abs=1e-6)


def test_numbers_of_one_kind_are_moved_together_and_told_apart() -> None:
    """Rows keep their order, whatever is grouped with what."""
    graph = Graph()
    nodes, motions = [], []
    for k in range(40):
        name = ("sin", "exp", "square")[k % 3]
        nodes.append((name, 0.1 * k, graph.apply(name, graph.param(f"x{k}", 0.1 * k)).index))
        motions.append(Motion(nodes[-1][2], {0: np.full((1 + k % 2,), 1.0)}))
    derivative = {"sin": np.cos, "exp": np.exp, "square": lambda x: 2 * x}
    found = slopes(graph, graph.values, motions)
    for k, ((name, x, _), local) in enumerate(zip(nodes, found, strict=True)):
        assert local.low.shape == (1 + k % 2,)
        assert local.low == pytest.approx(derivative[name](x), rel=1e-9, abs=1e-9)


def test_a_large_tensor_is_moved_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = Graph()
    x = graph.param("x", np.linspace(-1, 1, 30).reshape(5, 6))
    node = graph.apply("tanh", x).index
    motion = Motion(node, {0: np.random.default_rng(0).normal(size=(7, 5, 6))})
    (whole,) = slopes(graph, graph.values, [motion])
    monkeypatch.setattr("bpstep.analysis.slopes.CHUNK", 54 * 30 * 2)
    (parts,) = slopes(graph, graph.values, [motion])
    np.testing.assert_array_equal(whole.low, parts.low)
    np.testing.assert_array_equal(whole.bound, parts.bound)


# ---- rows of limits ----


def test_rows_are_problems_of_their_own() -> None:
    steps = np.tile(0.5 * 0.25 ** np.arange(8), (3, 1))
    true = np.array([3.0, -2.0, 0.0])
    quotients = true[:, None] + np.array([1.0, 5.0, 0.0])[:, None] * steps - 2 * steps**2
    noise = 1e-15 / steps
    found = extrapolate_rows(steps, quotients, noise, 1)
    assert found.values == pytest.approx(true, abs=1e-12)
    for k in range(3):
        alone = extrapolate(steps[k], quotients[k], noise[k], 1)
        assert (alone.value, alone.bound) == (found.values[k], found.bounds[k])


def test_a_row_without_quotients_has_no_limit() -> None:
    steps = np.tile(0.5 * 0.25 ** np.arange(8), (2, 1))
    quotients = np.stack([np.full(8, np.nan), 1 + steps[0]])
    found = extrapolate_rows(steps, quotients, 1e-15 / steps, 1)
    assert np.isnan(found.values[0])
    assert np.isinf(found.bounds[0])
    assert found.values[1] == pytest.approx(1.0)


def test_what_does_not_settle_diverges() -> None:
    steps = np.tile(0.25 * 4.0 ** -np.arange(20), (3, 1))
    quotients = np.stack([np.log(steps[0]), steps[1] ** -0.5, np.exp(steps[2])])
    assert diverges(steps, quotients, 1e-16 / steps).tolist() == [True, True, False]


def test_estimates_that_disagree_widen_the_best_bound() -> None:
    values = np.array([[1.0, 1.0], [1.0, 1.5], [np.nan, 1.0]])
    bounds = np.array([[1e-9, 1e-9], [1e-6, 1e-3], [np.inf, 1e-2]])
    found = agreed(values, bounds)
    assert found.values.tolist() == [1.0, 1.0]
    assert found.bounds == pytest.approx([1e-9, 0.499])
