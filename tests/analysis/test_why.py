"""One finding for any gradient: its kind, and the evidence that goes with it."""

import math

import numpy as np
import pytest
from networks import network

import bpstep
from bpstep.analysis.why import why
from bpstep.engine.errors import GraphError
from bpstep.scenario import load


def last(name):
    return load(name).run().passes[-1].ledger


def test_ten_sigmoids_each_a_quarter():
    found = why(last("sigmoid-chain"), "x")
    assert found.kind == "small"
    assert found.magnitude.size == 0.25**10
    assert [it.size for it in found.magnitude.decisive] == [0.25] * 10
    assert found.magnitude.decisive[0].source.startswith("s")
    assert found.magnitude.path.product == found.gradient


def test_ten_doublings():
    found = why(last("doubling-chain"), "x")
    assert (found.kind, found.gradient) == ("large", 1024.0)
    assert [it.size for it in found.magnitude.decisive] == [2.0] * 10


def test_an_ordinary_gradient_has_its_heaviest_path():
    _, loss = network()
    found = bpstep.why(loss, "w")
    assert (found.kind, found.gradient, found.zero, found.origins) == ("ordinary", 32.0, None, None)
    assert (found.magnitude.count, found.magnitude.path.product) == (2, 24.0)
    assert (found.magnitude.decisive, found.reasons) == ((), ())


def test_a_zero_and_nothing():
    g, loss = network(b=-2.0)
    found = bpstep.why(loss, "b")
    assert (found.kind, found.gradient, found.reasons) == ("zero", 0.0, ("kink",))
    assert found.magnitude is None
    nothing = bpstep.why(loss, g.find("target"))
    assert (nothing.kind, nothing.gradient, nothing.reasons) == ("zero", None, ("frozen",))


def test_nodes_handles_numbers_and_elements():
    g = bpstep.Graph()
    w = g.param("W", [[1.0, 2.0], [3.0, -4.0]])
    loss = g.apply("sum", bpstep.relu(w))
    assert bpstep.why(loss, w).zero.zeros == 1
    assert bpstep.why(loss, "W[1, 1]").reasons == ("blocked",)
    row = bpstep.why(loss, "W[1]")
    assert (row.kind, row.text, row.zero.zeros, row.zero.size) == ("ordinary", "W[1]", 1, 2)
    one = bpstep.why(loss, "W[0, 1]")
    assert (one.kind, one.gradient, one.zero) == ("ordinary", 1.0, None)


def test_a_tensor_with_a_nan_and_a_zero():
    g = bpstep.Graph()
    x = g.param("x", [0.0, -1.0, 4.0])
    loss = g.apply("sum", bpstep.where(x >= 0, bpstep.sqrt(x), 0.0))
    found = bpstep.why(loss, "x")
    assert found.kind == "nonfinite"
    assert found.origins.reverse[0].local == math.inf
    assert bpstep.why(loss, "x[2]").kind == "ordinary"
    assert bpstep.why(loss, "x[2]").origins is None


def test_tensors_say_how_norms_grow():
    g = bpstep.Graph()
    x = g.param("x", np.full((1, 2), 1e-3))
    node = x
    for _ in range(8):
        node = node @ np.array([[0.1, 0.0], [0.0, 0.1]])
    found = bpstep.why(g.apply("sum", node), "x")
    assert found.kind == "small"
    assert [it.size for it in found.magnitude.decisive] == pytest.approx([0.1] * 8)


def test_an_unknown_node_and_an_index_outside():
    _, loss = network()
    with pytest.raises(GraphError):
        bpstep.why(loss, "nope")
    with pytest.raises(GraphError):
        bpstep.why(loss, "w[0]")
    g = bpstep.Graph()
    with pytest.raises(GraphError):
        bpstep.why(g.param("x", [1.0, 2.0]), "x")


def test_a_network_with_exponentially_many_paths():
    g = bpstep.Graph()
    node = x = g.param("x", 1.0)
    for _ in range(60):
        node = 0.5 * node + 0.5 * node
    found = bpstep.why(node, x)
    assert (found.kind, found.magnitude.count) == ("ordinary", 2**60)


def test_paths_that_nearly_cancel_and_paths_that_add_up():
    g = bpstep.Graph()
    x = g.param("x", 1.0)
    small = bpstep.why(3.0 * x - 3.000001 * x, x)
    assert (small.kind, small.magnitude.paths_cancel, small.magnitude.decisive) == (
        "small",
        True,
        (),
    )
    assert small.magnitude.path.product == -3.000001
    node = x
    for _ in range(12):
        node = g.apply("add", node, node)
    large = bpstep.why(node, x)
    assert (large.kind, large.magnitude.paths_add_up, large.magnitude.count) == (
        "large",
        True,
        4096,
    )
