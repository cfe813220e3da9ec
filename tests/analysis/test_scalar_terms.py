"""One element opened into scalar products: their sum is the element, for every operation."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from one_operation import cases
from random_graphs import random_computation

import bpstep
from bpstep.analysis import pullback_terms
from bpstep.analysis.scalar_terms import ElementTerms, contribution_terms
from bpstep.analysis.value_terms import value_terms
from bpstep.engine.faults import Fault, faulty_reverse
from bpstep.engine.graph import Graph
from bpstep.engine.ledger import Ledger
from bpstep.engine.ops import OPERATIONS, TABLE
from bpstep.engine.reverse import backward

RECORDED = [row.name for row in TABLE if row.rules]


def element(value: Any, index: tuple[int, ...]) -> float:
    return float(value[index]) if isinstance(value, np.ndarray) else float(value)


def weighted(graph: Graph, node: Any) -> Any:
    """A scalar loss whose upstream gradient for a node is another number at each element."""
    weights = np.random.default_rng(7).normal(size=node.shape)
    weights = graph.constant("weights", weights if node.shape else float(weights))
    return graph.apply("sum", weights * node)


def steps_into(ledger: Ledger) -> range:
    return range(2, len(ledger) + 1)


def sums_up(found: ElementTerms, rel: float) -> None:
    total = sum(term.value for term in found.terms) + found.rest
    scale = sum(abs(term.value) for term in found.terms) + abs(found.rest)
    assert total == pytest.approx(found.value, rel=rel, abs=rel * max(scale, 1e-300))
    for term in found.terms:
        product = term.upstream * term.local
        # A convention may settle what is not a number.
        assert np.isnan(product) or term.value == pytest.approx(product, rel=rel)


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("name", RECORDED)
def test_products_of_every_operation_sum_to_the_contribution(name: str, dtype: str) -> None:
    rel = 1e-12 if dtype == "float64" else 1e-4
    for case in cases(OPERATIONS[name], dtype):
        ledger = backward(weighted(case.graph, case.node))
        for step in steps_into(ledger):
            shape = case.graph.shape(ledger.receiver(step))
            for index in np.ndindex(shape):
                found = contribution_terms(ledger, step, index)
                assert found.value == element(ledger.value(step), index)
                sums_up(found, rel)


@pytest.mark.parametrize("name", RECORDED)
def test_upstreams_are_the_consumers_gradient_where_they_say(name: str) -> None:
    for case in cases(OPERATIONS[name]):
        ledger = backward(weighted(case.graph, case.node))
        for step in steps_into(ledger):
            shape = case.graph.shape(ledger.receiver(step))
            for index in list(np.ndindex(shape))[:4]:
                for term in contribution_terms(ledger, step, index).terms:
                    assert term.upstream == element(ledger.upstream(step), term.upstream_index)


@pytest.mark.parametrize("name", RECORDED)
def test_locals_are_the_derivatives_of_those_elements(name: str) -> None:
    """A term's local derivative against the difference quotient of just these two elements."""
    for case in cases(OPERATIONS[name])[:12]:
        ledger = backward(weighted(case.graph, case.node))
        for step in steps_into(ledger):
            entry = ledger.contribution(step)
            if entry.source_id != case.node.index:
                continue
            for index in list(np.ndindex(case.graph.shape(entry.target_id)))[:3]:
                for term in contribution_terms(ledger, step, index).terms:
                    quotient = difference(case, entry.operand, index, term.upstream_index)
                    assert term.local == pytest.approx(quotient, rel=1e-5, abs=1e-6)


def difference(case: Any, operand: int, index: tuple[int, ...], above: tuple[int, ...]) -> float:
    """The central difference quotient of one element of the result by one of an operand."""
    operation = OPERATIONS[case.graph.operation(case.node.index).name]
    keywords = case.graph.keywords(case.node.index)
    values = [case.graph.values[i] for i in case.graph.operands(case.node.index)]
    ends = []
    for h in (1e-6, -1e-6):
        moved = [np.array(value, dtype=float) for value in values]
        moved[operand][index] += h
        given = [value if value.ndim else float(value) for value in moved]
        ends.append(element(operation.forward(*given, **keywords), above))
    return (ends[0] - ends[1]) / 2e-6


