"""The audit: silent on right reverse passes, and on wrong ones it names the node and the cause."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from judged_passes import SORTS, Sort, broken, graphs, measure_faults, measure_quiet

from bpstep.analysis.audit import WrongEdge, audit
from bpstep.engine.errors import GraphError
from bpstep.engine.faults import KINDS, Fault, faulty_reverse
from bpstep.engine.graph import Graph, Node
from bpstep.engine.reverse import reverse


def first(graph: Graph, loss: Node, fault: Fault) -> tuple[str, str, str]:
    """Node, cause and reason of the first finding in a pass with a fault."""
    wrong = audit(graph, faulty_reverse(graph, loss.index, fault))[0]
    return graph.label(wrong.node), graph.label(wrong.cause), wrong.reason


def only(graph: Graph, loss: Node, fault: Fault) -> WrongEdge:
    (wrong,) = audit(graph, faulty_reverse(graph, loss.index, fault))
    return wrong


def quiet(graph: Graph, loss: Node) -> bool:
    return audit(graph, reverse(graph, loss.index)) == ()


# ---- random passes ----


@pytest.mark.parametrize("sort", SORTS, ids=lambda sort: sort.name)
def test_no_right_pass_is_accused(sort: Sort) -> None:
    found = measure_quiet(sort, 12, seed=5)
    assert found.accused == 0
    assert found.passes == 12
    assert found.edges > 50


@pytest.mark.parametrize("tensors", [False, True], ids=["numbers", "tensors"])
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "transpose"])
def test_a_fault_that_matters_is_named(kind: str, tensors: bool) -> None:
    found = measure_faults(Sort("", tensors=tensors), kind, 6, seed=6)
    assert found.missed == ()
    assert found.faults == found.named == 6


def test_a_forgotten_transpose_is_named() -> None:
    found = measure_faults(Sort("", products=True), "transpose", 6, seed=6)
    assert found.missed == ()
    assert found.faults == found.named == 6


# ---- the network of the lessons ----


@pytest.mark.parametrize(
    ("fault", "expected"),
    [
        (Fault("overwrite"), ("p", "p", "overwritten")),
        (Fault("drop", node="p", source="y"), ("p", "y", "missing")),
        (Fault("rule", node="h", value=0.0), ("z", "h", "wrong-rule")),
        (Fault("rule", op="relu", value=0.5), ("z", "h", "wrong-rule")),
        (Fault("early"), ("w", "p", "sent-early")),
        (Fault("revisit"), ("w", "p", "counted-again")),
    ],
    ids=lambda value: value.kind if isinstance(value, Fault) else "",
)
def test_the_shared_node(network, fault: Fault, expected: tuple[str, str, str]) -> None:
    graph, loss = network()
    assert quiet(graph, loss)
    assert first(graph, loss, fault) == expected


def test_what_should_have_arrived_is_said(network) -> None:
    graph, loss = network()
    dropped = only(graph, loss, Fault("drop", node="p", source="y"))
    assert (dropped.expected, dropped.found) == (pytest.approx(4, rel=1e-9), 0.0)
    wrong = only(graph, loss, Fault("rule", node="h", value=0.5))
    assert (wrong.expected, wrong.found) == (pytest.approx(12, rel=1e-9), 6.0)
    summed = only(graph, loss, Fault("overwrite", node="p"))
    assert (summed.expected, summed.found, summed.source) == (16.0, 12.0, None)


def test_consequences_are_not_findings(network) -> None:
    """With y's contribution lost, w, b and x are wrong too: nobody there did anything wrong."""
    graph, loss = network()
    ledger = faulty_reverse(graph, loss.index, Fault("drop", node="p", source="y"))
    assert ledger.grad("w") == 24.0
    assert len(audit(graph, ledger)) == 1


def test_an_older_buffer_is_part_of_the_sum(network) -> None:
    graph, loss = network()
    older = {graph.find("w"): 100.0}
    assert audit(graph, reverse(graph, loss.index, buffers=older)) == ()
    broken = faulty_reverse(graph, loss.index, Fault("overwrite"), buffers=older)
    assert [graph.label(wrong.node) for wrong in audit(graph, broken)] == ["p", "w"]


def test_a_detached_path_owes_nothing(network) -> None:
    graph, loss = network(detached=True)
    assert quiet(graph, loss)
    assert first(graph, loss, Fault("rule", node="h", value=0.0)) == ("z", "h", "wrong-rule")


# ---- repeated operands ----


