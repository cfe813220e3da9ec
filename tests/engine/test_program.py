"""Programs: buffers, freed graphs, changed values, updates and clipping."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from recipes import Made, assign, run

import bpstep
from bpstep.engine.errors import GraphError
from bpstep.engine.program import (
    Backward,
    ClipNorm,
    ClipValue,
    Forward,
    Mutate,
    Step,
    ZeroGrad,
    execute,
)

FORWARD, BACKWARD = Forward(), Backward()


def two_losses() -> Made:
    return Made({"x": 2.0}, lambda x: {"loss1": x * x, "loss2": 3 * x}, loss="loss1")


def square(value: float = 3.0, **more: Any) -> Made:
    return Made({"w": value}, lambda w: {"s": w * w, "loss": bpstep.exp(w) * 0.0 + w * w}, **more)


# ---- buffers ----


def test_the_default_program_is_forward_and_backward() -> None:
    done = execute(two_losses())
    assert [each.text for each in done.statements] == ["forward", "backward"]
    assert (done.grad("x"), done.value("loss1"), done.steps, done.error) == (4.0, 4.0, 3, None)


def test_two_losses_accumulate() -> None:
    done = run(two_losses(), FORWARD, BACKWARD, Backward("loss2"), buffers="accumulate")
    first, second = done.passes
    assert first.ledger.grad("x") == 4.0
    (contribution,) = second.ledger.contributions("x")
    assert (contribution.value, contribution.buffer, contribution.running) == (3.0, 4.0, 7.0)
    assert second.ledger.own_grad("x") == 3.0
    assert done.grad("x") == 7.0
    assert [(p.first, p.last, p.output) for p in done.passes] == [(0, 3, "loss1"), (3, 5, "loss2")]
    assert [done.pass_at(step).number for step in range(6)] == [1, 1, 1, 1, 2, 2]


def test_twice_through_both_without_clearing() -> None:
    both = [BACKWARD, Backward("loss2")]
    assert run(two_losses(), FORWARD, *both, *both, buffers="accumulate").grad("x") == 14.0
    cleared = run(two_losses(), FORWARD, *both, ZeroGrad(), *both, buffers="accumulate")
    assert cleared.grad("x") == 7.0
    assert run(two_losses(), FORWARD, *both, *both).grad("x") == 3.0


def test_reset_clears_what_the_pass_reaches_and_nothing_else() -> None:
    made = Made({"a": 2.0, "b": 5.0}, lambda a, b: {"one": a * a, "two": b * b}, loss="one")
    done = run(made, FORWARD, BACKWARD, Backward("two"))
    assert done.buffers == {"a": 4.0, "b": 10.0}


def test_interior_adjoints_start_empty_in_every_pass() -> None:
    made = Made({"x": 2.0}, lambda x: {"p": (p := x * 3.0), "loss": p * p})
    done = run(made, FORWARD, BACKWARD, BACKWARD, buffers="accumulate")
    assert done.grad("p") == 12.0
    assert done.grad("x") == 72.0


def test_buffers_live_across_forward_passes() -> None:
    twice = [FORWARD, BACKWARD] * 2
    assert run(two_losses(), *twice, buffers="accumulate").grad("x") == 8.0
    assert run(two_losses(), *twice, buffers="reset").grad("x") == 4.0


def test_a_leaf_as_output_adds_its_seed_to_its_buffer() -> None:
    made = Made({"x": 2.0}, lambda x: {"loss": x * x}, loss="x")
    assert run(made, FORWARD, BACKWARD, BACKWARD, buffers="accumulate").grad("x") == 2.0
    assert run(made, FORWARD, BACKWARD, BACKWARD).grad("x") == 1.0


def test_two_passes_from_different_outputs_over_one_graph() -> None:
    made = Made({"x": 2.0}, lambda x: {"p": (p := x * x), "a": p * 3.0, "b": p + x}, loss="a")
    done = run(made, FORWARD, BACKWARD, Backward("b"), Backward("p"))
    assert [p.ledger.grad("p") for p in done.passes] == [3.0, 1.0, 1.0]
    assert [p.ledger.grad("x") for p in done.passes] == [12.0, 5.0, 4.0]
    assert made.recorded == 1


# ---- freed graphs ----


def test_a_freed_graph_ends_the_run_at_the_first_node_that_saved() -> None:
    made = Made(
        {"x": 2.0}, lambda x: {"p": (p := x * 3.0), "s": (s := bpstep.sin(p)), "loss": s + 1.0}
    )
    done = run(made, FORWARD, BACKWARD, BACKWARD, retain_graph=False)
    assert done.error is not None
    assert (done.error.code, done.error.node, done.error.consumer) == ("graph-freed", "s", "s")
    assert (done.error.statement, done.error.statement_number) == ("backward", 2)
    assert "sin(p)" in str(done.error)
    first, second = done.passes
    # The addition saves nothing, so its contribution is still made.
    assert (len(first.ledger), len(second.ledger)) == (4, 2)
    assert second.ledger.grad("s") == 1.0
    assert second.ledger.grad("p") is None
    assert done.statements[-1].error is done.error
    assert done.steps == 6


def test_what_saves_nothing_can_be_passed_twice() -> None:
    made = Made({"x": 2.0, "y": 3.0}, lambda x, y: {"loss": x + y - 1.0})
    done = run(made, FORWARD, BACKWARD, BACKWARD, retain_graph=False)
    assert done.error is None
    assert done.grad("x") == 1.0


def test_only_what_was_passed_is_freed() -> None:
    made = Made({"x": 2.0}, lambda x: {"a": x * x, "b": x * 3.0}, loss="a")
    assert run(made, FORWARD, BACKWARD, Backward("b"), retain_graph=False).error is None
    assert run(made, FORWARD, BACKWARD, FORWARD, BACKWARD, retain_graph=False).error is None


# ---- changed values ----


def test_a_changed_value_is_an_error_where_it_was_saved() -> None:
    made = Made({"w": 2.0}, lambda w: {"p": (p := w * 3.0), "q": (q := p * p), "loss": q + p})
    done = run(made, FORWARD, assign("p", 10.0, Mutate), BACKWARD)
    assert done.error is not None
    assert (done.error.code, done.error.node, done.error.consumer) == ("stale-value", "p", "q")
    assert (done.error.statement, done.error.statement_number) == ("mutate p = …", 2)
    assert len(done.passes[0].ledger) == 3
    assert done.passes[0].ledger.grad("p") == 1.0
    assert done.passes[0].ledger.completion("p") is None
    assert done.grad("w") is None


def test_ignoring_versions_is_silently_wrong() -> None:
    made = Made({"w": 2.0}, lambda w: {"p": (p := w * 3.0), "q": (q := p * p), "loss": q + p})
    done = run(made, FORWARD, assign("p", 10.0, Mutate), BACKWARD, versions="ignore")
    assert done.error is None
    assert (done.value("p"), done.value("loss")) == (10.0, 42.0)
    assert done.grad("w") == (10.0 + 10.0 + 1.0) * 3.0


def test_a_value_that_nothing_saved_may_change() -> None:
    made = Made({"w": 2.0}, lambda w: {"p": (p := w * 3.0), "loss": p + 1.0})
    done = run(made, FORWARD, assign("p", 10.0, Mutate), BACKWARD)
    assert (done.error, done.grad("w")) == (None, 3.0)


def test_a_changed_result_is_seen_by_what_saved_its_result() -> None:
    made = Made({"w": 2.0}, lambda w: {"loss": bpstep.exp(w)})
    done = run(made, FORWARD, assign("loss", 1.0, Mutate), BACKWARD)
    assert done.error is not None
    assert (done.error.node, done.error.consumer) == ("loss", "loss")


def test_a_fresh_forward_pass_forgets_the_change() -> None:
    made = Made({"w": 2.0}, lambda w: {"p": (p := w * 3.0), "loss": p * p})
    done = run(made, FORWARD, assign("p", 1.0, Mutate), FORWARD, BACKWARD)
    assert (done.error, done.grad("w")) == (None, 36.0)


def test_a_changed_leaf_keeps_its_value_in_the_next_forward_pass() -> None:
    done = run(two_losses(), FORWARD, assign("x", 5.0, Mutate), FORWARD, BACKWARD)
    assert (done.leaves["x"], done.grad("x")) == (5.0, 10.0)


# ---- set, step, clip ----


def test_set_looks_up_values_and_gradients() -> None:
    done = run(
        square(),
        FORWARD,
        BACKWARD,
        assign("w", lambda env: env.value("w") - 0.5 * env.grad("w") + 0.0 * env.value("s")),
        FORWARD,
        BACKWARD,
    )
    assert (done.leaves["w"], done.grad("w")) == (0.0, 0.0)
    assert [each.leaves["w"] for each in done.statements] == [3.0, 3.0, 0.0, 0.0, 0.0]
    assert [each.run for each in done.statements] == [1, 1, 1, 2, 2]


def test_an_interior_gradient_is_the_last_passes() -> None:
    seen: list[Any] = []
    look = assign("w", lambda env: seen.append(env.grad("s")) or 1.0)
    run(Made({"w": 3.0}, lambda w: {"s": (s := w * w), "loss": s * 2.0}), FORWARD, BACKWARD, look)
    assert seen == [2.0]


def test_a_step_moves_every_parameter_at_once_and_no_input() -> None:
    made = Made(
        {"x": 2.0, "w": 1.0, "b": -1.0, "v": 3.0},
        lambda x, w, b, v: {"loss": 0.5 * (v * bpstep.relu((p := w * x) + b) + p - 1.0) ** 2},
        inputs=("x",),
    )
    done = run(made, FORWARD, BACKWARD, Step(0.1), FORWARD)
    assert done.leaves["x"] == 2.0
    moved = [done.leaves[name] for name in "wbv"]
    assert moved == [1.0 - 0.1 * 32.0, -1.0 - 0.1 * 12.0, 3.0 - 0.1 * 4.0]
    assert done.value("loss") == pytest.approx(14.58)
    done = run(made, FORWARD, BACKWARD, Step(0.01), FORWARD)
    assert done.value("loss") == pytest.approx(0.57287808)


def test_a_frozen_parameter_does_not_move() -> None:
    made = Made({"w": 2.0, "b": 1.0}, lambda w, b: {"loss": w * b}, frozen=("w",))
    done = run(made, FORWARD, BACKWARD, Step(0.5))
    assert done.leaves == {"w": 2.0, "b": 0.0}


def test_a_float32_update_starts_from_the_rounded_leaf() -> None:
    made = Made({"w": 0.1}, lambda w: {"loss": w * w}, dtype="float32")
    done = run(made, FORWARD, BACKWARD, Step(0.3))
    w = np.float32(0.1)
    expected = w - np.float32(0.3 * float(np.float32(w + w)))
    assert done.leaves["w"] == float(expected)


def clipped(gradients: list[float], *statements: Any) -> list[float]:
    names = [f"w{k}" for k in range(len(gradients))]

    def nodes(**leaves: Any) -> dict[str, Any]:
        total = leaves["w0"] * gradients[0]
        for name, gradient in zip(names[1:], gradients[1:], strict=True):
            total = total + leaves[name] * gradient
        return {"loss": total}

    done = run(Made(dict.fromkeys(names, 1.0), nodes), FORWARD, BACKWARD, *statements)
    return [done.grad(name) for name in names]


@pytest.mark.parametrize(
    ("gradients", "limit", "expected"),
    [
        ([3.0, 4.0], 2.5, [1.5, 2.0]),
        ([3.0, 4.0], 5.0, [3.0, 4.0]),
        ([3.0, 4.0], 6.0, [3.0, 4.0]),
        ([0.0, 0.0], 0.0, [0.0, 0.0]),
        ([3.0, 4.0], 0.0, [0.0, 0.0]),
        ([math.inf, 4.0], 1.0, [math.nan, 0.0]),
        ([math.nan, 4.0], 1.0, [math.nan, math.nan]),
    ],
)
def test_clipping_by_norm(gradients: list[float], limit: float, expected: list[float]) -> None:
    np.testing.assert_array_equal(clipped(gradients, ClipNorm(limit)), expected)


def test_clipping_by_value_turns_the_direction() -> None:
    assert clipped([3.0, -40.0, 0.5], ClipValue(1.0)) == [1.0, -1.0, 0.5]


def test_clipping_tensors_counts_every_element_and_only_parameters() -> None:
    made = Made(
        {"x": 1.0, "w": np.array([1.0, 1.0])},
        lambda x, w: {"loss": bpstep.sum(w * np.array([3.0, 4.0])) + x * 100.0},
        inputs=("x",),
    )
    done = run(made, FORWARD, BACKWARD, ClipNorm(1.0))
    np.testing.assert_allclose(done.grad("w"), [0.6, 0.8], rtol=1e-15)
    assert done.grad("x") == 100.0
    endless = Made(
        {"w": np.array([1.0, 1.0])}, lambda w: {"loss": bpstep.sum(w * np.array([math.inf, 2.0]))}
    )
    np.testing.assert_array_equal(
        run(endless, FORWARD, BACKWARD, ClipNorm(1.0)).grad("w"), [math.nan, 0.0]
    )
    assert clipped([1.0], ClipNorm(0.5), Step(1.0)) == [0.5]


@pytest.mark.parametrize(("clear", "expected"), [([ZeroGrad()], 1.92), ([], 1.32)])
def test_two_steps_with_and_without_clearing(clear: list[Any], expected: float) -> None:
    made = Made({"w": 3.0}, lambda w: {"loss": w * w})
    step = [*clear, FORWARD, BACKWARD, Step(0.1)]
    done = run(made, *step, *step, buffers="accumulate")
    assert done.leaves["w"] == pytest.approx(expected)


# ---- mistakes ----


@pytest.mark.parametrize(
    ("statements", "code", "message"),
    [
        ([BACKWARD], "no-forward", "backward needs a forward pass"),
        ([assign("s", 1.0, Mutate)], "no-forward", "mutate needs a forward pass"),
        ([Step(0.1)], "no-forward", "an update needs a forward pass"),
        ([FORWARD, Backward("los")], "unknown-name", "'los'; did you mean 'loss'"),
        ([assign("W", 1.0)], "unknown-name", "set changes a leaf, and 'W' is none"),
        ([FORWARD, assign("s", 1.0)], "unknown-name", "set changes a leaf"),
        ([FORWARD, assign("t", 1.0, Mutate)], "unknown-name", "no node is called 't'"),
        ([assign("w", np.ones(2))], "shape", r"w has shape \(\), not \(2,\)"),
        ([FORWARD, assign("s", np.ones(2), Mutate)], "shape", r"s has shape \(\), not \(2,\)"),
    ],
)
def test_mistakes(statements: list[Any], code: str, message: str) -> None:
    with pytest.raises(GraphError, match=message) as caught:
        run(square(), *statements)
    assert caught.value.code == code


def test_a_loss_without_a_gradient() -> None:
    with pytest.raises(GraphError, match="no leaf with a gradient") as caught:
        execute(square(frozen=("w",)))
    assert caught.value.code == "no-gradient"
    tensor = Made({"w": np.ones(2)}, lambda w: {"loss": w * 2.0})
    with pytest.raises(GraphError, match="shape") as caught:
        execute(tensor)
    assert caught.value.code == "loss-not-scalar"


def test_statements_as_written() -> None:
    written = [FORWARD, Backward("a"), ZeroGrad(), ClipNorm(2.0), ClipValue(0.5), Step(0.01)]
    assert [each.text for each in written] == [
        "forward", "backward a", "zero_grad", "clip_norm 2", "clip_value 0.5", "step 0.01",
    ]  # fmt: skip
