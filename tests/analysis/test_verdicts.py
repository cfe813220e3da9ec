"""Verdicts on gradients, each with its evidence: right passes left in peace, faults found."""

import math

import pytest
from judged_passes import Sort
from judged_verdicts import measure_right, measure_wrong
from verdict_cases import CASES

import bpstep
from bpstep.analysis.differences import check, check_all
from bpstep.analysis.finding import (
    Agrees,
    Convention,
    Detached,
    Jump,
    Kink,
    NearKink,
    Nonfinite,
    Rounding,
)
from bpstep.engine.errors import GraphError
from bpstep.engine.faults import KINDS, Fault, faulty_reverse
from bpstep.engine.graph import Graph
from bpstep.engine.reverse import reverse


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.title)
def test_what_practice_asks(case):
    ledger = case.scenario().run().passes[-1].ledger
    results = check_all(ledger.graph, ledger.output, ledger=ledger)
    found = {result.wrt: result.verdict for result in results}
    assert {wrt: found[wrt] for wrt in case.verdicts} == case.verdicts


def of(build, steps=None, conventions="torch", dtype="float64", **leaves):
    graph = Graph(dtype, conventions)
    nodes = {name: graph.param(name, value) for name, value in leaves.items()}
    loss = build(graph, **nodes)
    return check(graph, loss.index, next(iter(leaves)), steps)


# ---- evidence ----


def test_agreement_gives_the_slope(network):
    graph, loss = network()
    result = check(graph, loss.index, "w")
    assert isinstance(result.evidence, Agrees)
    assert result.ok
    for limit in (result.left, result.right, result.central, result.evidence.estimate):
        assert limit.value == pytest.approx(32, rel=1e-9)
    assert (result.node, result.cause) == (None, None)


def test_a_kink_gives_both_limits_and_the_convention(network):
    graph, loss = network(-2.0)
    result = check(graph, loss.index, "w")
    kink = result.evidence
    assert isinstance(kink, Kink)
    assert (kink.left.value, kink.right.value) == pytest.approx((2, 8), rel=1e-9)
    assert result.central.value == pytest.approx(5, rel=1e-9)
    assert kink.inside
    assert [(it.node, it.key, it.used) for it in kink.conventions] == [("h", "relu", 0.0)]
    assert kink.off_point is not None
    assert kink.off_point.agreeing == kink.off_point.tried == 4


def test_a_legal_convention_may_lie_outside_the_limits_of_the_loss():
    result = of(lambda g, x: g.apply("relu", x) * 2.0, conventions={"relu": 1.5}, x=0.0)
    assert result.verdict == "mismatch"
    result = of(lambda g, x: g.apply("abs", x) * -2.0, conventions="jax", x=0.0)
    assert isinstance(result.evidence, Kink)
    assert result.evidence.inside


@pytest.mark.parametrize("distance", [1e-3, 1e-5, 1e-7, 1e-9])
@pytest.mark.parametrize("sign", [1, -1])
def test_a_kink_near_by_has_its_distance(distance, sign):
    result = of(lambda g, x: g.apply("exp", x) + g.apply("abs", x), x=-sign * distance)
    near = result.evidence
    assert isinstance(near, NearKink)
    assert near.distance == pytest.approx(distance, rel=1e-5)
    assert (near.side, near.what) == ("right" if sign > 0 else "left", "kink")
    assert near.estimate.value == pytest.approx(math.exp(-sign * distance) - sign, abs=1e-8)


def test_a_kink_beyond_the_largest_step_is_not_near():
    assert of(lambda g, x: g.apply("abs", x), [1e-2, 1e-4], x=0.011).verdict == "agrees"
    assert of(lambda g, x: g.apply("abs", x), [1e-2, 1e-4], x=0.009).verdict == "near-kink"
    assert of(lambda g, x: g.apply("abs", x), [1e-3, 1e-4], x=0.009).verdict == "agrees"


def test_a_jump_and_an_edge_near_by():
    near = of(lambda g, x: g.apply("floor", x) + x, x=1.999).evidence
    assert isinstance(near, NearKink)
    assert (near.what, near.side) == ("jump", "right")
    assert near.distance == pytest.approx(1e-3, rel=1e-6)
    near = of(lambda g, x: g.apply("log", x), x=0.001).evidence
    assert isinstance(near, NearKink)
    assert (near.what, near.side) == ("edge", "left")


def test_a_jump_names_its_side():
    jump = of(lambda g, x: g.apply("floor", x), x=2.0).evidence
    assert isinstance(jump, Jump)
    assert jump.sides == ("left",)


