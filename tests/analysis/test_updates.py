"""One step of gradient descent at several rates."""

import math

import numpy as np
import pytest
from recipes import Made

import bpstep
from bpstep import relu
from bpstep.analysis.updates import curve, update
from bpstep.engine.errors import GraphError
from bpstep.engine.graph import Graph
from bpstep.engine.program import Backward, ClipNorm, Forward, Settings, Step, execute


class Network:
    """The network of the lessons, as something that can be recorded again."""

    loss = "loss"

    def __init__(self, network):
        self._network = network
        graph, _ = network()
        self.leaf_values = {graph.label(i): graph.values[i] for i in graph.leaves()}

    def record(self, leaves):
        graph = Graph()
        x, w = graph.input("x", leaves["x"]), graph.param("w", leaves["w"])
        b, v = graph.param("b", leaves["b"]), graph.param("v", leaves["v"])
        target = graph.constant("target", leaves["target"])
        p = graph.name("p", w * x)
        h = graph.name("h", graph.apply("relu", graph.name("z", p + b)))
        y = graph.name("y", v * h + p)
        graph.name("loss", 0.5 * (y - target) ** 2)
        return graph


@pytest.fixture
def recipe(network):
    return Network(network)


def test_a_small_step_goes_down(recipe):
    (result,) = update(execute(recipe), [0.01])
    assert result.params == pytest.approx({"w": 0.68, "b": -1.12, "v": 2.96}, rel=1e-12)
    assert result.loss == pytest.approx(0.57287808, rel=1e-12)
    assert result.predicted == -0.01 * (32.0**2 + 12.0**2 + 4.0**2)
    assert result.actual == result.loss - 8.0
    assert result.crossed == ()


def test_a_large_step_goes_up_across_the_kink(recipe):
    small, large = update(execute(recipe), [0.01, 0.1])
    assert (small.rate, large.rate) == (0.01, 0.1)
    assert large.loss == pytest.approx(14.58, rel=1e-12)
    assert large.params == pytest.approx({"w": -2.2, "b": -2.2, "v": 2.6}, rel=1e-12)
    assert large.crossed == ("h",)


def test_at_which_rate_a_branch_is_crossed(recipe):
    """z = 2(1 − 32r) − 1 − 12r is 0 at r = 1/76."""
    (result,) = update(execute(recipe), [0.1])
    assert [each.node for each in result.crossings] == ["h"]
    assert result.crossings[0].rate == pytest.approx(1 / 76, rel=1e-13)
    assert update(execute(recipe), [0.01])[0].crossings == ()


def test_the_ratio_of_actual_to_predicted(recipe):
    tiny, small, large = update(execute(recipe), [1e-6, 0.01, 0.1])
    assert tiny.ratio == pytest.approx(1.0, rel=1e-2)
    assert small.ratio == small.actual / small.predicted
    assert large.ratio < 0
    assert math.isnan(update(execute(recipe), [0.0])[0].ratio)


def test_the_loss_along_the_ray(recipe):
    rates = [0.0, 0.01, 0.05, 0.1]
    found = curve(execute(recipe), rates)
    tried = [each.loss for each in update(execute(recipe), rates)]
    np.testing.assert_array_equal(found.rates, rates)
    np.testing.assert_allclose(found.losses, tried, rtol=1e-14)
    assert found.slope == -(32.0**2 + 12.0**2 + 4.0**2)


def test_the_loss_along_a_ray_that_nothing_moves_on(recipe):
    np.testing.assert_array_equal(curve(execute(recipe), [0.0, 1.0], []).losses, [8.0, 8.0])
    assert curve(execute(recipe), []).losses.shape == (0,)


def descent(nodes, **leaves):
    """One step at a rate along the gradients of a loss that is recorded by a function."""
    return execute(Made(leaves, nodes))


def two_units(a, b):
    return {"h": relu(a), "k": relu(b), "loss": relu(a) + 2 * relu(b)}


def test_branches_are_listed_in_the_order_in_which_they_are_crossed():
    """a falls with 1 and b with 2, both from 1."""
    run = descent(two_units, a=1.0, b=1.0)
    (result,) = update(run, [4.0])
    assert result.crossed[:2] == ("h", "k")
    assert [(each.node, each.rate) for each in result.crossings] == [
        ("(relu(b))", pytest.approx(0.5, rel=1e-13)),
        ("(relu(a))", pytest.approx(1.0, rel=1e-13)),
    ]


