"""Gradients of random computations are PyTorch's, where torch is installed."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch")

from random_graphs import Computation, random_computation
from torch_oracle import OPERATIONS as TORCH
from torch_oracle import gradients

from bpstep.engine.ledger import Ledger
from bpstep.engine.ops import OPERATIONS
from bpstep.engine.reverse import backward

TOLERANCE = 1e-12


def finite(values: list[Any]) -> bool:
    return all(np.all(np.isfinite(value)) for value in values)


def compared(computation: Computation) -> Ledger | None:
    """The ledger, its gradients held against torch's; None where the two cannot be compared.

    A forward value that differs in its last bit may fall on the other side of a branch, and after
    a nan or inf frameworks mask where others multiply: those samples say nothing about rules.
    """
    graph, nodes = computation.record()
    if not graph.requires_grad(nodes[-1].index):
        return None
    values, expected = gradients(computation)
    ours = [node.value for node in nodes]
    if not finite(values) or any(map(np.any, map(np.not_equal, values, ours))):
        return None
    ledger = backward(nodes[-1])
    if not finite([value for value in expected if value is not None]):
        return None
    for node, value in zip(nodes, expected, strict=True):
        hold(ledger, node.index, value)
    return ledger


def hold(ledger: Ledger, node: int, expected: Any) -> None:
    found = ledger.grad(node)
    assert (found is None) == (expected is None), ledger.graph.expression(node)
    if found is None:
        return
    scale = 1.0 + sum(float(np.sum(np.abs(c.value))) for c in ledger.contributions(node))
    assert np.shape(found) == np.shape(expected)
    assert np.max(np.abs(found - expected), initial=0.0) <= TOLERANCE * scale, (
        ledger.graph.label(node),
        found,
        expected,
    )


@pytest.mark.parametrize("tensors", [False, True], ids=["scalars", "tensors"])
@pytest.mark.parametrize("start", range(0, 600, 150))
def test_random_graphs(start: int, tensors: bool) -> None:
    kept = 0
    for seed in range(start, start + 150):
        rng = np.random.default_rng(seed)
        size = int(rng.integers(1, 12))
        kept += compared(random_computation(rng, size, tensors=tensors)) is not None
    assert kept >= 40


@pytest.mark.parametrize("name", OPERATIONS)
def test_each_operation_alone(name: str) -> None:
    """One operation on leaves, often at its point without a derivative; and again on results."""
    kept = sent = seed = 0
    while kept < 10 or (sent < 5 and OPERATIONS[name].records):
        seed += 1
        assert seed < 600
        rng = np.random.default_rng(seed)
        tensors = seed % 3 > 0
        ledger = compared(random_computation(rng, 1 + seed % 2, tensors=tensors, names=[name]))
        if ledger is not None:
            kept += 1
            codes = {ledger.graph.operation(i) for i in ledger.sources.tolist()}
            sent += OPERATIONS[name] in codes


def test_every_operation_occurs_and_has_an_oracle() -> None:
    assert set(TORCH) == set(OPERATIONS)
    made: Counter[str] = Counter()
    for seed in range(400):
        computation = random_computation(np.random.default_rng(seed), 8, tensors=True)
        made.update(name for name, _, _ in computation.steps)
    assert set(made) == set(OPERATIONS)