def test_conventions_that_do_not_add_up_are_named():
    result = of(lambda g, x: g.apply("relu", x) - g.apply("relu", -x), x=0.0)
    found = result.evidence
    assert isinstance(found, Convention)
    assert found.estimate.value == pytest.approx(1.0)
    assert [(it.key, it.used) for it in found.conventions] == [("relu", 0.0)] * 2
    assert found.off_point is not None
    assert found.off_point.agreeing == 4


def test_what_is_detached_gives_three_numbers(network):
    graph, loss = network(detached=True)
    found = check(graph, loss.index, "w").evidence
    assert isinstance(found, Detached)
    assert (found.gradient, found.detaches) == (24.0, ("skip",))
    assert found.held.value == pytest.approx(24, rel=1e-9)
    assert found.rebuilt.value == pytest.approx(32, rel=1e-9)
    assert check(graph, loss.index, "w").central.value == pytest.approx(32, rel=1e-9)
    assert check(graph, loss.index, "b").verdict == "agrees"


def test_rounding_shows_the_error_against_the_step():
    steps = [1e-11, 1e-12, 1e-13]
    result = of(lambda g, x: 100.0 * g.apply("exp", x) + 1e6, steps, x=1.0)
    found = result.evidence
    assert isinstance(found, Rounding)
    assert result.ok
    assert [step for step, _ in found.errors] == steps
    assert dict(found.errors)[found.best_step] == min(error for _, error in found.errors)
    assert of(lambda g, x: 100.0 * g.apply("exp", x) + 1e6, x=1.0).verdict == "agrees"


def test_one_coarse_step_is_no_reason_to_accuse():
    result = of(lambda g, x: g.apply("exp", x), [0.5], x=1.0)
    assert result.verdict == "agrees"
    assert result.rows[0].rel_error > 1e-3


def test_a_function_beyond_the_spacing_of_floats_is_rounding():
    def build(g, x):
        return g.apply("tan", g.apply("exp", g.apply("tan", x)))

    assert of(build, x=1.5509285839725082).verdict == "rounding"


def test_what_is_not_finite_fails():
    result = of(lambda g, x: g.apply("sqrt", x * x), x=0.0)
    assert isinstance(result.evidence, Nonfinite)
    assert math.isnan(result.evidence.gradient)
    assert not result.ok
    assert (result.left.value, result.right.value) == pytest.approx((-1, 1))


# ---- wrong passes ----


def with_fault(graph, loss, fault, wrt, steps=None):
    ledger = faulty_reverse(graph, loss.index, fault)
    return check(graph, loss.index, wrt, steps, ledger)


FAULTS = [
    (Fault("overwrite"), "p", "p", "overwritten"),
    (Fault("drop", node="p", source="y"), "p", "y", "missing"),
    (Fault("revisit"), "w", "p", "counted-again"),
    (Fault("early"), "w", "p", "sent-early"),
    (Fault("rule", op="relu", value=0.5), "z", "h", "wrong-rule"),
    (Fault("rule", node="q", operand=1, value=7.0), "h", "q", "wrong-rule"),
]


@pytest.mark.parametrize(
    ("fault", "node", "cause", "reason"), FAULTS, ids=[each[0].kind for each in FAULTS]
)
def test_a_fault_is_named(network, fault, node, cause, reason):
    graph, loss = network()
    found = with_fault(graph, loss, fault, "w")
    assert (found.verdict, found.node, found.cause) == ("mismatch", node, cause)
    assert found.evidence.reason == reason
    assert found.evidence.consequences[-1:] == (("w",) if node != "w" else ())
    assert found.central.value == pytest.approx(32, rel=1e-9)
    assert check(graph, loss.index, "w").verdict == "agrees"


def test_a_fault_elsewhere_does_not_accuse(network):
    graph, loss = network()
    fault = Fault("drop", node="p", source="y")
    assert with_fault(graph, loss, fault, "v").verdict == "agrees"
    assert with_fault(graph, loss, fault, "x").verdict == "mismatch"


def test_a_bug_at_a_kink_is_a_mismatch(network):
    graph, loss = network(-2.0)
    found = with_fault(graph, loss, Fault("drop", node="p", source="y"), "w")
    assert (found.verdict, found.node, found.cause) == ("mismatch", "p", "y")


def test_a_rule_that_is_right_at_the_kink_only_is_found_beside_it(network):
    graph, loss = network(-2.0)
    found = with_fault(graph, loss, Fault("rule", op="relu", value=0.5), "w")
    assert (found.verdict, found.node, found.cause) == ("mismatch", "z", "h")
    assert found.evidence.off_point


