"""Paths from the output to a node: counted exactly, the largest found, shares that add up."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bpstep
from bpstep.analysis.paths import paths
from bpstep.analysis.routes import Routes, every_route, largest_routes
from bpstep.engine.errors import GraphError
from bpstep.engine.faults import Fault, faulty_reverse
from bpstep.engine.graph import Graph
from bpstep.engine.reverse import backward, reverse


def test_both_paths_into_the_weight(network):
    _, loss = network()
    found = paths(backward(loss), "w")
    assert (found.node, found.count, found.shown, found.total) == ("w", 2, 2, 32.0)
    long, short = found.paths
    assert long.nodes == ("loss", "(e**2)", "e", "y", "q", "h", "z", "p", "w")
    assert long.factors == (0.5, 8.0, 1.0, 1.0, 3.0, 1.0, 1.0, 2.0)
    assert long.product == 24.0
    assert short.nodes == ("loss", "(e**2)", "e", "y", "p", "w")
    assert short.rules[-1] == "x"
    assert short.product == 8.0
    assert found.complete


def test_an_operand_used_twice_makes_two_paths():
    graph = Graph()
    r = graph.param("r", 3.0)
    found = paths(backward(r * r), "r")
    assert [path.product for path in found.paths] == [3.0, 3.0]
    assert found.count == 2


def test_the_output_is_reached_by_the_path_of_length_nothing(network):
    _, loss = network()
    (path,) = paths(backward(loss), "loss").paths
    assert (path.nodes, path.factors, path.product) == (("loss",), (), 1.0)


def test_nothing_reaches_a_constant(network):
    _, loss = network()
    found = paths(backward(loss), "target")
    assert (found.count, found.paths, found.total) == (0, (), None)


def test_an_unknown_node(network):
    _, loss = network()
    with pytest.raises(GraphError):
        paths(backward(loss), "nothing")


def test_the_total_is_of_the_pass_alone(network):
    graph, loss = network()
    ledger = reverse(graph, loss.index, buffers={graph.find("w"): 100.0})
    assert paths(ledger, "w").total == 32.0


def test_the_limit_keeps_the_largest():
    graph = Graph()
    x = graph.param("x", 1.0)
    total = x * 3.0 + x * -7.0 + x * 5.0
    found = paths(backward(total), "x", limit=2)
    assert [path.product for path in found.paths] == [-7.0, 5.0]
    assert (found.count, found.shown, found.total) == (3, 2, 1.0)


def layered(weights):
    """A chain of layers that every path crosses by one of each layer's factors."""
    graph = Graph()
    node = graph.param("x", 1.0)
    for layer in weights:
        terms = [node * weight for weight in layer]
        node = terms[0]
        for term in terms[1:]:
            node = node + term
    return graph, node


def test_more_paths_than_anyone_can_list_are_counted_and_the_largest_found():
    _, node = layered([[0.5, 0.25, -1.5]] * 200)
    found = paths(backward(node), "x", limit=5)
    assert found.count == 3**200
    assert found.complete
    sizes = [path.product for path in found.paths]
    assert sizes[0] == pytest.approx(1.5**200, rel=1e-12)
    assert sizes[1:] == pytest.approx([-(1.5**199) / 2] * 4, rel=1e-12)


def test_equal_paths_without_number_do_not_slow_the_search():
    graph = Graph()
    node = graph.param("x", 1.0)
    for _ in range(3_000):
        node = node + node
    found = paths(backward(node), "x", limit=3)
    assert found.count == 2**3_000
    assert [path.product for path in found.paths] == [1.0] * 3
    assert len({path.nodes for path in found.paths}) == 1


def test_a_chain_of_a_hundred_thousand_operations_is_one_path():
    graph = Graph()
    node = graph.param("x", 1.0)
    for _ in range(100_001):
        node = node + 1.0
    found = paths(backward(node), "x")
    assert (found.count, found.paths[0].product) == (1, 1.0)
    assert len(found.paths[0].nodes) == 100_002


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.lists(st.sampled_from([0.0, 0.5, -1.5, 2.0, 3.0, -0.25]), min_size=1, max_size=3),
        min_size=1,
        max_size=5,
    ),
    st.integers(1, 12),
)
def test_the_search_finds_what_listing_finds(weights, limit):
    graph, node = layered(weights)
    routes = Routes(backward(node), graph.find("x"))
    listed = list(every_route(routes))
    searched = list(largest_routes(routes, limit))
    assert len(listed) == routes.count
    assert len({route for route, _ in searched}) == len(searched) == min(limit, routes.count)
    largest = sorted((abs(share) for _, share in listed), reverse=True)[:limit]
    assert [abs(share) for _, share in searched] == pytest.approx(largest, rel=1e-12)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_the_shares_add_to_the_gradient(data):
    graph = Graph()
    nodes = [graph.param("x", 1.5), graph.param("y", -0.75)]
    for _ in range(data.draw(st.integers(1, 8))):
        a, b = (data.draw(st.sampled_from(nodes)) for _ in range(2))
        operation = data.draw(st.sampled_from(["add", "mul", "maximum", "sub", "tanh"]))
        nodes.append(graph.apply(operation, *([a] if operation == "tanh" else [a, b])))
    ledger = backward(nodes[-1])
    for leaf in ("x", "y"):
        found = paths(ledger, leaf, limit=1000)
        shares = [path.product for path in found.paths]
        assert found.shown == found.count
        scale = sum(abs(share) for share in shares)
        assert sum(shares) == pytest.approx(found.total or 0.0, abs=1e-12 * (1 + scale))


