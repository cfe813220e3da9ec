"""Rays from a point: limits of each side, and what is no limit."""

import math

import numpy as np
import pytest

from bpstep.analysis.kinks import Approach, nearest
from bpstep.analysis.line import Line, element_line
from bpstep.analysis.rays import probe
from bpstep.analysis.sweep import Element, Sweep
from bpstep.analysis.tape import Tape
from bpstep.engine.graph import Graph


def recorded(build, *values, dtype="float64"):
    graph = Graph(dtype)
    leaves = [graph.param(f"x{i}", value) for i, value in enumerate(values)]
    return Tape(graph, build(graph, *leaves).index)


def rays(build, *values, dtype="float64"):
    return probe(element_line(recorded(build, *values, dtype=dtype), Element(0, ())))


def test_a_smooth_point_has_one_limit():
    found = rays(lambda g, x: g.apply("exp", x), 1.0)
    assert not found.broken
    for limit in (found.left.limit, found.right.limit, found.central, found.best):
        assert limit.value == pytest.approx(math.e, rel=1e-10)
        assert abs(limit.value - math.e) <= 5 * limit.bound < 1e-9


def test_a_kink_has_a_limit_on_each_side():
    found = rays(lambda g, x: g.apply("exp", x) + g.apply("abs", x), 0.0)
    assert found.broken
    assert (found.left.limit.value, found.right.limit.value) == pytest.approx((0, 2), abs=1e-9)
    assert (found.left.jump, found.right.jump) == (False, False)


def test_a_ray_ends_where_the_branches_change():
    found = rays(lambda g, x: g.apply("abs", x), 1e-3)
    assert not found.broken
    assert found.right.beyond is None
    inside, outside = found.left.beyond
    assert inside < 1e-3 < outside
    assert found.left.limit.value == pytest.approx(1)


def test_a_jump_is_on_its_side_only():
    found = rays(lambda g, x: g.apply("floor", x), 2.0)
    assert (found.left.jump, found.right.jump) == (True, False)
    assert found.right.limit.value == 0


@pytest.mark.parametrize("start", [-2.0, 3.0])
def test_what_follows_a_jump_jumps_too(start):
    found = rays(lambda g, x: g.apply("relu", g.apply("floor", x) - start) + x, start)
    assert (found.left.jump, found.right.jump) == (False, False)
    found = rays(lambda g, x: g.apply("sqrt", g.apply("floor", x) - (start - 1.0)) + x, start)
    assert (found.left.jump, found.right.jump) == (True, False)
    assert found.right.limit.value == pytest.approx(1)


def test_what_becomes_nan_and_is_replaced_jumps():
    def build(g, x):
        gone = 1.0 / g.apply("le", x, 0.0) - 1.0
        return g.apply("where", g.apply("isnan", gone * 0.0), 5.0, x)

    found = rays(build, 0.0)
    assert (found.left.jump, found.right.jump) == (False, True)


@pytest.mark.parametrize("exponent", [0.25, 0.5, 0.9])
def test_a_slope_without_end(exponent):
    found = rays(lambda g, x: g.apply("abs", x) ** exponent, 0.0)
    assert found.left.infinite
    assert found.right.infinite


def test_a_side_that_does_not_exist():
    found = rays(lambda g, x: x**1.5, 0.0)
    assert (found.left.absent, found.right.absent) == (True, False)
    assert found.right.limit.value == pytest.approx(0, abs=1e-6)
    assert not found.left.reaches_infinity
    assert rays(lambda g, x: 1.0 / x + 1.0 / (x * x), 1e-320).right.limit.value != 0


def test_a_tie_inside_a_smooth_function_breaks_nothing_in_value():
    def build(g, x, y):
        m = g.apply("maximum", x, y)
        return m + g.apply("log", g.apply("exp", x - m) + g.apply("exp", y - m))

    found = rays(build, 1.0, 1.0)
    assert found.broken
    assert (found.left.limit.value, found.right.limit.value) == pytest.approx((0.5, 0.5), rel=1e-9)


def test_a_tie_that_never_breaks_is_smooth():
    found = rays(lambda g, x: g.apply("relu", x * 0.0) + x, 1.0)
    assert not found.broken
    assert found.best.value == pytest.approx(1)


def test_a_direction_moves_several_nodes():
    tape = recorded(lambda g, x, y: x * y * y, 2.0, 3.0)
    found = probe(Line(tape, {0: np.asarray(1.0), 1: np.asarray(-2.0)}))
    assert found.best.value == pytest.approx(9 - 2 * 12, rel=1e-9)


def test_float32_has_what_float32_can():
    found = rays(lambda g, x: g.apply("exp", x), 1.0, dtype="float32")
    assert found.best.value == pytest.approx(math.e, rel=1e-3)
    assert abs(found.best.value - math.e) <= 5 * found.best.bound


# ---- distances ----


def bend(build, value, *others, inside=0.0, outside=1e-2, sign=1, reach=1e-2):
    tape = recorded(build, value, *others)
    element = Element(0, ())
    slope = probe(element_line(tape, element)).best.value
    search = Approach(element, sign, inside, outside, sign * slope)
    (found,) = nearest(Sweep(tape, [element]), [search], reach)
    return found


def test_the_distance_to_a_kink():
    found = bend(lambda g, x: g.apply("relu", x - 0.5), 0.4975)
    assert (found.what, found.sign) == ("kink", 1)
    assert found.distance == pytest.approx(0.0025, rel=1e-6)


def test_the_nearest_of_several_kinks():
    def build(g, x):
        return g.apply("relu", x - 0.002) + g.apply("relu", x - 0.003) * 2.0

    assert bend(build, 0.0).distance == pytest.approx(0.002, rel=1e-6)


def test_a_change_of_branches_that_bends_nothing_is_passed():
    def smooth(g, x):
        m = g.apply("maximum", x, 1.0)
        return m + g.apply("log", g.apply("exp", x - m) + g.apply("exp", 1.0 - m))

    assert bend(smooth, 0.998) is None
    behind = bend(lambda g, x: smooth(g, x) + g.apply("abs", x - 1.003), 0.998)
    assert behind.distance == pytest.approx(0.005, rel=1e-5)


def test_a_jump_and_an_edge():
    assert bend(lambda g, x: g.apply("floor", x) + x, 0.996).what == "jump"
    edge = bend(lambda g, x: g.apply("log", x), 0.004, sign=-1)
    assert (edge.what, edge.sign) == ("edge", -1)
    assert edge.distance == pytest.approx(0.004, rel=1e-6)


def test_what_is_out_of_reach_is_not_found():
    assert bend(lambda g, x: g.apply("abs", x), -0.5, outside=1.0, reach=0.4) is None
    assert bend(lambda g, x: g.apply("abs", x), -0.5, outside=1.0, reach=0.6) is not None


def test_a_quick_look_on_a_large_tape_finds_the_distance_to_a_thousandth():
    def build(g, x):
        y = g.apply("abs", x)
        for _ in range(60_000):
            y = y + 0.0
        return y

    found = bend(build, 0.0037, sign=-1, inside=1e-4)
    assert found.what == "kink"
    assert found.distance == pytest.approx(0.0037, rel=2e-3)