def test_shares_that_are_possible_alone_and_not_together():
    graph = Graph()
    x = graph.param("x", [1.0, 3.0, 3.0])
    loss = graph.name("m", graph.apply("max", x))
    assert check(graph, loss.index, "x").verdict == "kink"
    found = with_fault(graph, loss, Fault("rule", node="m", value=[0.0, 1.0, 1.0]), "x")
    assert (found.verdict, found.node, found.cause) == ("mismatch", "x", "m")


def test_a_value_overwritten_since_is_found(network):
    graph, loss = network()
    graph.replace(graph.find("h"), 10.0)
    result = check(graph, loss.index, "v", ledger=reverse(graph, loss.index))
    assert (result.verdict, result.node, result.cause) == ("mismatch", "v", "q")
    assert result.central.value == pytest.approx(4, rel=1e-9)
    assert (result.evidence.expected, result.evidence.found) == pytest.approx((4, 40))


def test_what_the_rounding_of_the_loss_hides_is_not_accused_and_more_is():
    graph = Graph()
    x = graph.param("x", 1.0)
    small = graph.name("small", x * 1e-9)
    loss = graph.name("loss", graph.apply("exp", x) + 1e9 + small)
    assert with_fault(graph, loss, Fault("drop", node="x", source="small"), "x").ok
    found = with_fault(graph, loss, Fault("rule", node="small", value=1e-3), "x")
    assert (found.verdict, found.node, found.cause) == ("mismatch", "x", "small")


def test_the_direction_speaks_where_no_element_does():
    graph = Graph()
    x = graph.param("x", [1.0, 2.0, 3.0])
    result = check(graph, graph.apply("sum", x * x).index, "x")
    assert result.direction is not None
    assert result.direction.verdict == "agrees"
    assert check(graph, graph.apply("sum", x * x).index, "x[0]").direction is None


def test_a_frozen_leaf_has_nothing_to_check():
    graph = Graph()
    x, c = graph.param("x", 1.0), graph.constant("c", 2.0)
    with pytest.raises(GraphError) as caught:
        check(graph, (x * c).index, "c")
    assert caught.value.code == "no-gradient"


# ---- samples of the figures of tests/benchmarks/measure_verdicts.py ----


@pytest.mark.parametrize(
    "sort",
    [Sort("numbers", smooth=True), Sort("tensors", smooth=True, tensors=True)],
    ids=lambda sort: sort.name,
)
def test_right_passes_of_smooth_graphs_are_left_in_peace(sort):
    found = measure_right(sort, 12, seed=7)
    assert found.accused == []
    assert found.verdicts["agrees"] > 0


@pytest.mark.parametrize("kind", KINDS)
def test_faults_are_called_mismatch_with_node_and_cause(kind):
    found = measure_wrong(Sort("numbers", products=kind == "transpose"), kind, 8, seed=7)
    assert found.graphs == 8
    assert (found.missed, found.accused) == ([], [])


def test_from_python():
    graph = bpstep.Graph()
    x, w = graph.input("x", 2.0), graph.param("w", 1.0)
    loss = bpstep.relu(x * w - 2.0) ** 2 + w
    assert bpstep.check(loss, wrt="w").verdict == "agrees"
    assert bpstep.check(bpstep.relu(x * w - 2.0), wrt=w).verdict == "kink"


ROUNDED_TIES = {
    "0.5, exactly": (0.5, lambda x: x + (x - 2.0) / 3.0),
    "0.5, by thirds": (1.5, lambda x: x / 3.0 + x * 0.1 - 0.65),
    "a third": (1.0, lambda x: x / 3.0 - 1.0 / 3.0),
    "a float above": (0.1, lambda x: 3.0 * x - 0.3),
    "two floats above": (1.1, lambda x: 3.0 * x - 3.3),
    "a float below": (0.3, lambda x: x / 3.0 - 0.1),
    "0.1 + 0.2": (0.1, lambda x: x + 0.2 - 0.3),
}


@pytest.mark.parametrize("name", ROUNDED_TIES)
def test_a_tie_that_rounding_has_moved_is_a_tie(name):
    """relu bends where its operand is 0, or would be without rounding; its square does not."""
    start, build = ROUNDED_TIES[name]
    graph = bpstep.Graph()
    z = build(graph.param("x", start))
    hinge = bpstep.relu(z)
    assert bpstep.check(hinge, wrt="x").verdict == "kink"
    assert bpstep.check(1e-20 * hinge, wrt="x").verdict == "kink"
    assert bpstep.check(hinge * hinge, wrt="x").verdict == "agrees"
    assert bpstep.check(graph.apply("sign", z), wrt="x").verdict == "jump"