def test_a_repeated_operand_sends_once_for_each_position() -> None:
    graph = Graph()
    r = graph.name("r", graph.param("a", 3.0) + 0.0)
    loss = graph.name("loss", r * r)
    assert quiet(graph, loss)
    assert first(graph, loss, Fault("single_operand")) == ("r", "loss", "one-operand")
    assert only(graph, loss, Fault("single_operand")).expected == pytest.approx(6.0)


def test_a_repeated_operand_that_cancels_has_nothing_to_miss() -> None:
    """r − r: what one position alone sent is wrong, and none at all would be right."""
    graph = Graph()
    r = graph.param("r", 3.0)
    loss = graph.name("loss", r - r)
    assert quiet(graph, loss)
    assert first(graph, loss, Fault("single_operand")) == ("r", "loss", "one-operand")


# ---- tensors ----


def test_broadcasting_and_a_wrong_rule_of_one_operand() -> None:
    graph = Graph()
    w = graph.param("w", np.arange(1.0, 7.0).reshape(2, 3))
    b = graph.param("b", [0.5, -1.0, 2.0])
    y = graph.name("y", w * b)
    loss = graph.name("loss", graph.apply("sum", y * y))
    assert quiet(graph, loss)
    wrong = only(graph, loss, Fault("rule", node="y", operand=1, value=2.0))
    assert (graph.label(wrong.node), graph.label(wrong.cause)) == ("b", "y")
    np.testing.assert_allclose(wrong.expected, reverse(graph, loss.index).grad("b"), rtol=1e-8)


@pytest.mark.parametrize("operand", [0, 1])
def test_a_matrix_product_that_forgets_to_transpose(operand: int) -> None:
    graph = Graph()
    left = graph.param("left", [[1.0, 2.0], [3.0, 5.0]])
    right = graph.param("right", [[2.0, -1.0], [0.5, 4.0]])
    product = graph.name("product", left @ right)
    loss = graph.name("loss", graph.apply("sum", product * product))
    assert quiet(graph, loss)
    found = first(graph, loss, Fault("transpose", operand=operand))
    assert found == (("left", "right")[operand], "product", "wrong-rule")


def test_a_large_tensor_is_audited_along_random_directions() -> None:
    graph = Graph()
    x = graph.param("x", np.linspace(-1.0, 1.0, 400).reshape(20, 20))
    y = graph.name("y", graph.apply("tanh", x @ x))
    loss = graph.name("loss", graph.apply("mean", y))
    assert quiet(graph, loss)
    wrong = only(graph, loss, Fault("rule", node="y", value=0.9))
    assert (graph.label(wrong.cause), wrong.expected) == ("y", None)


# ---- points without a derivative ----


def tied_maximum(values: list[float]) -> tuple[Graph, Node]:
    graph = Graph()
    x = graph.param("x", values)
    return graph, graph.name("m", graph.apply("max", x))


@pytest.mark.parametrize("shares", [(0, 1, 0), (0, 0.5, 0.5), (0, 0.25, 0.75)])
def test_shares_at_a_tie_that_add_to_one_are_right(shares: tuple[float, ...]) -> None:
    graph, loss = tied_maximum([1.0, 3.0, 3.0])
    ledger = faulty_reverse(graph, loss.index, Fault("rule", node="m", value=np.array(shares)))
    assert audit(graph, ledger) == ()


@pytest.mark.parametrize("shares", [(0, 1, 1), (0, 0, 0), (0, 0.2, 0.2)])
def test_shares_that_are_possible_one_by_one_but_not_together(shares: tuple[float, ...]) -> None:
    graph, loss = tied_maximum([1.0, 3.0, 3.0])
    wrong = only(graph, loss, Fault("rule", node="m", value=np.array(shares)))
    assert (graph.label(wrong.node), graph.label(wrong.cause)) == ("x", "m")
    assert (wrong.reason, wrong.expected) == ("wrong-rule", None)


@pytest.mark.parametrize("shares", [(0.1, 1, 0), (0, 1.5, -0.5)])
def test_a_share_outside_of_its_interval(shares: tuple[float, ...]) -> None:
    graph, loss = tied_maximum([1.0, 3.0, 3.0])
    assert first(graph, loss, Fault("rule", node="m", value=np.array(shares)))[1] == "m"


def test_two_operands_share_a_tie() -> None:
    graph = Graph()
    m = graph.name("m", graph.apply("maximum", graph.param("a", 2.0), graph.param("b", 2.0)))
    assert quiet(graph, m)
    assert first(graph, m, Fault("rule", node="m", value=1.0)) == ("b", "m", "wrong-rule")
    assert first(graph, m, Fault("rule", node="m", value=0.0)) == ("b", "m", "wrong-rule")


