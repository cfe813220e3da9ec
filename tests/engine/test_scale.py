"""A million operations: no recursion, and work that grows with the number of nodes."""

from __future__ import annotations

import math
import sys
import time

import numpy as np
import pytest

import bpstep
from bpstep.engine.ledger import Ledger


def chain(length: int) -> Ledger:
    graph = bpstep.Graph()
    node = graph.param("x", 1.0)
    one = graph.literal(1.0)
    for _ in range(length):
        node = node * one
    return bpstep.backward(node)


def seconds(length: int) -> float:
    """Processor time, so that other programs on the machine do not count."""
    start = time.process_time()
    ledger = chain(length)
    assert (len(ledger), ledger.grad("x")) == (length + 1, 1.0)
    return time.process_time() - start


def test_a_chain_of_many_operations() -> None:
    """A million, in tests/benchmarks/recording.py, take four times as long."""
    limit = sys.getrecursionlimit()
    ledger = chain(250_000)
    assert sys.getrecursionlimit() == limit
    assert len(ledger) == 250_001
    assert ledger.at(125_000).grad("x") is None
    assert ledger.grad("x") == 1.0
    last = ledger.contribution(len(ledger))
    assert (last.target, last.value, last.expected) == ("x", 1.0, 1)


def test_the_work_grows_linearly() -> None:
    """Twice the length in about twice the time; four times would be quadratic."""
    small = min(seconds(50_000) for _ in range(3))
    large = min(seconds(200_000) for _ in range(2))
    assert large < 10 * small


def test_a_wide_node() -> None:
    """Two hundred thousand contributions to one leaf; each is looked up without a search."""
    graph = bpstep.Graph()
    x = graph.param("x", 2.0)
    total = x * x
    for _ in range(100_000):
        total = total + x * x
    ledger = bpstep.backward(total)
    assert ledger.grad("x") == 400_004.0
    middle = ledger.steps_of("x")[100_000]
    assert ledger.contribution(middle).arrived == 100_001
    assert ledger.at(middle).grad("x") == 200_002.0


def test_a_long_chain_of_functions_and_names() -> None:
    graph = bpstep.Graph()
    node = graph.param("x", 0.5)
    for k in range(3000):
        node = graph.name(f"h{k}", bpstep.tanh(node + 0.1))
    ledger = bpstep.backward(node)
    assert math.isfinite(ledger.grad("x"))
    assert ledger.contribution(len(ledger)).source == "(x+0.1)"


@pytest.mark.parametrize("length", [1, 10, 1000])
def test_powers_of_a_chain_are_exact(length: int) -> None:
    graph = bpstep.Graph()
    node = graph.param("x", 1.0)
    for _ in range(length):
        node = node + node
    assert bpstep.backward(node).grad("x") == 2.0**length


def test_a_large_tensor() -> None:
    graph = bpstep.Graph()
    w = graph.param("w", np.ones((1000, 1000)))
    ledger = bpstep.backward(bpstep.sum(w * w))
    assert ledger.grad("w").sum() == 2e6
