"""The lessons' networks: exact numbers, and the order in which contributions arrive."""

from __future__ import annotations

import math
from operator import attrgetter

import numpy as np
import pytest
from networks import network, two_uses

import bpstep
from bpstep.engine.ledger import Ledger
from bpstep.engine.reverse import backward

FULL = [
    # step, receiver, from, operand, upstream, local, value, running, arrived, expected
    (2, "(e**2)", "loss", 1, 1.0, 0.5, 0.5, 0.5, 1, 1),
    (3, "e", "(e**2)", 0, 0.5, 8.0, 4.0, 4.0, 1, 1),
    (4, "y", "e", 0, 4.0, 1.0, 4.0, 4.0, 1, 1),
    (5, "q", "y", 0, 4.0, 1.0, 4.0, 4.0, 1, 1),
    (6, "p", "y", 1, 4.0, 1.0, 4.0, 4.0, 1, 2),
    (7, "v", "q", 0, 4.0, 1.0, 4.0, 4.0, 1, 1),
    (8, "h", "q", 1, 4.0, 3.0, 12.0, 12.0, 1, 1),
    (9, "z", "h", 0, 12.0, 1.0, 12.0, 12.0, 1, 1),
    (10, "p", "z", 0, 12.0, 1.0, 12.0, 16.0, 2, 2),
    (11, "b", "z", 1, 12.0, 1.0, 12.0, 12.0, 1, 1),
    (12, "w", "p", 0, 16.0, 2.0, 32.0, 32.0, 1, 1),
    (13, "x", "p", 1, 16.0, 1.0, 16.0, 16.0, 1, 1),
]


def grads(ledger: Ledger, names: str) -> list[object]:
    return [ledger.grad(name) for name in names.split()]


def values(ledger: Ledger, node: str) -> list[object]:
    return [c.value for c in ledger.contributions(node)]


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_full_step_by_step(dtype: str) -> None:
    graph, loss = network(dtype=dtype)
    values = {"p": 2.0, "z": 1.0, "h": 1.0, "q": 3.0, "y": 5.0, "e": 4.0, "loss": 8.0}
    assert {name: graph.values[graph.find(name)] for name in values} == values
    ledger = backward(loss)
    assert len(ledger) == 13
    found = [ledger.contribution(step) for step in range(2, 14)]
    fields = attrgetter(
        "step", "target", "source", "operand", "upstream", "local", "value", "running", "arrived",
        "expected",
    )  # fmt: skip
    assert [fields(c) for c in found] == FULL
    assert [graph.label(ledger.receiver(step)) for step in range(1, 14)] == [
        "loss", "(e**2)", "e", "y", "q", "p", "v", "h", "z", "p", "b", "w", "x",
    ]  # fmt: skip
    assert [step for step in range(1, 14) if ledger.completed_at(step)] == [
        1, 2, 3, 4, 5, 7, 8, 9, 10, 11, 12, 13,
    ]  # fmt: skip
    assert ledger.grad("target") is None
    assert all(c.buffer is None and c.convention is None for c in found)


def test_the_middle_of_p() -> None:
    _, loss = network()
    ledger = backward(loss)
    state = ledger.at(6)
    assert (state.grad("p"), state.arrived("p"), state.complete("p")) == (4.0, 1, False)
    assert state.grad("w") is None
    state = ledger.at(10)
    assert (state.grad("p"), state.arrived("p"), state.complete("p")) == (16.0, 2, True)
    assert ledger.completion("p") == 10
    assert ledger.steps_of("p") == [6, 10]
    assert ledger.steps_of("loss") == [1]


def test_detached_skip() -> None:
    graph, loss = network(skip=lambda p: p.graph.name("skip", bpstep.detach(p)))
    ledger = backward(loss)
    assert (loss.value, ledger.grad("w")) == (8.0, 24.0)
    assert values(ledger, "p") == [12.0]
    assert ledger.grad("skip") is None
    (ghost,) = ledger.ghosts()
    assert (graph.label(ghost.node), graph.label(ghost.through), ghost.value) == ("p", "skip", 4.0)


def test_kink() -> None:
    _, loss = network(b=-2.0)
    ledger = backward(loss)
    assert grads(ledger, "w b v x") == [2.0, 0.0, 0.0, 1.0]
    (contribution,) = ledger.contributions("z")
    assert contribution.convention is not None
    assert contribution.convention.key == "relu"
    assert contribution.convention.interval == (0.0, 1.0)


def test_no_skip() -> None:
    _, loss = network(skip=lambda p: None)
    assert loss.value == 2.0
    assert grads(backward(loss), "w b v") == [12.0, 6.0, 2.0]


def test_zero_output_weight() -> None:
    _, loss = network(v=0.0)
    assert loss.value == 0.5
    assert grads(backward(loss), "w b v") == [2.0, 0.0, 1.0]


def test_a_repeated_operand_is_two_contributions() -> None:
    graph = bpstep.Graph()
    r = graph.param("r", 3.0)
    ledger = backward(r * r)
    found = ledger.contributions("r")
    assert [(c.operand, c.value, c.arrived, c.expected) for c in found] == [
        (0, 3.0, 1, 2),
        (1, 3.0, 2, 2),
    ]
    assert ledger.grad("r") == 6.0


def test_product_and_sum() -> None:
    graph = bpstep.Graph()
    x, y = graph.param("x", 2.0), graph.param("y", 3.0)
    ledger = backward(x * y + y)
    assert values(ledger, "y") == [1.0, 2.0]
    assert grads(ledger, "x y") == [3.0, 3.0]


