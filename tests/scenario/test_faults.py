"""The fault of a scenario breaks its reverse passes, and nothing else."""

from __future__ import annotations

import numpy as np
import pytest

from bpstep.scenario import loads
from bpstep.session.expect import judge

NETWORK = """\
bpstep: 1
title: the network
inputs: {x: 2}
params: {w: 1, b: -1, v: 3}
constants: {target: 1}
graph: {p: w * x, z: p + b, h: relu(z), q: v * h, y: q + p, e: y - target, loss: 0.5 * e ** 2}
"""
SQUARE = """\
bpstep: 1
title: a square
params: {r: 3}
graph: {s: r * r}
"""
MATRIX = """\
bpstep: 1
title: a matrix
inputs: {x: [[1, 2]]}
params: {W: [[1, 0], [3, 1]]}
graph: {z: x @ W, loss: "sum(z * z)"}
"""


def run(text, fault="~", **more):
    lines = [f"{key}: {value}" for key, value in {"fault": fault, **more}.items()]
    return loads("\n".join([text, *lines, ""])).run()


@pytest.mark.parametrize(
    ("fault", "grads"),
    [
        ("~", {"p": 16, "w": 32, "x": 16, "b": 12, "v": 4}),
        ("{kind: overwrite}", {"p": 12, "w": 24, "x": 12, "b": 12}),
        ("{kind: overwrite, node: h}", {"p": 16, "w": 32}),
        ("{kind: drop, from: y, node: p}", {"p": 12, "w": 24}),
        ("{kind: drop, from: z, node: p}", {"p": 4, "w": 8}),
        ("{kind: revisit}", {"p": 16, "w": 64}),
        ("{kind: early}", {"p": 16, "w": 8, "b": 12}),
        ("{kind: rule, op: relu, value: 0.5}", {"z": 6, "p": 10, "w": 20}),
        ("{kind: rule, node: q, operand: 1, value: 1}", {"h": 4, "p": 8, "v": 4}),
    ],
)
def test_what_each_kind_does_to_the_network(fault, grads):
    done = run(NETWORK, fault)
    assert {name: done.grad(name) for name in grads} == grads
    assert done.value("loss") == 8


def test_a_repeated_operand():
    assert run(SQUARE).grad("r") == 6
    done = run(SQUARE, "{kind: single_operand}")
    assert [each.value for each in done.passes[-1].ledger.contributions("r")] == [3]


def test_the_untransposed_factor():
    right, wrong = run(MATRIX), run(MATRIX, "{kind: transpose, operand: 0}")
    upstream = 2 * np.array([[7.0, 2.0]])
    weights = np.array([[1.0, 0.0], [3.0, 1.0]])
    np.testing.assert_array_equal(right.grad("x"), upstream @ weights.T)
    np.testing.assert_array_equal(wrong.grad("x"), upstream @ weights)
    np.testing.assert_array_equal(wrong.grad("W"), right.grad("W"))


def test_every_pass_has_the_fault():
    done = run(NETWORK, "{kind: overwrite}", program="[forward, backward, backward]")
    assert [each.ledger.grad("w") for each in done.passes] == [24, 24]


def diamonds(count):
    entries = {"a0": "x"} | {f"a{i}": f"a{i - 1} + a{i - 1}" for i in range(1, count + 1)}
    return loads(
        f"bpstep: 1\ntitle: diamonds\ninputs: {{x: 1}}\nfault: {{kind: revisit}}\n"
        f"graph: {{{', '.join(f'{name}: {text}' for name, text in entries.items())}}}\n"
        "program: [forward, zero_grad, backward]\nexpect: {error: fault-too-long}\n"
    )


def test_a_pass_that_never_ends_is_given_up_before_it_begins():
    done = diamonds(40).run()
    assert done.error is not None
    assert (done.error.code, done.error.statement_number) == ("fault-too-long", 3)
    assert done.error.statement == "backward"
    assert done.passes == ()


@pytest.mark.parametrize(
    ("fault", "targets"),
    [
        ("~", "(e**2) e y q p v"),
        ("{kind: drop, from: y, node: p}", "(e**2) e y q v"),
        ("{kind: revisit}", "(e**2) e y q p v"),
    ],
)
def test_a_value_that_was_changed_stops_a_faulty_pass_at_the_same_contribution(fault, targets):
    """v * h reads the changed v for its second operand."""
    done = run(NETWORK, fault, program="[forward, mutate v = 5, backward]")
    assert done.error is not None
    assert (done.error.code, done.error.node) == ("stale-value", "v")
    ledger = done.passes[-1].ledger
    assert " ".join(ledger.graph.label(each) for each in ledger.targets) == targets


def test_up_to_a_million_steps_are_taken(monkeypatch):
    """Ten doublings: the seed, what x sends, and 2 + 4 + … + 2048 contributions."""
    steps = diamonds(10).run().steps
    assert steps == 1 + sum(2**i for i in range(1, 11)) + 2**10
    monkeypatch.setattr("bpstep.engine.faults.MOST_STEPS", steps)
    assert diamonds(10).run().error is None
    monkeypatch.setattr("bpstep.engine.faults.MOST_STEPS", steps - 1)
    assert diamonds(10).run().error is not None


def test_a_run_may_be_expected_to_be_given_up():
    (judged,) = judge(diamonds(40))
    assert (judged.what, judged.found, judged.ok) == ("error", "fault-too-long", True)