@pytest.mark.parametrize("name", ["matmul", "softmax", "log_softmax", "transpose", "concat"])
def test_structure_and_pushed_units_agree(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is known about an operation's structure is what its pullback does."""
    for case in cases(OPERATIONS[name]):
        ledger = backward(weighted(case.graph, case.node))
        for step in steps_into(ledger):
            entry = ledger.contribution(step)
            if entry.source_id != case.node.index or entry.local is not None:
                continue
            for index in list(np.ndindex(case.graph.shape(entry.target_id)))[:4]:
                known = contribution_terms(ledger, step, index)
                with monkeypatch.context() as patch:
                    patch.setattr("bpstep.analysis.scalar_terms.PULLBACKS", {})
                    units = contribution_terms(ledger, step, index)
                sums_up(units, 1e-12)
                dense = {term.upstream_index: term.local for term in units.terms}
                found = {term.upstream_index: term.local for term in known.terms}
                for place, local in dense.items():
                    assert found.get(place, 0.0) == pytest.approx(local, rel=1e-12, abs=1e-15)


SHAPES = [
    ((2, 3), (3, 4)),
    ((3,), (3, 4)),
    ((2, 3), (3,)),
    ((3,), (3,)),
    ((5, 2, 3), (3, 4)),
    ((2, 3), (5, 3, 4)),
    ((5, 2, 3), (3,)),
    ((3,), (5, 3, 4)),
    ((5, 1, 2, 3), (1, 6, 3, 4)),
    ((1, 2, 3), (5, 3, 4)),
    ((1, 1), (1, 1)),
]


@pytest.mark.parametrize("shapes", SHAPES, ids=str)
def test_every_kind_of_matrix_product(shapes: tuple[tuple[int, ...], ...]) -> None:
    rng = np.random.default_rng(3)
    graph = Graph()
    a, b = (graph.param(f"x{k}", rng.normal(size=shape)) for k, shape in enumerate(shapes))
    product = graph.name("Y", a @ b)
    ledger = backward(weighted(graph, product))
    for step in steps_into(ledger):
        entry = ledger.contribution(step)
        for index in itertools.islice(np.ndindex(graph.shape(entry.target_id)), 12):
            found = contribution_terms(ledger, step, index)
            sums_up(found, 1e-12)
            if entry.source_id == product.index:
                assert len({term.upstream_index for term in found.terms}) == found.count
                for term in found.terms:
                    (place,) = term.factor.places
                    assert term.local == element(graph.values[graph.find(place.label)], place.index)
    for index in np.ndindex(product.shape):
        made = value_terms(graph, product.index, index)
        assert made.form == "products"
        assert sum(term.value for term in made.terms) == pytest.approx(made.value)


def test_the_elements_of_a_small_layer_are_exact() -> None:
    session = bpstep.load("matrix-layer")
    ledger = session.run().pass_at(1).ledger
    graph = ledger.graph
    (step,) = ledger.steps_of("Wt")
    found = contribution_terms(ledger, step, (1, 0))
    assert found.value == 4.0
    assert [(t.upstream_index, t.upstream, t.local, t.value) for t in found.terms] == [
        ((0, 0), 1.0, 2.0, 2.0),
        ((1, 0), 2.0, 1.0, 2.0),
    ]
    assert [t.factor.places[0].label for t in found.terms] == ["X", "X"]
    assert [t.factor.places[0].index for t in found.terms] == [(0, 1), (1, 1)]
    (step,) = ledger.steps_of("b")
    found = contribution_terms(ledger, step, (0,))
    assert [(t.upstream_index, t.value) for t in found.terms] == [((0, 0), 1.0), ((1, 0), 2.0)]
    assert found.value == 3.0
    made = value_terms(graph, graph.find("XW"), (1, 0))
    assert [term.factors for term in made.terms] == [(0.0, 1.0), (1.0, 0.0), (3.0, 2.0)]


def test_of_very_many_terms_the_largest_are_given_and_the_rest_is_summed() -> None:
    graph = Graph()
    b = graph.param("b", np.zeros(1))
    x = graph.constant("x", np.arange(1000.0))
    ledger = backward(graph.apply("sum", (b + x) * graph.constant("k", np.arange(1000.0))))
    (step,) = ledger.steps_of("b")
    found = contribution_terms(ledger, step, (0,))
    assert (found.count, len(found.terms)) == (1000, 200)
    assert [term.upstream for term in found.terms] == list(map(float, range(800, 1000)))
    assert found.rest == sum(range(800))
    assert found.value == sum(range(1000))


def test_of_pushed_units_those_beyond_the_most_are_the_difference(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pullback_terms, "MOST_PUSHED", 2)
    monkeypatch.setattr("bpstep.analysis.scalar_terms.PULLBACKS", {})
    graph = Graph()
    x = graph.param("x", np.array([0.1, 0.5, -0.3]))
    ledger = backward(graph.apply("sum", graph.apply("softmax", x) * np.array([3.0, 1.0, -2.0])))
    found = contribution_terms(ledger, *ledger.steps_of("x"), (0,))
    assert (found.count, len(found.terms)) == (3, 2)
    sums_up(found, 1e-12)


def test_a_product_that_a_convention_masks_is_masked() -> None:
    """relu blocks an infinite upstream gradient in torch: 0 × inf is 0 there."""
    graph = Graph()
    x = graph.param("x", np.array([-1.0, 4.0]))
    y = graph.apply("relu", x)
    ledger = backward(graph.apply("sum", graph.apply("sqrt", y)))
    found = contribution_terms(ledger, *ledger.steps_of("x"), (0,))
    (term,) = found.terms
    assert (term.upstream, term.local, term.value) == (np.inf, 0.0, 0.0)


def test_an_element_that_nothing_reads_has_no_terms() -> None:
    graph = Graph()
    x = graph.param("x", np.array([-1.0, 4.0]))
    ledger = backward(x[1] * 2.0)
    assert contribution_terms(ledger, *ledger.steps_of("x"), (0,)).count == 0
    (term,) = contribution_terms(ledger, *ledger.steps_of("x"), (1,)).terms
    assert (term.upstream_index, term.value) == ((), 2.0)


@pytest.mark.parametrize("index", [(2,), (-1,), (), (0, 0)])
def test_an_index_that_the_shape_lacks_is_refused(index: tuple[int, ...]) -> None:
    graph = Graph()
    ledger = backward(graph.apply("sum", graph.param("x", np.zeros(2))))
    with pytest.raises(IndexError, match="no element"):
        contribution_terms(ledger, 2, index)


FAULTS = [
    Fault("transpose"),
    Fault("rule", op="square", value=3.0),
    Fault("rule", op="sum", value=2.0),
    Fault("rule", op="matmul", value=2.0),
    Fault("early"),
    Fault("overwrite"),
]


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: f"{fault.kind}-{fault.op}")
def test_a_wrong_pass_is_opened_as_it_was_made(fault: Fault) -> None:
    rng = np.random.default_rng(1)
    graph = Graph()
    a, b = (graph.param(name, rng.normal(size=(3, 3))) for name in "ab")
    loss = graph.apply("sum", graph.apply("square", a @ b) + a)
    ledger = faulty_reverse(graph, loss.index, fault)
    for step in steps_into(ledger):
        for index in np.ndindex(graph.shape(ledger.receiver(step))):
            sums_up(contribution_terms(ledger, step, index), 1e-12)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_in_random_graphs_terms_and_contributions_sum_to_the_gradient(seed: int) -> None:
    rng = np.random.default_rng(seed)
    graph, nodes = random_computation(rng, 8, tensors=True).record()
    if not graph.requires_grad(nodes[-1].index):
        return
    ledger = backward(nodes[-1])
    for node in {ledger.receiver(step) for step in steps_into(ledger)}:
        shape = graph.shape(node)
        if not all(shape):
            continue
        index = tuple(int(rng.integers(n)) for n in shape)
        entries = [contribution_terms(ledger, step, index) for step in ledger.steps_of(node)]
        total = 0.0
        for entry in entries:
            total += entry.value
            found = [term.value for term in entry.terms]
            if np.isfinite(found).all() and np.isfinite(entry.value):
                sums_up(entry, 1e-10)
        expected = element(ledger.grad(node), index)
        assert total == pytest.approx(expected, rel=1e-12, nan_ok=True)


