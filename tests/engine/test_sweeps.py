"""A tape of numbers is swept as flat arrays, one of tensors value by value: with the same bits."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_graphs import random_computation

from bpstep.engine.graph import Graph
from bpstep.engine.ledger import Ledger
from bpstep.engine.ops import OPERATIONS
from bpstep.engine.reverse import reverse

SPECIAL = [0.0, -0.0, 1.0, -1.0, 0.5, 2.0, -3.7, 1e-3, 1e200, 5e-324, np.inf, -np.inf, np.nan]
PRESETS = ["torch", "jax", "tensorflow"]
ELEMENTWISE = [row for row in OPERATIONS.values() if row.elementwise]
COLUMNS = ("source", "target", "operand", "upstream", "local", "value", "running")


def both_sweeps(graph: Graph, output: int) -> tuple[Ledger, Ledger]:
    """The ledger by flat arrays, and the same one value by value."""
    assert graph.is_plain
    flat = reverse(graph, output)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Graph, "is_plain", False)
        return flat, reverse(graph, output)


def assert_same_bits(one: Ledger, other: Ledger) -> None:
    first, second = one.arrays(), other.arrays()
    for name in COLUMNS:
        a, b = first[name], second[name]
        assert np.array_equal(a, b, equal_nan=a.dtype.kind == "f"), (name, a, b)
        assert np.array_equal(np.signbit(a[a == a]), np.signbit(b[b == b])), (name, a, b)


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("row", ELEMENTWISE, ids=lambda row: row.name)
def test_an_operation_over_all_special_values(row: Any, preset: str) -> None:
    """One tape with the operation on every combination of values: exact rules run over arrays."""
    graph = Graph(conventions=preset)
    leaves = [graph.param(f"x{k}", value) for k, value in enumerate(SPECIAL)]
    keywords = {"min": -1.0, "max": 1.0} if row.name == "clamp" else {}
    total = leaves[0]
    choices = itertools.product(leaves[: 13 if row.least < 3 else 6], repeat=row.least)
    for operands, weight in zip(choices, itertools.cycle([1.0, 0.0, -0.3, np.inf])):
        total = total + graph.apply(row.name, *operands, **keywords) * weight
    assert_same_bits(*both_sweeps(graph, total.index))


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.integers(0, 10**6), st.integers(1, 30), st.sampled_from(PRESETS))
def test_random_scalar_graphs(seed: int, size: int, preset: str) -> None:
    computation = random_computation(np.random.default_rng(seed), size, tensors=False)
    graph, nodes = computation.record(conventions=preset)
    if graph.requires_grad(nodes[-1].index):
        assert_same_bits(*both_sweeps(graph, nodes[-1].index))


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.integers(0, 10**6), st.sampled_from(PRESETS), st.booleans())
def test_overwritten_values(seed: int, preset: str, spoil: bool) -> None:
    """Also after a value was replaced in place, which relu's kink does not see."""
    rng = np.random.default_rng(seed)
    graph, nodes = random_computation(rng, 12, tensors=False).record(conventions=preset)
    for node in nodes:
        if rng.random() < 0.3:
            graph.replace(node.index, float(rng.choice(SPECIAL)) if spoil else 0.0)
    if graph.requires_grad(nodes[-1].index):
        assert_same_bits(*both_sweeps(graph, nodes[-1].index))


def test_the_same_graph_twice_gives_the_same_bits() -> None:
    for seed in range(40):
        computation = random_computation(np.random.default_rng(seed), 15, tensors=bool(seed % 2))
        graph, nodes = computation.record()
        if not graph.requires_grad(nodes[-1].index):
            continue
        again, _ = computation.record()
        one, other = reverse(graph, len(graph) - 1), reverse(again, len(again) - 1)
        assert [one.receiver(k) for k in range(1, len(one) + 1)] == [
            other.receiver(k) for k in range(1, len(other) + 1)
        ]
        for step in range(2, len(one) + 1):
            np.testing.assert_array_equal(one.value(step), other.value(step))
