"""Where inf and nan first arise: operations, contributions, branches that were not selected."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_graphs import random_computation

from bpstep.analysis.origins import origins
from bpstep.engine.graph import Graph
from bpstep.engine.reverse import reverse
from bpstep.scenario import loads


def ledger(params, graph, **more):
    lines = [f"params: {params}", f"graph: {graph}", *(f"{k}: {v}" for k, v in more.items())]
    return loads("\n".join(["bpstep: 1", "title: t", *lines, ""])).run().passes[-1].ledger


def found(params, graph, target="x", **more):
    made = ledger(params, graph, **more)
    result = origins(made, made.graph.find(target))
    assert result is not None
    return result


def arisings(result):
    return [(it.kind, it.node, it.receiver, it.upstream, it.local) for it in result.reverse]


def test_what_is_finite_has_no_origin():
    made = ledger("{x: 1, w: 2}", "{y: x * 2}")
    assert origins(made, made.graph.find("x")) is None
    assert origins(made, made.graph.find("w")) is None


def test_sqrt_at_zero_inf_first_then_nan():
    result = found("{x: 0}", "{s: x * x, r: sqrt(s)}")
    assert arisings(result) == [
        ("inf", "r", "s", 1.0, math.inf),
        ("nan", "s", "x", math.inf, 0.0),
        ("nan", "s", "x", math.inf, 0.0),
    ]
    assert [it.product for it in result.reverse] == [False, True, True]
    assert [it.step for it in result.reverse] == [2, 3, 4]
    assert (result.first, result.only_reverse, result.hidden) == ("r", True, False)


def test_the_inf_alone():
    result = found("{x: 0}", "{s: x * x, r: sqrt(s)}", "s")
    assert arisings(result) == [("inf", "r", "s", 1.0, math.inf)]


def test_the_branch_that_where_did_not_select():
    result = found("{x: [-1, -4, 4]}", "{c: x > 0, r: sqrt(x), y: 'where(c, r, x)', s: sum(y)}")
    (origin,) = result.reverse
    assert (origin.node, origin.receiver, origin.unselected) == ("r", "x", "y")
    assert (origin.upstream, origin.index, origin.elements, origin.product) == (0.0, (0,), 2, True)
    assert [(it.node, it.index, it.elements) for it in result.forward] == [("r", (0,), 2)]
    assert result.hidden


def test_an_unselected_branch_whose_values_are_finite():
    result = found("{x: 0}", "{r: sqrt(x), y: 'where(x > 0, r, x)'}")
    (origin,) = result.reverse
    assert (origin.upstream, origin.local, origin.unselected) == (0.0, math.inf, "y")
    assert result.only_reverse


def test_a_nan_that_where_hides():
    graph = "{p: x * w, b: isnan(p), y: 'where(b, 0, p)', loss: y ** 2}"
    result = found("{x: 1.5}", graph, constants="{w: .nan}")
    (origin,) = result.reverse
    assert (origin.node, origin.receiver, origin.unselected) == ("p", "x", "y")
    assert origin.upstream == 0.0
    assert math.isnan(origin.local)
    assert [(it.node, it.elements) for it in result.forward] == [("w", 1)]
    assert (result.first, result.hidden, result.only_reverse) == ("w", True, False)


def test_a_saturated_probability():
    result = found("{z: 40}", "{p: sigmoid(z), q: 1 - p, l: log(q), loss: -l}", "z")
    assert [(it.node, it.value) for it in result.forward] == [("l", -math.inf)]
    assert arisings(result) == [
        ("inf", "l", "q", -1.0, math.inf),
        ("nan", "p", "z", math.inf, 0.0),
    ]
    assert not result.hidden


def test_a_loss_that_is_not_finite_though_the_gradient_is():
    result = found("{x: 0}", "{a: log(x), y: a + 2 * x}", "a")
    assert (result.reverse, [it.node for it in result.forward]) == ((), ["a"])


def test_overflow_in_a_product_and_in_a_sum():
    result = found("{x: 1}", "{y: 1e200 * (1e200 * (1e-200 * x * 1e-200))}", "x")
    assert arisings(result)[0][0] == "inf"
    assert not result.reverse[0].product
    result = found("{x: 1}", "{y: 1e308 * x + 1e308 * x}", "x")
    (origin,) = result.reverse
    assert (origin.kind, origin.node, origin.receiver, origin.value) == ("inf", None, "x", math.inf)


def test_infinities_that_meet_in_a_sum():
    result = found("{x: 0}", "{y: sqrt(x) - sqrt(x)}", "x")
    kinds = [(it.kind, it.node) for it in result.reverse]
    assert kinds.count(("nan", None)) == 1
    assert [kind for kind, node in kinds if node] == ["inf", "inf"]


def test_a_matrix_product_has_no_factors():
    result = found("{x: [[1]]}", "{y: sum(x @ w)}", constants="{w: [[.inf]]}")
    (origin,) = result.reverse
    assert (origin.kind, origin.upstream, origin.local) == ("inf", None, None)
    assert result.first == "w"


def test_a_masked_zero_stops_it():
    made = ledger("{x: 10}", "{c: 'clamp(x, min=-1, max=1)', u: 1 - c * c, r: sqrt(u)}")
    assert origins(made, made.graph.find("x")) is None
    assert origins(made, made.graph.find("c")) is not None


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32), st.booleans())
def test_everything_that_is_not_finite_arises_somewhere(seed, tensors):
    rng = np.random.default_rng(seed)
    made = random_computation(rng, int(rng.integers(3, 25)), tensors=tensors)
    graph, nodes = made.record(conventions=("torch", "jax", "tensorflow")[seed % 3])
    if not graph.requires_grad(nodes[-1].index):
        return
    pass_ = reverse(graph, nodes[-1].index)
    for node in range(len(graph)):
        result, gradient = origins(pass_, node), pass_.grad(node)
        if gradient is not None and not np.isfinite(gradient).all():
            assert result is not None
            assert result.reverse
        for origin in () if result is None else result.forward:
            index = graph.find(origin.node)
            assert not np.isfinite(graph.values[index]).all()
        for origin in () if result is None else result.reverse:
            assert not math.isfinite(origin.value)
            if origin.kind == "inf" and origin.upstream is not None:
                assert math.isfinite(origin.upstream)
            if origin.kind == "nan" and origin.upstream is not None:
                assert not math.isnan(origin.upstream)


def test_a_hundred_thousand_nodes_carry_it():
    graph = Graph()
    x = graph.param("x", 0.0)
    node = graph.name("root", graph.apply("sqrt", x))
    for _ in range(100_000):
        node = -node
    result = origins(reverse(graph, node.index), x.index)
    assert result is not None
    assert (result.first, len(result.reverse)) == ("root", 1)


@pytest.mark.parametrize("kind", ["inf", "nan"])
def test_a_leaf_that_was_given_so(kind):
    result = found("{x: 1}", "{y: x * w}", "x", constants=f"{{w: .{kind}}}")
    assert [it.node for it in result.forward] == ["w"]
    assert arisings(result)[0][:3] == (kind, "y", "x")
