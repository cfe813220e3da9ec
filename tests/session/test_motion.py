"""Going somewhere: the same place from either side, and never beyond an end."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bpstep.scenario import loads
from bpstep.session import motion
from bpstep.session.session import Session

ORDER = ["loss", "(e**2)", "e", "y", "q", "p", "v", "h", "z", "p", "b", "w", "x"]


def received(session):
    return session.graph.label(session.receiver)


def test_every_step_of_full_in_order(full):
    assert [received(full.at(step)) for step in range(1, 14)] == ORDER


def test_a_node_can_be_looked_at_in_the_middle_of_its_sum(full):
    middle = full.step(6)
    assert (middle.state.grad("p"), middle.state.arrived("p")) == (4.0, 1)
    assert not middle.state.complete("p")
    assert middle.step(4).state.grad("p") == 16.0


@pytest.mark.parametrize("position", range(14))
def test_going_back_is_the_same_as_going_there(full, position):
    forward, back = full.step(position), full.at(13).back(13 - position)
    assert forward.position == back.position == position
    for name in ORDER:
        assert forward.state.grad(name) == back.state.grad(name)


def test_next_stops_where_a_node_is_complete(full):
    stops, session = [], full
    while session.position < session.total:
        session = session.next()
        stops.append(session.position)
    assert stops == [1, 2, 3, 4, 5, 7, 8, 9, 10, 11, 12, 13]


def test_reverse_next_makes_the_same_stops_backward(full):
    stops, session = [], full.at(13)
    while session.position:
        session = session.reverse_next()
        stops.append(session.position)
    assert stops == [12, 11, 10, 9, 8, 7, 5, 4, 3, 2, 1, 0]


def test_counts(full):
    assert full.next(6).position == 7
    assert full.at(10).reverse_next(3).position == 7
    assert full.next(99).position == 13
    assert full.at(5).reverse_next(99).position == 0


def test_motions_end_at_the_ends(full):
    assert full.back().position == 0
    assert full.step(1000).position == 13
    assert full.at(13).step().position == 13
    assert full.at(13).next().position == 13


def test_steps_number_through_all_passes(two_losses):
    assert [pass_.first for pass_ in two_losses.run.passes] == [0, 2]
    named = [received(two_losses.at(step)) for step in range(1, two_losses.total + 1)]
    assert named == ["loss1", "x", "loss2", "x"]
    assert [two_losses.at(step).state.grad("x") for step in (2, 3, 4)] == [4.0, 4.0, 7.0]


def test_next_pass(two_losses):
    assert two_losses.next_pass().position == two_losses.run.passes[1].first + 1
    assert two_losses.next_pass(2).position == two_losses.total
    assert two_losses.at(two_losses.total).next_pass().position == two_losses.total


def test_a_node_is_gone_to_in_this_pass_then_in_a_later_then_in_an_earlier_one(two_losses):
    first, second = two_losses.run.passes
    run = two_losses.run
    assert motion.completion(run, 0, "x") == first.first + first.ledger.completion("x")
    assert motion.completion(run, 4, "x") == second.first + second.ledger.completion("x")
    assert motion.completion(run, 0, "loss2") == second.first + 1
    assert motion.completion(run, 4, "loss1") == 1
    assert motion.completion(run, 4, "loss") is None


def test_a_run_that_ends_in_an_error_can_be_stepped_to_where_it_ends(opened):
    session = opened(
        "{bpstep: 1, title: freed, params: {w: 2}, graph: {loss: w * w}, retain_graph: false,"
        " program: [forward, backward, backward], expect: {error: graph-freed}}"
    )
    assert session.run.error.code == "graph-freed"
    assert session.step(99).position == session.total


CHAIN = "{bpstep: 1, title: t, params: {w: 2, u: 3}, graph: {%s, loss: %s * w}}"


@settings(max_examples=50, deadline=None)
@given(st.lists(st.sampled_from(["w * %s", "%s + u", "%s * %s", "relu(%s) - w"]), max_size=8))
def test_motions_are_each_others_reverse_on_any_graph(forms):
    names = ["w"] + [f"n{i}" for i in range(len(forms))]
    entries = [
        f"{name}: {form.replace('%s', names[i])}"
        for i, (name, form) in enumerate(zip(names[1:], forms, strict=True))
    ]
    text = CHAIN % (", ".join(['k: "w * u"', *entries]), names[-1])
    session = Session.open(loads(text))
    completions = [
        step
        for step in range(1, session.total + 1)
        if session.run.passes[0].ledger.completed_at(step)
    ]
    for position in range(session.total + 1):
        later = [step for step in completions if step > position]
        earlier = [step for step in completions if step < position]
        assert session.at(position).next().position == (later or [session.total])[0]
        assert session.at(position).reverse_next().position == (earlier or [0])[-1]
