"""What is returned at points without a derivative: every cell of the table, and how it is said."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import bpstep
from bpstep.engine.conventions import KEYS, PRESETS, conventions
from bpstep.engine.errors import GraphError
from bpstep.engine.ledger import ConventionUse
from bpstep.engine.reverse import backward

NAN = math.nan
Operation = Callable[..., Any]


def at_point(function: Operation, values: list[Any], spec: Any) -> tuple[list[Any], Any]:
    """The gradients of ``function``'s sum, and the convention used by the first contribution."""
    graph = bpstep.Graph(conventions=spec)
    leaves = [graph.param(f"x{k}", value) for k, value in enumerate(values)]
    result = function(*leaves)
    ledger = backward(bpstep.sum(result) if result.shape else result)
    uses = [c.convention for leaf in leaves for c in ledger.contributions(leaf)]
    return [ledger.grad(leaf) for leaf in leaves], uses


# key: the operation, its operands at the point, and for torch, jax and tensorflow the gradients.
CELLS: dict[str, tuple[Operation, list[float], list[float], list[float], list[float]]] = {
    "relu": (bpstep.relu, [0.0], [0.0], [0.0], [0.0]),
    "leaky_relu": (lambda x: bpstep.leaky_relu(x, 0.2), [0.0], [0.2], [1.0], [0.2]),
    "abs": (bpstep.abs, [0.0], [0.0], [1.0], [0.0]),
    "maximum": (bpstep.maximum, [2.0, 2.0], [0.5, 0.5], [0.5, 0.5], [1.0, 0.0]),
    "minimum": (bpstep.minimum, [2.0, 2.0], [0.5, 0.5], [0.5, 0.5], [1.0, 0.0]),
    "clamp": (lambda x: bpstep.clamp(x, min=-1, max=3), [3.0], [1.0], [0.5], [1.0]),
    "norm": (bpstep.norm, [0.0], [0.0], [NAN], [NAN]),
    "pow_base": (lambda x: x**0.0, [0.0], [0.0], [NAN], [NAN]),
    "pow_exponent": (lambda y: (-8.0) ** y, [2.0], [NAN], [NAN], [0.0]),
    "atan2": (bpstep.atan2, [0.0, 0.0], [0.0, 0.0], [NAN, NAN], [NAN, NAN]),
}
INTERVALS = {
    "relu": (0.0, 1.0),
    "leaky_relu": (0.2, 1.0),
    "abs": (-1.0, 1.0),
    "maximum": (0.0, 1.0),
    "minimum": (0.0, 1.0),
    "clamp": (0.0, 1.0),
    "norm": (-1.0, 1.0),
    "pow_base": (0.0, 0.0),
    "pow_exponent": None,
    "atan2": (-math.inf, math.inf),
}


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("key", CELLS)
def test_every_cell_for_numbers_and_tensors(key: str, preset: str) -> None:
    function, values, *columns = CELLS[key]
    expected = columns[list(PRESETS).index(preset)]
    grads, uses = at_point(function, values, preset)
    np.testing.assert_array_equal(grads, expected)
    assert [use.key for use in uses] == [key] * len(values)
    assert [use.interval for use in uses] == [INTERVALS[key]] * len(values)
    np.testing.assert_array_equal([use.used for use in uses], expected)
    if key != "norm":
        tensors, _ = at_point(function, [np.array([value, value]) for value in values], preset)
        np.testing.assert_array_equal([grad[1] for grad in tensors], expected)


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("function", [bpstep.max, bpstep.min], ids=["max", "min"])
def test_ties_inside_a_tensor_are_split(function: Operation, preset: str) -> None:
    (grad,), (use,) = at_point(function, [[[2.0, 2.0], [2.0, 2.0]]], preset)
    assert grad.tolist() == [[0.25, 0.25], [0.25, 0.25]]
    assert (use.used, use.interval) == ("split", (0.0, 1.0))
    (grad,), _ = at_point(lambda x: function(x, axis=1), [[[2.0, 2.0], [1.0, 1.0]]], preset)
    assert grad.tolist() == [[0.5, 0.5], [0.5, 0.5]]


@pytest.mark.parametrize("preset", PRESETS)
def test_norm_of_a_zero_tensor(preset: str) -> None:
    expected = 0.0 if preset == "torch" else NAN
    (grad,), (use,) = at_point(bpstep.norm, [[0.0, 0.0]], preset)
    np.testing.assert_array_equal(grad, [expected, expected])
    assert (use.key, use.interval) == ("norm", (-1.0, 1.0))


ZERO_UPSTREAM = {
    "sqrt": (bpstep.sqrt, [NAN, NAN, 0.0]),
    "log": (bpstep.log, [NAN, NAN, 0.0]),
    "reciprocal": (bpstep.reciprocal, [NAN, NAN, NAN]),
    "division": (lambda x: 1.0 / x, [NAN, NAN, NAN]),
    "power": (lambda x: x**-1.0, [NAN, NAN, NAN]),
}


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("name", ZERO_UPSTREAM)
def test_zero_upstream_against_an_infinite_slope(name: str, preset: str) -> None:
    function, row = ZERO_UPSTREAM[name]
    expected = row[list(PRESETS).index(preset)]
    for value in (0.0, [0.0, 1.0]):
        (grad,), (use,) = at_point(lambda x: function(x) * 0.0, [value], preset)
        np.testing.assert_array_equal(np.ravel(grad)[0], expected)
        assert use == ConventionUse(
            "zero_upstream", "product" if math.isnan(expected) else "mask", (0.0, 0.0)
        )