def test_two_uses() -> None:
    _, loss = two_uses(u=0.5)
    ledger = backward(loss)
    assert [(c.source, c.value) for c in ledger.contributions("h")] == [("d", -0.25), ("a", -0.5)]
    assert grads(ledger, "h w b v u c") == [-0.75, -1.5, -0.75, -0.5, -0.5, -0.5]


def test_cancellation() -> None:
    _, loss = two_uses(u=-1.0)
    ledger = backward(loss)
    assert values(ledger, "h") == [0.5, -0.5]
    assert grads(ledger, "h w b") == [0.0, 0.0, 0.0]


def test_dead_relu() -> None:
    _, loss = two_uses(u=0.5, b=-3.0)
    assert grads(backward(loss), "w b v u c") == [0.0, 0.0, 0.0, 0.0, -0.5]


def test_two_layer() -> None:
    g = bpstep.Graph()
    x, y = g.input("x", 2.0), g.constant("y", 1.0)
    w1, b1 = g.param("w1", 0.5), g.param("b1", 0.1)
    w2, b2 = g.param("w2", -1.2), g.param("b2", 0.3)
    loss = 0.5 * (w2 * bpstep.relu(w1 * x + b1) + b2 - y) ** 2
    assert loss.value == pytest.approx(2.0402, abs=1e-12)
    assert grads(backward(loss), "w1 b1 w2 b2") == pytest.approx([4.848, 2.424, -2.222, -2.02])


def test_vector_loss() -> None:
    g = bpstep.Graph()
    x, w = g.input("x", [2.0, 3.0]), g.param("w", [0.5, -1.0])
    ledger = backward((bpstep.sum(w * x) - 1) ** 2)
    assert ledger.grad("x").tolist() == [-3.0, 6.0]
    assert ledger.grad("w").tolist() == [-12.0, -18.0]


def test_matrix_layer() -> None:
    g = bpstep.Graph()
    x = g.input("X", [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    w, b = g.param("W", [[1.0, 0.0], [2.0, -1.0]]), g.param("b", [0.5, -0.5])
    z = g.name("Z", x @ bpstep.transpose(w) + b)
    ledger = backward(bpstep.sum(z * z))
    upstream = 2 * z.value
    np.testing.assert_array_equal(ledger.grad("X"), upstream @ w.value)
    np.testing.assert_array_equal(ledger.grad("W"), upstream.T @ x.value)
    np.testing.assert_array_equal(ledger.grad("b"), upstream.sum(axis=0))
    (sent,) = ledger.contributions("X")
    assert (sent.local, sent.rule) == (None, "G @ (transpose(W)).T")


def test_chains() -> None:
    g = bpstep.Graph()
    node = start = g.param("x", 0.0)
    for _ in range(10):
        node = bpstep.sigmoid(node) - 0.5
    assert backward(node).grad(start) == 0.25**10
    g = bpstep.Graph()
    node = start = g.param("x", 1.0)
    for _ in range(10):
        node = node * 2.0
    assert backward(node).grad(start) == 1024.0
    g = bpstep.Graph()
    node = start = g.param("x", 0.0)
    for _ in range(10):
        node = node + (bpstep.sigmoid(node) - 0.5)
    assert backward(node).grad(start) == 1.25**10


def test_smooth_at_kinks() -> None:
    g = bpstep.Graph()
    x = g.param("x", 0.0)
    assert backward(bpstep.relu(x) - bpstep.relu(-x)).grad("x") == 0.0


def test_sqrt_at_zero() -> None:
    g = bpstep.Graph()
    x = g.param("x", 0.0)
    square = g.name("s", x * x)
    ledger = backward(bpstep.sqrt(square))
    assert ledger.grad("s") == math.inf
    assert [math.isnan(c.value) for c in ledger.contributions("x")] == [True, True]


def test_a_frozen_leaf_gets_nothing() -> None:
    g = bpstep.Graph()
    x, w, b = g.input("x", 2.0), g.param("w", 3.0, grad=False), g.param("b", 1.0)
    ledger = backward(w * x + b)
    assert grads(ledger, "x w b") == [3.0, None, 1.0]
    assert ledger.expected("w") == 0
    assert ledger.completion("w") is None


def test_what_the_loss_does_not_reach_is_silent() -> None:
    g = bpstep.Graph()
    x, w = g.param("x", 2.0), g.param("w", 3.0)
    aside = g.name("aside", bpstep.exp(x * w))
    ledger = backward(g.name("loss", x * x))
    _ = aside * 2
    assert grads(ledger, "aside w x") == [None, None, 4.0]
    assert len(ledger) == 3


def test_backward_of_a_middle_node() -> None:
    graph, _ = network()
    ledger = backward(bpstep.Node(graph, graph.find("q")))
    assert grads(ledger, "q v h w loss y") == [1.0, 1.0, 3.0, 6.0, None, None]


def test_backward_of_a_leaf() -> None:
    g = bpstep.Graph()
    ledger = backward(g.param("x", 2.0))
    assert (len(ledger), ledger.grad("x"), ledger.completion("x")) == (1, 1.0, 1)
    assert ledger.at(0).grad("x") is None
    assert ledger.contributions("x") == ()


def test_ghosts_of_two_detaches_one_behind_the_other() -> None:
    """Each is what would arrive in a pass with both opened."""
    g = bpstep.Graph()
    x = g.param("x", 3.0)
    inner = g.name("inner", bpstep.detach(x * x))
    outer = g.name("outer", bpstep.detach(inner * 5.0))
    ledger = backward(outer * x + inner)
    assert grads(ledger, "x inner outer") == [45.0, None, None]
    found = {g.label(ghost.through): ghost.value for ghost in ledger.ghosts()}
    assert found == {"outer": 3.0, "inner": 1.0 + 3.0 * 5.0}
