"""Forward-only evaluation of a tape at changed values."""

import numpy as np

from bpstep.analysis.forward import Replay, evaluate
from bpstep.engine.graph import Graph


def test_unchanged_values_give_the_recorded_ones(network):
    graph, _ = network()
    assert evaluate(graph, {i: graph.values[i] for i in graph.leaves()}) == graph.values


def test_a_changed_leaf_changes_what_depends_on_it(network):
    graph, loss = network()
    values = evaluate(graph, {graph.find("w"): 2.0})
    found = {name: values[graph.find(name)] for name in ("p", "z", "h", "q", "y", "e", "loss")}
    assert found == {"p": 4.0, "z": 3.0, "h": 3.0, "q": 9.0, "y": 13.0, "e": 12.0, "loss": 72.0}
    assert loss.value == 8.0


def test_a_changed_operation_keeps_the_value_it_is_given(network):
    graph, loss = network()
    values = evaluate(graph, {graph.find("w"): 50.0, graph.find("p"): 2.0})
    assert values[loss.index] == 8.0


def test_detached_values_are_rebuilt(network):
    graph, loss = network(detached=True)
    assert evaluate(graph, {graph.find("w"): 2.0})[loss.index] == 72.0


def test_overwritten_values_are_taken_as_they_were_recorded(network):
    graph, loss = network()
    graph.replace(graph.find("h"), 100.0)
    graph.replace(graph.find("w"), 100.0)
    assert evaluate(graph, {graph.find("v"): 3.0})[loss.index] == 8.0


def test_only_what_lies_between_source_and_output_is_evaluated():
    graph = Graph()
    x, y = graph.param("x", 2.0), graph.param("y", 3.0)
    a = x * x
    _beside = y * x
    replay = Replay(graph, (x.index,), a.index)
    assert replay.values({x.index: 5.0})[2:] == [25.0, 6.0]


def test_float32_is_rounded_after_every_operation():
    graph = Graph(dtype="float32")
    x = graph.param("x", 0.1)
    y = x * x + x
    assert evaluate(graph, {x.index: x.value}) == graph.values
    third = float(np.float32(1) / np.float32(3))
    expected = np.float32(third) * np.float32(third) + np.float32(third)
    assert evaluate(graph, {x.index: third})[y.index] == float(expected)


def test_tensors_keep_their_shapes_and_are_not_changed_in_place():
    graph = Graph()
    w = graph.param("w", [[1.0, 2.0], [3.0, 4.0]])
    total = graph.apply("sum", w * w)
    assert evaluate(graph, {w.index: np.ones((2, 2))})[total.index] == 4.0
    assert total.value == 30.0


def test_what_overflows_is_inf_and_no_error():
    graph = Graph()
    x = graph.param("x", 1.0)
    y = graph.apply("exp", x) / x
    assert evaluate(graph, {x.index: 1000.0})[y.index] == float("inf")
    assert evaluate(graph, {x.index: 0.0})[y.index] == float("inf")


def test_a_chain_of_a_hundred_thousand_operations():
    graph = Graph()
    x = node = graph.param("x", 1.0)
    for _ in range(100_000):
        node = node + 1.0
    assert evaluate(graph, {x.index: 5.0})[node.index] == 100_005.0
