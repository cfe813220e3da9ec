"""Difference quotients against the gradient of a pass."""

import math

import numpy as np
import pytest

from bpstep.analysis.differences import (
    DEFAULT_STEPS,
    check,
    check_all,
    check_each,
    relative_error,
)
from bpstep.engine.errors import GraphError
from bpstep.engine.graph import Graph
from bpstep.engine.reverse import backward, reverse


def test_a_smooth_point_agrees_at_every_step(network):
    graph, loss = network()
    result = check(graph, loss.index, "w")
    assert (result.analytic, result.element) == (32.0, None)
    assert [row.h for row in result.rows] == list(DEFAULT_STEPS)
    for row in result.rows:
        assert row.central == pytest.approx(32, rel=1e-9)
        assert row.left < 32 < row.right
        assert row.abs_error == abs(32 - row.central)
        assert row.rel_error == row.abs_error / max(32, row.central)


def test_the_quotients_are_the_textbook_ones():
    graph = Graph()
    x = graph.param("x", 3.0)
    (row,) = check(graph, (x * x).index, "x", [0.5]).rows
    assert (row.left, row.right, row.central) == (5.5, 6.5, 6.0)
    assert (row.abs_error, row.rel_error) == (0.0, 0.0)


def test_at_a_kink_the_sides_differ_and_central_is_between(network):
    graph, loss = network(-2.0)
    row = check(graph, loss.index, "w").rows[-1]
    assert check(graph, loss.index, "w").analytic == 2.0
    assert (row.left, row.right, row.central) == pytest.approx((2, 8, 5), rel=1e-4)


def test_the_rebuilt_function_is_judged_where_a_detach_cuts(network):
    graph, loss = network(detached=True)
    result = check(graph, loss.index, "w")
    assert result.analytic == 24.0
    assert result.rows[1].central == pytest.approx(32, rel=1e-9)


def test_every_element_of_a_tensor_is_checked_and_the_worst_counts():
    graph = Graph()
    w = graph.param("W", [[1.0, 2.0], [3.0, 0.0]])
    loss = graph.apply("sum", graph.apply("abs", w))
    result = check(graph, loss.index, "W")
    assert [each.index for each in result.elements] == [(0, 0), (0, 1), (1, 0), (1, 1)]
    assert [each.analytic for each in result.elements] == [1.0, 1.0, 1.0, 0.0]
    assert result.worst.error < 1e-9
    right_sided = check(graph, (loss + graph.apply("relu", w[1, 1])).index, "W")
    assert (right_sided.worst.index, right_sided.element) == ((1, 1), "[1, 1]")
    assert check(graph, loss.index, "W[0]").element == "[0, 0]"
    assert right_sided.analytic == 0.0
    assert right_sided.rows[0].central == pytest.approx(0.5)


def test_one_element_or_one_row_of_a_tensor():
    graph = Graph()
    w = graph.param("W", [[1.0, 2.0], [3.0, 4.0]])
    loss = graph.apply("sum", w * w)
    one = check(graph, loss.index, " W[0, -1] ")
    assert (one.wrt, [each.index for each in one.elements]) == ("W[0, -1]", [(0, 1)])
    assert one.analytic == 4.0
    assert [each.index for each in check(graph, loss.index, "W[1]").elements] == [(1, 0), (1, 1)]


@pytest.mark.parametrize("wrt", ["W[2, 0]", "W[0, -3]", "W[0, 0, 0]", "W[a]", "W[]", "W[:, 0]"])
def test_an_index_that_the_shape_does_not_have(wrt):
    graph = Graph()
    w = graph.param("W", [[1.0, 2.0], [3.0, 4.0]])
    loss = graph.apply("sum", w)
    with pytest.raises(GraphError) as caught:
        check(graph, loss.index, wrt)
    assert caught.value.code == "argument"


def test_an_unknown_name(network):
    graph, loss = network()
    with pytest.raises(GraphError, match="vv") as caught:
        check(graph, loss.index, "vv")
    assert caught.value.code == "unknown-name"


