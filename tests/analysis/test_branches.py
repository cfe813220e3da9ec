"""Branch codes, and which nodes cross between two evaluations."""

import math

import numpy as np
import pytest

from bpstep.analysis.branches import crossed, signature
from bpstep.analysis.forward import evaluate
from bpstep.engine.graph import Graph


def crossings(build, before, after):
    """The operations that cross when the only leaf goes from one value to another."""
    graph = Graph()
    leaf = graph.param("x", before)
    graph.name("out", build(graph, leaf))
    there = after if isinstance(after, float) else np.asarray(after)
    return crossed(graph, graph.values, evaluate(graph, {leaf.index: there}))


def test_only_operations_with_branches_have_codes(network):
    graph, _ = network()
    names = [graph.label(node) for node in signature(graph, graph.values)]
    assert "h" in names
    assert not {"p", "z", "q", "y", "w"} & set(names)


def test_a_relu_that_turns_off_crosses(network):
    graph, _ = network()
    off = evaluate(graph, {graph.find("b"): -3.0})
    on = evaluate(graph, {graph.find("b"): -1.5})
    assert crossed(graph, graph.values, off) == ("h",)
    assert crossed(graph, graph.values, on) == ()


def test_the_kink_itself_is_a_branch_of_its_own():
    def build(g, x):
        return g.apply("relu", x)

    assert crossings(build, 0.0, 1.0) == ("out",)
    assert crossings(build, 0.0, -1.0) == ("out",)
    assert crossings(build, 0.0, -0.0) == ()


@pytest.mark.parametrize(
    ("build", "before", "after"),
    [
        (lambda g, x: g.apply("abs", x), -1.0, 1.0),
        (lambda g, x: g.apply("maximum", x, 2.0), 1.0, 3.0),
        (lambda g, x: g.apply("clamp", x, min=-1.0, max=1.0), 0.0, 2.0),
        (lambda g, x: g.apply("floor", x), 0.5, 1.5),
        (lambda g, x: g.apply("where", x > 1.0, x, 0.0), 0.5, 1.5),
        (lambda g, x: g.apply("sqrt", x), 1.0, 0.0),
        (lambda g, x: g.apply("max", x), [1.0, 2.0], [3.0, 2.0]),
        (lambda g, x: g.apply("relu", x), [1.0, 2.0], [1.0, -2.0]),
    ],
)
def test_what_crosses(build, before, after):
    assert crossings(build, before, after) == ("out",)
    assert crossings(build, before, before) == ()


@pytest.mark.parametrize("power", [2.0, 3.0, 0.0])
def test_a_whole_power_is_smooth_where_its_base_changes_sign(power):
    assert crossings(lambda g, x: x**power, 1.0, -1.0) == ()


@pytest.mark.parametrize("power", [0.5, -1.0])
def test_other_powers_are_not(power):
    assert crossings(lambda g, x: x**power, 1.0, -1.0) == ("out",)


def test_nan_is_no_crossing_from_nan():
    assert crossings(lambda g, x: g.apply("relu", x), math.nan, math.nan) == ()
    assert crossings(lambda g, x: g.apply("relu", x), 1.0, math.nan) == ("out",)


def test_crossings_come_in_tape_order():
    graph = Graph()
    x = graph.param("x", 1.0)
    first = graph.name("first", graph.apply("abs", x))
    graph.name("second", graph.apply("relu", x - 2.0 + 0.0 * first))
    after = evaluate(graph, {x.index: -5.0})
    assert crossed(graph, graph.values, after) == ("first",)
    assert crossed(graph, graph.values, evaluate(graph, {x.index: 3.0})) == ("second",)
    there = evaluate(graph, {x.index: 3.0})
    assert crossed(graph, there, after) == ("first", "second")