def test_zero_upstream_behind_where() -> None:
    """The unselected branch of ``where(x > 0, sqrt(x), 0)`` at 0 gets 0 × inf."""

    def guarded(x: Any) -> Any:
        return bpstep.where(x > 0, bpstep.sqrt(x), 0.0)

    assert math.isnan(at_point(guarded, [0.0], "torch")[0][0])
    assert at_point(guarded, [0.0], "tensorflow")[0] == [0.0]
    assert at_point(guarded, [0.0], {"zero_upstream": "mask"})[0] == [0.0]
    assert at_point(guarded, [4.0], "torch")[0] == [0.25]


BLOCKED: dict[str, tuple[Operation, list[Any], list[float]]] = {
    "relu": (bpstep.relu, [-1.0], [0.0, 0.0, NAN]),
    "clamp": (lambda x: bpstep.clamp(x, max=1), [2.0], [0.0, NAN, 0.0]),
    "maximum": (bpstep.maximum, [1.0, 2.0], [0.0, NAN, 0.0]),
    "minimum": (bpstep.minimum, [2.0, 1.0], [0.0, NAN, 0.0]),
    "where": (lambda x: bpstep.where(0.0, x, 1.0), [3.0], [0.0, 0.0, 0.0]),
    "max of all": (bpstep.max, [[1.0, 2.0]], [0.0, NAN, NAN]),
    "max along an axis": (lambda x: bpstep.max(x, axis=0), [[1.0, 2.0]], [NAN, NAN, NAN]),
    "min along an axis": (lambda x: bpstep.min(x, axis=0), [[2.0, 1.0]], [NAN, NAN, NAN]),
}


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("name", BLOCKED)
def test_blocked_under_an_infinite_upstream(name: str, preset: str) -> None:
    function, values, row = BLOCKED[name]
    expected = row[list(PRESETS).index(preset)]
    grads, uses = at_point(lambda *x: function(*x) * math.inf, values, preset)
    np.testing.assert_array_equal(np.ravel(grads[0])[0], expected)
    assert uses[0].key == "blocked"
    assert uses[0].used == ("product" if math.isnan(expected) else "mask")


@pytest.mark.parametrize(
    ("spec", "function", "values", "expected"),
    [
        ({"relu": 0.5}, bpstep.relu, [0.0], [0.5]),
        ({"preset": "jax", "abs": -1}, bpstep.abs, [0.0], [-1.0]),
        ({"leaky_relu": 0.6}, bpstep.leaky_relu, [0.0], [0.6]),
        ({"clamp": 0}, lambda x: bpstep.clamp(x, min=2), [2.0], [0.0]),
        ({"maximum": "first"}, bpstep.maximum, [1.0, 1.0], [1.0, 0.0]),
        ({"minimum": "second"}, bpstep.minimum, [1.0, 1.0], [0.0, 1.0]),
        ({"abs": "jax"}, bpstep.abs, [0.0], [1.0]),
        ({"norm": NAN}, bpstep.norm, [0.0], [NAN]),
        ({"blocked": "product"}, lambda x: bpstep.relu(x) * math.inf, [-1.0], [NAN]),
        ({"preset": "jax", "blocked": "mask"}, lambda x: bpstep.clamp(x, 0) * math.inf, [-1], [0]),
        ({"zero_upstream": "mask"}, lambda x: 0.0 / x, [0.0], [NAN]),
        ({"zero_upstream": "mask"}, lambda x: x**-1.0 * 0.0, [0.0], [0.0]),
    ],
)
def test_single_conventions(
    spec: dict[str, Any], function: Operation, values: list[float], expected: list[float]
) -> None:
    np.testing.assert_array_equal(at_point(function, values, spec)[0], expected)


def test_first_of_several_winners() -> None:
    spec = {"max": "first", "min": "first"}
    (grad,), (use,) = at_point(bpstep.max, [[1.0, 3.0, 3.0]], spec)
    assert (grad.tolist(), use.used) == ([0.0, 1.0, 0.0], "first")
    (grad,), _ = at_point(lambda x: bpstep.min(x, axis=0), [[[3.0, 1.0], [3.0, 1.0]]], spec)
    assert grad.tolist() == [[1.0, 1.0], [0.0, 0.0]]


def test_away_from_the_point_no_convention_is_said() -> None:
    for key, (function, values, *_) in CELLS.items():
        moved = [value + 0.5 + k for k, value in enumerate(values)]
        _, uses = at_point(function, moved, "torch")
        # A negative base is at its point whatever the exponent.
        assert uses == [None] * len(values) or key == "pow_exponent"


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("pytorch", "no preset of conventions is called 'pytorch'.*torch, jax or tensorflow"),
        ({"preset": 3}, "no preset of conventions is called 3"),
        ({"rely": 0}, "no convention is called 'rely'; did you mean 'relu'"),
        ({"relu": "split"}, "convention relu cannot be 'split': expected a number, torch"),
        ({"maximum": 0.5}, "convention maximum cannot be 0.5: expected split, first, second"),
        ({"max": "second"}, "convention max cannot be 'second'"),
        ({"relu": True}, "convention relu cannot be True"),
        ({"blocked": 0}, "convention blocked cannot be 0: expected product, mask"),
    ],
)
def test_mistakes(spec: Any, message: str) -> None:
    with pytest.raises(GraphError, match=message) as caught:
        conventions(spec)
    assert caught.value.code == "convention"


def test_the_table_is_complete() -> None:
    assert set(CELLS) | {"max", "min", "zero_upstream", "blocked"} == set(KEYS)
    assert all(set(preset) == set(KEYS) for preset in PRESETS.values())
