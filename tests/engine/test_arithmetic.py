"""IEEE arithmetic: ±inf or nan, never an exception, a warning or a complex number."""

from __future__ import annotations

import itertools
import math
import operator
from typing import Any

import numpy as np
import pytest

from bpstep.engine.graph import Graph
from bpstep.engine.operation import evaluate
from bpstep.engine.ops import OPERATIONS
from bpstep.engine.reverse import backward

FLOAT64 = np.dtype("float64")
SPECIAL = [
    0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 3.0, 1e308, -1e308, 1e-308, 5e-324, 800.0, -800.0,
    math.inf, -math.inf, math.nan,
]  # fmt: skip
ELEMENTWISE = [
    row
    for row in OPERATIONS.values()
    if row.elementwise or row.name in ("lt", "le", "gt", "ge", "eq", "ne", "isnan", "detach")
]


def keywords(row: Any) -> dict[str, Any]:
    return row.bind({"min": -1.0, "max": 0.5} if row.name == "clamp" else {})


@pytest.mark.parametrize("row", ELEMENTWISE, ids=lambda row: row.name)
def test_numbers_and_tensors_agree_on_everything(row: Any) -> None:
    """Python floats by ``math`` are within rounding of NumPy's arrays, inf and nan alike."""
    operands = list(itertools.product(SPECIAL, repeat=row.least))[:: 1 if row.least < 3 else 7]
    arrays = [np.array(column) for column in zip(*operands, strict=True)]
    expected = evaluate(row, arrays, keywords(row), FLOAT64)
    for values, wanted in zip(operands, expected.tolist(), strict=True):
        found = evaluate(row, values, keywords(row), FLOAT64)
        assert type(found) is float
        np.testing.assert_allclose(found, wanted, rtol=1e-14, atol=5e-324, err_msg=str(values))


@pytest.mark.parametrize("row", ELEMENTWISE, ids=lambda row: row.name)
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_gradients_of_everything_are_numbers(row: Any, dtype: str) -> None:
    """Differentiating at any values raises nothing and warns of nothing."""
    for values in list(itertools.product(SPECIAL, repeat=row.least))[:: 1 if row.least < 3 else 7]:
        graph = Graph(dtype)
        leaves = [graph.param(f"x{k}", value) for k, value in enumerate(values)]
        result = graph.apply(row.name, *leaves, **keywords(row))
        assert type(result.value) is float
        if graph.requires_grad(result.index):
            ledger = backward(result * math.inf)
            sent = [ledger.grad(leaf) for leaf in leaves]
            assert all(each is None or type(each) is float for each in sent)


@pytest.mark.parametrize(
    ("name", "values", "expected"),
    [
        ("div", (1.0, 0.0), math.inf),
        ("div", (1.0, -0.0), -math.inf),
        ("div", (-1.0, 0.0), -math.inf),
        ("div", (0.0, 0.0), math.nan),
        ("div", (math.nan, 0.0), math.nan),
        ("pow", (-8.0, 1 / 3), math.nan),
        ("pow", (0.0, -1.0), math.inf),
        ("pow", (-0.0, -1.0), -math.inf),
        ("pow", (0.0, 0.0), 1.0),
        ("pow", (math.nan, 0.0), 1.0),
        ("pow", (-10.0, 309.0), -math.inf),
        ("exp", (1000.0,), math.inf),
        ("log", (0.0,), -math.inf),
        ("log", (-1.0,), math.nan),
        ("log1p", (-1.0,), -math.inf),
        ("sqrt", (-1.0,), math.nan),
        ("sin", (math.inf,), math.nan),
        ("reciprocal", (-0.0,), -math.inf),
        ("floor", (-0.5,), -1.0),
        ("floor", (math.inf,), math.inf),
        ("round", (0.5,), 0.0),
        ("round", (1.5,), 2.0),
        ("round", (-2.5,), -2.0),
        ("sigmoid", (-1000.0,), 0.0),
        ("softplus", (1000.0,), 1000.0),
        ("maximum", (math.nan, 1.0), math.nan),
        ("maximum", (1.0, math.nan), math.nan),
        ("minimum", (1.0, math.nan), math.nan),
        ("sign", (-3.0,), -1.0),
        ("where", (0.0, 1.0, 2.0), 2.0),
        ("where", (math.nan, 1.0, 2.0), 1.0),
        ("isnan", (math.nan,), 1.0),
        ("eq", (math.nan, math.nan), 0.0),
        ("ne", (math.nan, math.nan), 1.0),
    ],
)
def test_at_the_edges(name: str, values: tuple[float, ...], expected: float) -> None:
    found = evaluate(OPERATIONS[name], values, {}, FLOAT64)
    assert found == expected or (math.isnan(found) and math.isnan(expected))
    assert math.copysign(1.0, found) == math.copysign(1.0, expected) or math.isnan(expected)


def test_a_tower_of_powers_is_inf() -> None:
    graph = Graph()
    nine = graph.param("nine", 9.0)
    assert (nine ** (nine ** (nine**nine))).value == math.inf


def test_scalars_are_added_in_tape_order() -> None:
    """A compensated sum would give 2 here."""
    graph = Graph()
    total = graph.param("x0", 1.0)
    for k, value in enumerate([1e100, 1.0, -1e100], start=1):
        total = total + graph.param(f"x{k}", value)
    assert total.value == 0.0


@pytest.mark.parametrize("function", [operator.add, operator.mul, operator.truediv, operator.pow])
def test_every_float32_result_is_rounded(function: Any) -> None:
    graph = Graph("float32")
    a, b = graph.param("a", 0.1), graph.param("b", 0.7)
    assert a.value == float(np.float32(0.1))
    expected = np.float32(function(float(np.float32(0.1)), float(np.float32(0.7))))
    assert function(a, b).value == float(expected)


def test_float32_overflows_to_inf() -> None:
    graph = Graph("float32")
    assert graph.param("a", 1e300).value == math.inf
    assert graph.param("b", [1e300, 1.0]).value.tolist() == [math.inf, 1.0]
    assert (graph.param("c", 1e30) * 1e30).value == math.inf
