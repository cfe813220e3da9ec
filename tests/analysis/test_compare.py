"""Two runs side by side: the first value, gradient and contribution that differ."""

from __future__ import annotations

from bpstep.analysis.compare import Pair, compare
from bpstep.scenario import load, loads


def pairs(found: object) -> dict[str, Pair]:
    return {pair.node: pair for pair in found.pairs}  # type: ignore[attr-defined]


def test_a_run_is_the_same_as_itself() -> None:
    run = load("full").run()
    found = compare(run, load("full").run())
    assert found.same
    assert found.parting is None
    assert found.first_value is None
    assert found.ghosts == ()


def test_the_detached_skip_parts_from_the_full_network_where_p_gets_nothing() -> None:
    found = compare(load("full").run(), load("detached-skip").run())
    assert not found.same
    assert found.first_value == "skip"
    assert found.parting is not None
    ours, theirs = found.parting
    assert ours is not None
    assert theirs is not None
    assert (ours.step, ours.source, ours.target, ours.value) == (6, "y", "p", 4.0)
    assert (theirs.step, theirs.source, theirs.target, theirs.value) == (6, "q", "v", 4.0)
    aligned = pairs(found)
    assert aligned["p"].same_value
    assert not aligned["p"].same_grad
    assert (aligned["p"].left_grad, aligned["p"].right_grad) == (16.0, 12.0)
    assert [sent.value for sent in aligned["p"].left_arrivals] == [4.0, 12.0]
    assert [sent.value for sent in aligned["p"].right_arrivals] == [12.0]
    assert aligned["skip"].left_value is None
    assert aligned["skip"].right_value == 2.0
    assert [(ghost.node, ghost.left, ghost.right) for ghost in found.ghosts] == [
        ("p", (), (("skip", 4.0),))
    ]


def test_the_kink_has_other_values_from_b_on() -> None:
    found = compare(load("full").run(), load("kink").run())
    assert found.first_value == "b"
    assert found.parting is not None
    assert found.parting[0] is not None
    # (e**2) gets 0.5 in both; e is 4 in one and 1 in the other.
    assert found.parting[0].step == 3


def test_a_shorter_run_ends_where_the_longer_goes_on() -> None:
    once = "{bpstep: 1, title: t, params: {w: 2}, graph: {loss: w * 3}, program: [%s]}"
    short = loads(once % "forward, backward").run()
    long = loads(once % "forward, backward, backward").run()
    found = compare(short, long)
    assert found.parting is not None
    assert found.parting[0] is None
    assert found.parting[1] is not None
    assert found.parting[1].step == 3


def test_nan_is_equal_to_nan_and_none_only_to_none() -> None:
    text = "{bpstep: 1, title: t, params: {w: 2, u: 1}, graph: {a: .nan * w, loss: a + 0 * u}}"
    text = text.replace(".nan * w", "log(0 - w)")
    assert compare(loads(text).run(), loads(text).run()).same
    before = loads(text + "\n").run()
    frozen = loads(text.replace("u: 1", "u: {value: 1, grad: false}")).run()
    assert not pairs(compare(before, frozen))["u"].same_grad