@pytest.mark.parametrize("step", [0.0, -1e-4, math.inf, math.nan])
def test_a_step_that_is_no_positive_number(network, step):
    graph, loss = network()
    with pytest.raises(GraphError, match="positive"):
        check(graph, loss.index, "w", [step])


def test_all_is_every_leaf_with_a_gradient(network):
    graph, loss = network()
    results = check_all(graph, loss.index, [1e-4])
    assert [(each.wrt, each.analytic) for each in results] == [
        ("x", 16.0),
        ("w", 32.0),
        ("b", 12.0),
        ("v", 4.0),
    ]


def test_targets_that_are_computed_from_each_other_are_moved_apart(network):
    """p is computed from w, and the loss from both: none is held while another moves."""
    graph, loss = network()
    names = ["w", "p", "loss", "b", "h", "p", "w"]
    together = check_each(graph, loss.index, names)
    alone = [check(graph, loss.index, name) for name in names]
    assert [each.wrt for each in together] == names
    assert [each.rows for each in together] == [each.rows for each in alone]
    assert [each.central for each in together] == [each.central for each in alone]


def test_a_leaf_that_nothing_arrives_at_is_held_against_zero():
    graph = Graph()
    x, w = graph.param("x", 2.0), graph.param("w", 1.0)
    loss = graph.apply("detach", x) * w
    result = check(graph, loss.index, "x", [1e-2])
    assert result.analytic is None
    assert result.rows[0].abs_error == pytest.approx(1.0)


def test_the_pass_alone_is_judged_without_an_older_buffer(network):
    graph, loss = network()
    ledger = reverse(graph, loss.index, buffers={graph.find("w"): 100.0})
    assert ledger.grad("w") == 132.0
    assert check(graph, loss.index, "w", ledger=ledger).analytic == 32.0


def test_what_a_given_pass_produced_is_judged_not_a_new_one(network):
    graph, loss = network()
    graph.replace(graph.find("v"), 5.0)
    result = check(graph, loss.index, "w", ledger=backward(loss))
    assert result.analytic == 48.0
    assert result.rows[1].central == pytest.approx(32, rel=1e-9)


def test_a_nan_gradient_is_worst():
    graph = Graph()
    x = graph.param("x", [0.0, 1.0])
    loss = graph.apply("sum", graph.apply("sqrt", x * x))
    result = check(graph, loss.index, "x")
    assert result.worst.index == (0,)
    assert math.isnan(result.rows[0].abs_error)
    assert result.worst.error == math.inf


def test_the_relative_error_is_absolute_below_one():
    assert relative_error(1e-9, 3e-9) == pytest.approx(2e-9)
    assert relative_error(200.0, 100.0) == 0.5


def test_float32_drowns_in_rounding_at_small_steps():
    graph = Graph(dtype="float32")
    x = graph.param("x", 1.0)
    loss = graph.apply("exp", x)
    errors = [row.rel_error for row in check(graph, loss.index, "x", [1e-2, 1e-7]).rows]
    assert errors[0] < 1e-3 < errors[1]


def test_a_step_below_the_spacing_of_floats_gives_zero():
    graph = Graph()
    x = graph.param("x", 1.0)
    (row,) = check(graph, graph.apply("exp", x).index, "x", [1e-17]).rows
    assert (row.left, row.right, row.central) == (0.0, 0.0, 0.0)


def test_a_matrix_layer_agrees_in_every_element():
    rng = np.random.default_rng(0)
    graph = Graph()
    x = graph.constant("X", rng.normal(size=(4, 3)))
    w, b = graph.param("W", rng.normal(size=(2, 3))), graph.param("b", rng.normal(size=2))
    z = graph.apply("matmul", x, graph.apply("transpose", w)) + b
    loss = graph.apply("sum", graph.apply("tanh", z))
    for result in check_all(graph, loss.index, [1e-5]):
        assert result.worst.error < 1e-9


@pytest.mark.parametrize("value", [math.inf, -math.inf, math.nan, 1.7e308])
def test_a_leaf_that_cannot_move_is_checked_without_a_warning(value):
    graph = Graph()
    x = graph.input("x", value)
    found = check(graph, (x * graph.param("w", 2.0)).index, "x")
    assert found.analytic == 2.0