# Values.


@pytest.mark.parametrize("name", [row.name for row in TABLE])
def test_what_a_value_reads_is_all_that_moves_it(name: str) -> None:
    for case in cases(OPERATIONS[name])[:20]:
        graph, node = case.graph, case.node
        if name in ("sign", "floor", "round", "lt", "le", "gt", "ge", "eq", "ne", "isnan"):
            continue
        operation, keywords = OPERATIONS[name], graph.keywords(node.index)
        values = [graph.values[i] for i in graph.operands(node.index)]
        for index in list(np.ndindex(node.shape))[:3]:
            made = value_terms(graph, node.index, index)
            reads = {(place.label, place.index) for term in made.terms for place in term.places}
            for k, value in enumerate(values):
                for place in np.ndindex(np.shape(value)):
                    moved = [np.array(v, dtype=float) for v in values]
                    moved[k][place] = np.nan
                    given = [v if v.ndim else float(v) for v in moved]
                    with np.errstate(all="ignore"):
                        result = element(operation.forward(*given, **keywords), index)
                    if np.isnan(result):
                        assert (f"x{k}", place) in reads


@pytest.mark.parametrize("name", ["sum", "mean", "dot", "matmul"])
def test_the_terms_of_a_value_sum_to_it(name: str) -> None:
    for case in cases(OPERATIONS[name]):
        for index in np.ndindex(case.node.shape):
            made = value_terms(case.graph, case.node.index, index)
            assert made.form in ("products", "addends")
            total = sum(term.value for term in made.terms) / made.divisor
            assert total == pytest.approx(made.value, rel=1e-12)


def test_a_leaf_is_made_of_nothing() -> None:
    graph = Graph()
    x = graph.param("x", np.array([1.0, 2.0]))
    made = value_terms(graph, x.index, (1,))
    assert (made.form, made.value, made.terms) == ("leaf", 2.0, ())