def test_tensor_shares_have_the_shape_of_the_node_and_add_up():
    rng = np.random.default_rng(1)
    graph = Graph()
    x = graph.constant("X", rng.normal(size=(4, 3)))
    w = graph.param("W", rng.normal(size=(3, 3)))
    hidden = graph.apply("tanh", graph.apply("matmul", x, w))
    loss = graph.apply("sum", graph.apply("matmul", hidden, w) * hidden)
    found = paths(backward(loss), "W")
    shares = [path.product for path in found.paths]
    assert [np.shape(share) for share in shares] == [(3, 3)] * 3
    norms = [float(np.linalg.norm(share)) for share in shares]
    assert norms == sorted(norms, reverse=True)
    np.testing.assert_allclose(sum(shares), found.total, rtol=1e-12)
    assert all(path.factors[-1] is None and ".T @ G" in path.rules[-1] for path in found.paths)


def test_too_many_tensor_paths_are_cut_off_and_that_is_said():
    graph = Graph()
    node = graph.param("x", [1.0, 2.0])
    for _ in range(40):
        node = node + node
    found = paths(backward(graph.apply("sum", node)), "x", limit=3)
    assert found.count == 2**40
    assert not found.complete
    np.testing.assert_array_equal(found.paths[0].product, [1.0, 1.0])


def test_broadcasting_is_summed_back_along_the_path():
    graph = Graph()
    b = graph.param("b", [1.0, 2.0, 3.0])
    a = graph.constant("A", [[1.0, 0.0, 2.0], [3.0, 1.0, 1.0]])
    found = paths(backward(graph.apply("sum", a * b)), "b")
    np.testing.assert_array_equal(found.paths[0].product, [4.0, 1.0, 3.0])


def test_float32_shares_are_rounded_as_contributions_are():
    graph = Graph(dtype="float32")
    x = graph.param("x", 0.1)
    found = paths(backward(x * x * x), "x")
    assert all(path.product == float(np.float32(path.product)) for path in found.paths)


def test_factors_that_are_not_finite():
    graph = Graph()
    x = graph.param("x", 0.0)
    found = paths(backward(graph.apply("sqrt", x * x)), "x")
    assert all(math.isnan(path.product) for path in found.paths)
    graph, node = layered([[1.0, math.inf, 0.0]] * 40)
    found = paths(backward(node), "x", limit=4)
    assert found.count == 3**40
    assert not any(math.isfinite(path.product) for path in found.paths)


def test_a_convention_that_masks_holds_along_a_path():
    graph = Graph()
    x = graph.param("x", 10.0)
    c = graph.apply("clamp", x, min=-1.0, max=1.0)
    root = graph.apply("sqrt", 1.0 - c * c)
    ledger = backward(root)
    assert [path.product for path in paths(ledger, "x").paths] == [0.0, 0.0]
    assert ledger.grad("x") == 0.0


# ---- the sum against the gradient ----


def test_the_shares_of_a_right_pass_agree_with_its_gradient(network):
    _, loss = network()
    found = paths(backward(loss), "w")
    assert (found.total, found.gradient, found.agree) == (32.0, 32.0, True)
    nothing = paths(backward(loss), "target")
    assert (nothing.total, nothing.gradient, nothing.agree) == (None, None, True)


@pytest.mark.parametrize(
    ("fault", "gradient"),
    [
        (Fault("overwrite"), 24.0),
        (Fault("drop", node="p", source="y"), 24.0),
        (Fault("revisit"), 64.0),
        (Fault("early"), 8.0),
    ],
)
def test_the_paths_of_a_pass_with_a_fault_are_the_graph_s_and_do_not_add_up(
    network, fault, gradient
):
    graph, loss = network()
    found = paths(faulty_reverse(graph, loss.index, fault), "w")
    assert [path.product for path in found.paths] == [24.0, 8.0]
    assert (found.total, found.gradient, found.agree) == (32.0, gradient, False)


