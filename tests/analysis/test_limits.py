"""Extrapolated derivatives: one-sided and central limits of difference quotients."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bpstep.analysis.extrapolation import extrapolate
from bpstep.analysis.limits import limits
from bpstep.engine.graph import Graph


def of(build, *values, dtype="float64"):
    graph = Graph(dtype)
    leaves = [graph.param(f"x{i}", value) for i, value in enumerate(values)]
    return limits(graph, build(graph, *leaves).index, leaves[0].index)


@pytest.mark.parametrize("name", ["w", "b", "v", "x"])
def test_a_smooth_point(network, name):
    graph, loss = network()
    expected = {"w": 32, "b": 12, "v": 4, "x": 16}[name]
    found = limits(graph, loss.index, graph.find(name))
    for limit in (found.left, found.right, found.central):
        assert limit.value == pytest.approx(expected, rel=1e-12)
        assert limit.bound < 1e-10


def test_each_side_of_a_kink_and_the_mean_of_both(network):
    graph, loss = network(-2.0)
    found = limits(graph, loss.index, graph.find("w"))
    assert found.left.value == pytest.approx(2, rel=1e-12)
    assert found.right.value == pytest.approx(8, rel=1e-12)
    assert found.central.value == pytest.approx(5, rel=1e-12)


@pytest.mark.parametrize("distance", [1e-1, 1e-3, 1e-5, 1e-7])
def test_a_kink_inside_the_larger_steps_does_not_count(distance):
    found = of(lambda g, a, b: g.apply("maximum", a, b) ** 2, 1.0, 1.0 + distance)
    assert (found.left.value, found.right.value) == pytest.approx((0, 0), abs=1e-6)
    found = of(lambda g, a, b: g.apply("maximum", a, b) ** 2, 1.0 + distance, 1.0)
    assert found.central.value == pytest.approx(2 + 2 * distance, rel=1e-6)


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(
        [
            ("exp", np.exp),
            ("sin", np.cos),
            ("tanh", lambda x: 1 - np.tanh(x) ** 2),
            ("square", lambda x: 2 * x),
        ]
    ),
    st.floats(-3, 3),
    st.floats(-100, 100),
)
def test_smooth_functions_to_a_millionth(function, x, offset):
    name, slope = function
    found = of(lambda g, a: g.apply(name, a) + offset, x)
    for limit in (found.left, found.right, found.central):
        assert limit.value == pytest.approx(slope(x), rel=1e-6, abs=1e-8)


@settings(max_examples=60, deadline=None)
@given(st.floats(-2, 2), st.floats(-2, 2))
def test_each_side_of_a_bent_curve_to_a_millionth(left, right):
    def bent(g, a):
        return left * g.apply("sin", a) + (right - left) * g.apply("exp", a) * g.apply("relu", a)

    found = of(bent, 0.0)
    assert found.left.value == pytest.approx(left, rel=1e-6, abs=1e-9)
    assert found.right.value == pytest.approx(right, rel=1e-6, abs=1e-9)
    assert found.central.value == pytest.approx((left + right) / 2, rel=1e-6, abs=1e-9)


def test_a_large_constant_costs_digits_and_the_bound_says_so():
    found = of(lambda g, a: 100.0 * g.apply("exp", a) + 1e6, 1.0).central
    assert found.value == pytest.approx(100 * math.e, rel=1e-6)
    assert abs(found.value - 100 * math.e) <= 5 * found.bound


def test_a_cancellation_inside_is_noise_too():
    found = of(lambda g, a: (g.apply("exp", a) + 1e6) - 1e6, 1.0).central
    assert found.value == pytest.approx(math.e, rel=1e-6)
    assert abs(found.value - math.e) <= 5 * found.bound


def test_a_root_has_an_infinite_slope_and_no_left_side():
    found = of(lambda g, a: g.apply("sqrt", a), 0.0)
    assert found.right.value == math.inf
    assert math.isnan(found.left.value)
    assert math.isnan(found.central.value)


def test_at_a_jump_the_quotients_grow_without_end():
    found = of(lambda g, a: (g.apply("floor", a) - 0.5) ** 2, 2.0)
    assert (found.left.value, found.right.value) == (math.inf, 0.0)
    assert found.central.value == math.inf


def test_a_point_that_is_not_finite_has_no_limits():
    for value in (math.nan, math.inf):
        assert math.isnan(of(lambda g, a: a * 2.0, value).central.value)
    assert math.isnan(of(lambda g, a: g.apply("log", a), 0.0).right.value)


def test_an_element_of_a_tensor():
    graph = Graph()
    w = graph.param("W", [[1.0, 2.0], [3.0, 4.0]])
    loss = graph.apply("sum", w * w * w)
    assert limits(graph, loss.index, w.index, (1, 0)).central.value == pytest.approx(27, rel=1e-9)


def test_float32_gives_what_float32_can():
    found = of(lambda g, a: g.apply("exp", a), 1.0, dtype="float32").central
    assert found.value == pytest.approx(math.e, rel=1e-3)
    assert abs(found.value - math.e) <= 5 * found.bound


def test_a_very_small_slope_keeps_its_digits():
    def chain(g, a):
        for _ in range(10):
            a = g.apply("sigmoid", a) - 0.5
        return a

    assert of(chain, 0.0).central.value == pytest.approx(0.25**10, rel=1e-6)


def test_the_limit_of_a_polynomial_in_the_step():
    steps = 0.5 * 0.25 ** np.arange(8)
    limit = extrapolate(steps, 3 + steps - 2 * steps**2, 1e-15 / steps, power=1)
    assert limit.value == pytest.approx(3, abs=1e-13)
    assert abs(limit.value - 3) <= limit.bound < 1e-11


def test_no_quotients_no_limit():
    nothing = np.array([])
    assert math.isinf(extrapolate(nothing, nothing, nothing, power=1).bound)
