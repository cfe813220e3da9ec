"""Properties of every ledger: states are partial sums, and every count adds up."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from random_graphs import random_computation

from bpstep.engine.graph import Graph
from bpstep.engine.ledger import Ledger
from bpstep.engine.reverse import backward, reverse

GRAPHS = st.tuples(st.integers(0, 10**6), st.integers(1, 14), st.booleans())
DTYPES = st.sampled_from(["float64", "float32"])
property_test = settings(max_examples=60, deadline=None, derandomize=True)


def ledger_of(made: tuple[int, int, bool], dtype: str = "float64") -> Ledger:
    seed, size, tensors = made
    computation = random_computation(np.random.default_rng(seed), size, tensors=tensors)
    graph, nodes = computation.record(dtype)
    assume(graph.requires_grad(nodes[-1].index))
    return backward(nodes[-1])


def same(one: Any, other: Any) -> bool:
    if one is None or other is None:
        return one is other
    return np.shape(one) == np.shape(other) and np.array_equal(one, other, equal_nan=True)


def added(one: Any, other: Any) -> Any:
    with np.errstate(all="ignore"):
        return one + other


@property_test
@given(GRAPHS)
def test_a_state_is_the_partial_sum_in_order(made: tuple[int, int, bool]) -> None:
    """Bit for bit: plain additions, left to right."""
    ledger = ledger_of(made)
    sums: list[Any] = [None] * len(ledger.graph)
    counts = [0] * len(ledger.graph)
    assert all(ledger.at(0).grad(i) is None for i in range(len(ledger.graph)))
    for step in range(1, len(ledger) + 1):
        node, value = ledger.receiver(step), ledger.value(step)
        sums[node] = value if sums[node] is None else added(sums[node], value)
        counts[node] += step > 1
        state = ledger.at(step)
        assert same(state.grad(node), sums[node])
        assert state.arrived(node) == counts[node]
        assert state.complete(node) == (counts[node] == ledger.expected(node))
        if step > 1:
            assert same(ledger.contribution(step).running, sums[node])
            assert ledger.contribution(step).arrived == counts[node]
    end = ledger.at(len(ledger))
    assert all(same(end.grad(i), sums[i]) for i in range(len(sums)))
    assert all(same(ledger.grad(i), sums[i]) for i in range(len(sums)))


@property_test
@given(GRAPHS)
def test_a_contribution_goes_from_a_complete_consumer_to_its_operand(
    made: tuple[int, int, bool],
) -> None:
    ledger = ledger_of(made)
    graph = ledger.graph
    sent: list[tuple[int, int]] = []
    for step in range(2, len(ledger) + 1):
        c = ledger.contribution(step)
        before = ledger.at(step - 1)
        assert graph.operands(c.source_id)[c.operand] == c.target_id
        assert before.complete(c.source_id)
        assert same(before.grad(c.source_id), c.upstream)
        assert np.shape(c.value) == np.shape(c.running) == graph.shape(c.target_id)
        sent.append((-c.source_id, c.operand))
    assert sent == sorted(set(sent))


@property_test
@given(GRAPHS)
def test_counts(made: tuple[int, int, bool]) -> None:
    ledger = ledger_of(made)
    nodes = range(len(ledger.graph))
    assert len(ledger) == 1 + sum(ledger.expected(i) for i in nodes)
    assert len(ledger) == 1 + len(ledger.sources) == 1 + len(ledger.targets)
    for node in nodes:
        consumers = [(c.source_id, c.operand) for c in ledger.contributions(node)]
        assert set(consumers) <= set(ledger.graph.consumers(node))
        assert len(consumers) == ledger.expected(node)
        steps = ledger.steps_of(node)
        assert [ledger.receiver(step) for step in steps] == [node] * len(steps)
        assert ledger.completion(node) == (steps[-1] if steps else None)
        assert (ledger.grad(node) is None) == (not steps)
    completions = [step for step in range(1, len(ledger) + 1) if ledger.completed_at(step)]
    assert ledger.completions.tolist() == completions


@property_test
@given(GRAPHS, st.integers(0, 30))
def test_a_pass_that_stops_is_the_beginning_of_the_whole(
    made: tuple[int, int, bool], stop: int
) -> None:
    whole = ledger_of(made)
    assume(stop < len(whole) - 1)
    part = reverse(whole.graph, whole.output, stop=stop)
    assert len(part) == stop + 1
    for node in range(len(whole.graph)):
        assert same(part.grad(node), whole.at(stop + 1).grad(node))
        assert part.expected(node) == whole.expected(node)
        done = whole.completion(node)
        assert part.completion(node) == (done if done is not None and done <= stop + 1 else None)
    assert part.completions.tolist() == [k for k in whole.completions.tolist() if k <= stop + 1]


@property_test
@given(GRAPHS)
def test_buffers_come_before_what_arrives(made: tuple[int, int, bool]) -> None:
    alone = ledger_of(made)
    graph = alone.graph
    buffers = {leaf: graph.values[leaf] for leaf in graph.leaves()}
    ledger = reverse(graph, alone.output, buffers=buffers)
    for leaf, buffer in buffers.items():
        assert same(ledger.at(0).grad(leaf), buffer)
        total = buffer
        for c in ledger.contributions(leaf):
            total = added(total, c.value)
            assert same(c.running, total)
            assert same(c.buffer, buffer)
        assert same(ledger.grad(leaf), total)
        if alone.grad(leaf) is not None:
            assert same(ledger.own_grad(leaf), alone.grad(leaf))


@property_test
@given(GRAPHS)
def test_everything_of_a_float32_tape_is_a_float32(made: tuple[int, int, bool]) -> None:
    ledger = ledger_of(made, "float32")
    numbers = [*ledger.graph.values]
    for step in range(2, len(ledger) + 1):
        c = ledger.contribution(step)
        numbers += [c.value, c.running, c.upstream, *([] if c.local is None else [c.local])]
    with np.errstate(over="ignore"):
        assert all(same(np.asarray(n, np.float32).astype(float), n) for n in numbers)


@property_test
@given(GRAPHS, DTYPES)
def test_ghosts_are_what_a_pass_with_every_detach_opened_sends(
    made: tuple[int, int, bool], dtype: str
) -> None:
    ledger = ledger_of(made, dtype)
    graph = ledger.graph
    opened = reverse(graph, ledger.output, open_detach=True)
    expected = [
        (c.target_id, c.source_id, c.value)
        for c in (opened.contribution(step) for step in range(2, len(opened) + 1))
        if graph.operation(c.source_id).name == "detach"
    ]
    found = [(ghost.node, ghost.through, ghost.value) for ghost in ledger.ghosts()]
    assert [ghost[:2] for ghost in found] == [ghost[:2] for ghost in expected]
    assert all(same(a[2], b[2]) for a, b in zip(found, expected, strict=True))


def test_recording_after_a_pass_leaves_its_ledger_as_it_was() -> None:
    """A node recorded later was once an IndexError, after the first look at the ledger."""
    graph = Graph()
    x = graph.param("x", 3.0)
    ledger = backward(x * x)
    assert ledger.grad(x) == 6.0
    later = x * 2.0
    assert ledger.grad(later) is None
    assert ledger.completions.tolist() == [1, 3]
    assert (ledger.expected(later), ledger.steps_of(later)) == (0, [])
    assert backward(later).grad(x) == 2.0


def test_flat_arrays() -> None:
    for dtype in ("float64", "float32"):
        graph = Graph(dtype)
        x = graph.param("x", 2.0)
        arrays = backward(graph.apply("reshape", x * 3.0, shape=()) * x).arrays()
        assert list(arrays) == [
            "source", "target", "operand", "upstream", "local", "value", "running",
        ]  # fmt: skip
        assert [column.dtype.kind for column in arrays.values()] == list("iiiffff")
        assert arrays["value"].tolist() == [2.0, 6.0, 2.0, 6.0]
        assert arrays["running"].tolist() == [2.0, 6.0, 2.0, 12.0]