def test_a_tie_is_left_at_once():
    (result,) = update(descent(lambda a: {"h": relu(a), "loss": relu(a) + a}, a=0.0), [1.0])
    assert {each.rate for each in result.crossings} == {0.0}


def test_a_rate_below_zero_climbs():
    (result,) = update(descent(lambda a: {"loss": relu(a) + a}, a=-1.0), [-2.0])
    assert result.crossings[0].rate == pytest.approx(-1.0, rel=1e-13)


@pytest.mark.parametrize("rate", [math.inf, -math.inf, math.nan, 1e308, 5e-324])
def test_any_rate_comes_to_an_end(rate):
    (result,) = update(descent(lambda a: {"loss": relu(a) + a}, a=1.0), [rate])
    assert result.rate == rate or math.isnan(rate)


def test_elements_of_tensors_cross_and_the_first_counts():
    run = descent(lambda a: {"loss": bpstep.sum(relu(a))}, a=np.array([1.0, 3.0]))
    assert update(run, [5.0])[0].crossings[0].rate == pytest.approx(1.0, rel=1e-13)


def test_hundreds_of_branches_in_one_go():
    starts = np.linspace(0.5, 1.5, 300)

    def nodes(**leaves):
        total = None
        for leaf in leaves.values():
            total = relu(leaf) if total is None else total + relu(leaf)
        return {"loss": total}

    run = descent(nodes, **{f"a{i}": float(start) for i, start in enumerate(starts)})
    (result,) = update(run, [2.0])
    assert [each.rate for each in result.crossings] == pytest.approx(list(starts), rel=1e-12)


def test_only_the_named_parameters_move_and_are_predicted(recipe):
    (result,) = update(execute(recipe), [0.01], ["v", "x"])
    assert result.params == pytest.approx({"v": 2.96, "x": 1.84}, rel=1e-12)
    assert result.predicted == -0.01 * (4.0**2 + 16.0**2)


def test_the_gradients_are_of_the_last_pass_alone(recipe):
    settings = Settings(buffers="accumulate")
    program = [Forward(), Backward(), Backward(), ClipNorm(1.0)]
    (result,) = update(execute(recipe, program, settings), [0.01])
    assert result.loss == pytest.approx(0.57287808, rel=1e-12)


def test_the_leaves_are_those_of_the_last_forward(recipe):
    run = execute(recipe, [Forward(), Backward(), Step(0.01), Forward()])
    (result,) = update(run, [0.0])
    assert result.params["w"] == pytest.approx(0.68)
    assert result.loss == pytest.approx(0.57287808, rel=1e-12)
    assert (result.actual, result.predicted) == (0.0, 0.0)


def test_before_a_backward_there_is_nothing_to_step_along(recipe):
    with pytest.raises(GraphError) as caught:
        update(execute(recipe, [Forward()]), [0.1])
    assert caught.value.code == "no-gradient"


def test_an_unknown_parameter(recipe):
    with pytest.raises(GraphError, match="ww"):
        update(execute(recipe), [0.1], ["ww"])


class Frozen:
    """A frozen parameter beside one that learns, tensors in float32."""

    loss = "loss"

    @property
    def leaf_values(self):
        return {"u": np.float32([1.0, 2.0]), "w": np.float32([0.1, 0.3])}

    def record(self, leaves):
        graph = Graph(dtype="float32")
        u = graph.param("u", leaves["u"], grad=False)
        w = graph.param("w", leaves["w"])
        graph.name("loss", graph.apply("sum", u * w))
        return graph


def test_what_nothing_arrives_at_stays_and_float32_is_kept():
    (result,) = update(execute(Frozen()), [0.1])
    np.testing.assert_array_equal(result.params["u"], [1.0, 2.0])
    moved = np.float32([0.1, 0.3]) - np.float32(0.1) * np.float32([1.0, 2.0])
    np.testing.assert_allclose(result.params["w"], moved, rtol=1e-6)
    assert result.params["w"].dtype == np.float32
    assert result.predicted == pytest.approx(-0.5)
