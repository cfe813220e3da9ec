"""Reasons for zeros hold on random computations, and by experiment: a value moved, a zero gone."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from one_operation import cases
from random_graphs import random_computation

import bpstep
from bpstep.analysis.terms import terms
from bpstep.analysis.zeros import zero_gradient
from bpstep.engine.graph import Graph
from bpstep.engine.ops import TABLE
from bpstep.engine.reverse import reverse
from bpstep.engine.rules import contribution

PRESETS = ("torch", "jax", "tensorflow")
AT_ONE_EDGE = {"blocked", "kink", "zero-factor", "stationary", "saturated"}


def random_ledger(seed, tensors, dtype="float64"):
    rng = np.random.default_rng(seed)
    made = random_computation(rng, int(rng.integers(3, 25)), tensors=tensors)
    graph, nodes = made.record(dtype, PRESETS[seed % 3])
    return reverse(graph, nodes[-1].index) if graph.requires_grad(nodes[-1].index) else None


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32), st.booleans(), st.sampled_from(["float64", "float32"]))
def test_every_zero_has_a_reason_and_each_place_is_a_zero(seed, tensors, dtype):
    ledger = random_ledger(seed, tensors, dtype)
    if ledger is None:
        return
    for node in range(len(ledger.graph)):
        found = zero_gradient(ledger, node)
        if found is None:
            gradient = ledger.grad(node)
            assert gradient is not None
            assert np.all(np.not_equal(gradient, 0))
            continue
        assert found.reasons
        assert all(reasons for _, reasons in found.elements)
        if found.elements:
            assert {r for _, each in found.elements for r in each} == set(found.reasons)
        for cause in found.causes:
            check_place(ledger, cause)


def check_place(ledger, cause):
    """A place is what it is said to be: something came there, and zero went on."""
    if cause.reason in AT_ONE_EDGE | {"underflow"}:
        sent = ledger.contribution(cause.step)
        assert (sent.source, sent.target, sent.operand) == (
            cause.node,
            cause.receiver,
            cause.operand,
        )
        assert np.any(np.not_equal(sent.upstream, 0))
        if isinstance(sent.value, float) and isinstance(sent.upstream, float):
            assert sent.value == 0
            assert (sent.local == 0) == (cause.reason != "underflow")
    if cause.reason == "kink":
        assert cause.convention is not None
    if cause.reason == "cancelled":
        arrived = ledger.contributions(cause.node)
        # Terms may also cancel inside one rule, as a softmax's do under an even upstream gradient.
        inside = [sent.upstream for sent in arrived if sent.local is None]
        terms = [*(sent.value for sent in arrived), *inside]
        assert any(np.any(np.not_equal(term, 0)) for term in terms)
        assert np.any(np.equal(ledger.grad(cause.node), 0))


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32))
def test_the_places_are_those_found_by_following_every_path(seed):
    """On numbers: each path ends where something came and nothing went on, or it cancelled."""
    ledger = random_ledger(seed, tensors=False)
    if ledger is None:
        return
    for node in range(len(ledger.graph)):
        found = zero_gradient(ledger, node)
        if found is None or found.gradient is None:
            continue
        steps = {c.step for c in found.causes if c.reason not in ("cancelled", "detached")}
        sums = {c.node for c in found.causes if c.reason == "cancelled"}
        assert (steps, sums) == followed(ledger, node)


def followed(ledger, node):
    """Steps at which zeros arise on the paths to a node, and nodes at which sums are zero."""
    steps, sums, seen, stack = set(), set(), {node}, [node]
    while stack:
        at = stack.pop()
        for sent in ledger.contributions(at):
            if sent.value != 0:
                sums.add(sent.target)
            elif sent.upstream != 0:
                steps.add(sent.step)
            elif sent.source_id not in seen:
                seen.add(sent.source_id)
                stack.append(sent.source_id)
    return steps, sums


# ---- by experiment ----

KILLERS = {
    "zero-factor": lambda x, k: x * k,
    "stationary": lambda x, k: bpstep.cos(x - x.value + k),
    "kink": lambda x, k: bpstep.relu(x - x.value + k),
    "blocked": lambda x, k: bpstep.relu(x - x.value + k - 1.0),
}
SMOOTH = (
    bpstep.sin,
    bpstep.tanh,
    lambda x: 0.7 * x,
    lambda x: x + 0.2,
    lambda x: bpstep.exp(0.3 * x),
)


def chained(before, after, killer, k):
    """Smooth steps, one operation that stops the gradient for k = 0, smooth steps again."""
    graph = Graph()
    x = graph.param("x", 0.4)
    node = x
    for step in before:
        node = SMOOTH[step](node)
    node = graph.name("killer", KILLERS[killer](node, graph.constant("k", k)))
    for step in after:
        node = SMOOTH[step](node) + node
    return reverse(graph, (node * 1.5).index)


STEPS = st.lists(st.integers(0, len(SMOOTH) - 1), max_size=4)


@pytest.mark.parametrize("killer", KILLERS)
@settings(max_examples=20, deadline=None)
@given(before=STEPS, after=STEPS)
def test_the_named_value_moved_lets_the_gradient_through(killer, before, after):
    found = zero_gradient(chained(before, after, killer, 0.0), 0)
    assert found is not None
    assert found.reasons == (killer,)
    (cause,) = found.causes
    assert cause.node == "killer"
    if killer == "zero-factor":
        assert (cause.factor, cause.value) == ("k", 0.0)
    moved = [chained(before, after, killer, shift).grad("x") for shift in (-0.3, 0.3)]
    if killer == "blocked":
        assert moved == [0.0, 0.0]
        assert chained(before, after, killer, 1.3).grad("x") != 0
    elif killer == "kink":
        assert moved[0] == 0.0 != moved[1]
    else:
        assert 0.0 not in moved


@settings(max_examples=40, deadline=None)
@given(st.lists(st.floats(0.1, 10), min_size=1, max_size=5), STEPS)
def test_contributions_that_cancel(weights, after):
    graph = Graph()
    x = graph.param("x", 0.4)
    node = x - x
    for weight in weights:
        node = node + weight * x - weight * x
    for step in after:
        node = SMOOTH[step](node)
    ledger = reverse(graph, node.index)
    if ledger.grad("x") != 0:
        return
    found = zero_gradient(ledger, x.index)
    assert found is not None
    assert found.reasons == ("cancelled",)


# ---- element by element, against Jacobians ----


@pytest.mark.parametrize("row", [row for row in TABLE if row.records], ids=lambda row: row.name)
def test_products_are_those_of_the_jacobian(row):
    rng = np.random.default_rng(3)
    for case in cases(row):
        shape = case.node.shape
        for edge in case.edges():
            upstream = rng.choice([0.0, 0.0, 1.5, -2.0], size=shape)
            wanted = rng.random(case.graph.shape(edge.target)) < 0.6
            check_terms(edge, upstream if shape else float(upstream), np.asarray(wanted))


def check_terms(edge, upstream, wanted):
    """Not-zero products, and zero upstream gradients that alone keep something from arriving."""
    found = terms(edge, upstream, wanted)
    size = math.prod(np.shape(upstream))
    jacobian = np.stack([np.ravel(column) for column in columns(edge, np.shape(upstream), size)])
    sent, asked = np.ravel(upstream) != 0, np.ravel(wanted)
    live = (jacobian[sent] != 0).any(axis=0) & asked
    assert np.array_equal(np.ravel(np.broadcast_to(found.live, wanted.shape)), live)
    awaiting = np.ravel(found.awaiting)
    assert not (awaiting & sent).any()
    if edge.operation.name not in ("softmax", "log_softmax"):
        needed = (jacobian[:, asked] != 0).any(axis=1) & ~sent
        assert (awaiting | ~needed).all()


def columns(edge, shape, size):
    for k in range(size):
        unit = np.zeros(size)
        unit[k] = 1.0
        yield contribution(edge, unit.reshape(shape) if shape else 1.0)[0]