@pytest.mark.parametrize("preset", ["torch", "jax", "tensorflow"])
@pytest.mark.parametrize(
    "build",
    [
        lambda g, x: g.apply("relu", x),
        lambda g, x: g.apply("abs", x),
        lambda g, x: g.apply("leaky_relu", x, slope=0.2),
        lambda g, x: g.apply("maximum", x, x * -1.0),
        lambda g, x: g.apply("minimum", x, 0.0),
        lambda g, x: g.apply("clamp", x, min=0.0, max=1.0),
        lambda g, x: g.apply("floor", x),
        lambda g, x: g.apply("sqrt", x * x),
        lambda g, x: x**0.0,
        lambda g, x: x**x,
        lambda g, x: g.apply("where", x > 0.0, g.apply("sqrt", x), x),
        lambda g, x: g.apply(
            "logsumexp", g.apply("concat", *[g.apply("reshape", x, shape=(1,))] * 2)
        ),
    ],
)
def test_no_convention_is_a_bug(build, preset: str) -> None:
    for dtype in ("float64", "float32"):
        graph = Graph(dtype, preset)
        loss = build(graph, graph.param("x", 0.0)) * 3.0
        assert quiet(graph, loss)


@pytest.mark.parametrize("slope", [-0.5, 1.5])
def test_a_slope_outside_of_a_kink_s_interval_is_wrong(slope: float) -> None:
    graph = Graph()
    h = graph.name("h", graph.apply("relu", graph.param("x", 0.0)))
    loss = graph.name("loss", 2.0 * h)
    assert first(graph, loss, Fault("rule", node="h", value=slope)) == ("x", "h", "wrong-rule")


# ---- size and noise ----


def test_a_long_chain_of_numbers_is_measured_together() -> None:
    graph = Graph()
    node = graph.param("x", 0.3)
    for k in range(1000):
        node = graph.name(f"n{k}", node - 0.001 * graph.apply("sin", node))
    assert quiet(graph, node)
    assert first(graph, node, Fault("rule", node="n700", operand=0, value=2.0))[1] == "n700"


def test_a_small_contribution_that_is_lost_is_reported_last() -> None:
    """exp(−800) is zero: what it should have sent cannot be told from nothing."""
    graph = Graph()
    x = graph.param("x", -800.0)
    flat = graph.name("flat", graph.apply("exp", x))
    loss = graph.name("loss", flat + x)
    wrong = only(graph, loss, Fault("drop", node="x", source="flat"))
    assert (graph.label(wrong.node), wrong.reason, wrong.expected) == ("x", "missing", None)


def test_what_is_not_finite_is_not_judged() -> None:
    graph = Graph()
    loss = graph.apply("sqrt", graph.param("x", 0.0) * 1.0) * 0.0
    ledger = reverse(graph, loss.index)
    assert np.isnan(ledger.grad("x"))
    assert audit(graph, ledger) == ()


def test_a_rule_in_place_that_was_overwritten_is_wrong() -> None:
    """The pass reads a value that was changed after the forward pass: silently wrong."""
    graph = Graph()
    w = graph.param("w", 3.0)
    loss = graph.name("loss", w * w)
    graph.replace(w.index, 5.0)
    wrong = audit(graph, reverse(graph, loss.index))[0]
    assert (graph.label(wrong.node), wrong.expected) == ("w", pytest.approx(6.0))


def test_a_fault_must_fit() -> None:
    graph, loss = tied_maximum([1.0, 3.0, 3.0])
    with pytest.raises(GraphError, match="shape"):
        faulty_reverse(graph, loss.index, Fault("rule", node="m", value=np.ones(2)))


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_a_first_look_over_all_links_changes_nothing(
    dtype: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    sort = Sort("", ties=True, dtype=dtype)
    made = [(graph, loss, rng) for graph, loss, rng in itertools.islice(graphs(sort, 8), 4)]
    passes = [
        (graph, ledger)
        for graph, loss, rng in made
        for kind in ("drop", "overwrite", "early", "rule")
        for ledger in broken(graph, loss, kind, rng) or ()
    ]
    assert len(passes) > 12
    screened = [summary(audit(*each)) for each in passes]
    monkeypatch.setattr("bpstep.analysis.audit.cleared", lambda *_: frozenset())
    assert screened == [summary(audit(*each)) for each in passes]
    assert any(screened)


def summary(found: tuple[WrongEdge, ...]) -> list[tuple[int, int, str]]:
    return [(wrong.node, wrong.cause, wrong.reason) for wrong in found]
