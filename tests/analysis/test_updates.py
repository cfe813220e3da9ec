"""One step of gradient descent at several rates."""

import numpy as np
import pytest

from bpstep.analysis.updates import update
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