def test_the_sum_of_paths_that_nobody_lists_is_known_all_the_same():
    graph, node = layered([[0.5, 0.25, -1.5]] * 200)
    right = paths(backward(node), "x", limit=1)
    assert right.total == pytest.approx((-0.75) ** 200, rel=1e-9)
    assert right.agree
    wrong = paths(faulty_reverse(graph, node.index, Fault("overwrite")), "x", limit=1)
    assert (wrong.count, wrong.total, wrong.agree) == (3**200, right.total, False)


def test_cancelled_shares_agree_with_a_zero():
    graph = Graph()
    x = graph.param("x", 0.1)
    found = paths(backward(3.0 * x - (x + x + x)), "x")
    assert found.agree


# ---- ghosts ----


def test_the_path_through_a_detach_is_a_ghost(network):
    _, loss = network(detached=True)
    found = paths(backward(loss), "w")
    assert [path.product for path in found.paths] == [24.0]
    (ghost,) = found.ghosts
    assert ghost.nodes == ("loss", "(e**2)", "e", "y", "skip", "p", "w")
    assert (ghost.product, ghost.factors, found.ghost_count) == (8.0, (0.5, 8, 1, 1, 1, 2), 1)
    assert [ghost.edge(place).cut for place in range(ghost.length)] == [False] * 4 + [True, False]
    assert (found.total, found.agree) == (24.0, True)


def test_where_every_path_is_cut_there_are_ghosts_only():
    graph = Graph()
    w = graph.param("w", 3.0)
    b = graph.param("b", 1.0)
    found = paths(backward(bpstep.detach(w * w) + b), "w")
    assert (found.count, found.paths, found.total, found.agree) == (0, (), None, True)
    assert [path.product for path in found.ghosts] == [3.0, 3.0]


def test_a_path_through_two_detaches_is_one_ghost():
    graph = Graph()
    w = graph.param("w", 2.0)
    once = graph.name("once", bpstep.detach(3.0 * w))
    twice = graph.name("twice", bpstep.detach(5.0 * once))
    found = paths(backward(once + twice + w), "w")
    assert [path.product for path in found.paths] == [1.0]
    assert [path.product for path in found.ghosts] == [15.0, 3.0]
    assert found.ghosts[0].nodes[2:5] == ("twice", "(5*once)", "once")


def test_ghosts_without_number_are_counted_and_the_largest_found():
    """Each layer is left by one real edge and one cut one: all paths but one are ghosts."""
    graph = Graph()
    node = graph.param("x", 1.0)
    for _ in range(200):
        node = 0.5 * node + bpstep.detach(node)
    found = paths(backward(node), "x", limit=3)
    assert (found.count, found.ghost_count) == (1, 2**200 - 1)
    assert [path.product for path in found.ghosts] == [1.0, 0.5, 0.5]
    assert found.paths[0].product == 0.5**200


def test_ghosts_of_tensors_have_the_shape_of_the_node():
    graph = Graph()
    x = graph.param("x", [1.0, 2.0])
    y = graph.param("y", [3.0, 4.0])
    found = paths(backward(bpstep.sum(bpstep.detach(x) * y + x)), "x")
    (ghost,) = found.ghosts
    np.testing.assert_array_equal(ghost.product, [3.0, 4.0])


# ---- large graphs ----


def test_a_long_chain_of_tensors_is_looked_up_only_where_it_is_asked_for(monkeypatch):
    graph = Graph()
    node = graph.param("x", [0.5, 0.25])
    for _ in range(2_000):
        node = bpstep.tanh(node)
    asked = []
    original = Routes.rule
    monkeypatch.setattr(Routes, "rule", lambda self, k: asked.append(k) or original(self, k))
    (path,) = paths(backward(bpstep.sum(node)), "x").paths
    assert path.length == 2_001
    assert path.edge(2_000).target == "x"
    assert len(asked) == 1


@settings(max_examples=50, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), st.booleans()), max_size=8))
def test_paths_and_ghosts_add_to_the_gradient_with_every_detach_opened(steps):
    graph = Graph()
    nodes = [graph.param("x", 1.5), graph.param("y", -0.5)]
    for a, b, cut in steps:
        node = nodes[a % len(nodes)] * nodes[-1 - b % len(nodes)]
        nodes.append(bpstep.detach(node) if cut else node)
    output = nodes[-1] + nodes[0] + nodes[1]
    found = paths(backward(output), "x", limit=100_000)
    opened = reverse(graph, output.index, open_detach=True).own_grad("x")
    assert found.ghost_count == len(found.ghosts)
    shares = [path.product for path in (*found.paths, *found.ghosts)]
    assert math.fsum(shares) == pytest.approx(opened, rel=1e-9, abs=1e-12)
    cut_edges = [any(p.edge(k).cut for k in range(p.length)) for p in (*found.paths, *found.ghosts)]
    assert cut_edges == [False] * found.shown + [True] * found.ghost_count
