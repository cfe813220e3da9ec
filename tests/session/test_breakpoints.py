"""Breakpoints: each kind stops after the step that satisfies it, forward and backward."""

from __future__ import annotations

import pytest

from bpstep.scenario import breakpoints as in_files
from bpstep.scenario import loads
from bpstep.session import conditions
from bpstep.session.errors import CommandError
from bpstep.session.scope import QUANTITIES, Scope, View, holds
from bpstep.session.session import Session


def stops(session, text):
    """Every position at which `continue` stops for one breakpoint, and then the end."""
    session, found = session.add_breakpoint(text), []
    while session.position < session.total:
        session = session.run_on()
        found.append(session.position)
    return found


def stops_backward(session, text):
    session, found = session.add_breakpoint(text).at(session.total), []
    while session.position:
        session = session.run_back()
        found.append(session.position)
    return found


KINDS = {
    "p": [10],
    "(e**2)": [2],
    "( e ** 2 )": [2],
    "y -> p": [6],
    "z->p": [10],
    "op mul": [2, 7, 8, 12, 13],
    "op relu": [9],
    "op tanh": [],
    "nonfinite": [],
    "if abs(contribution) > 10": [8, 9, 10, 11, 12, 13],
    "abs(contribution) > 10 and op == 'mul'": [8, 12, 13],
    "node == 'p'": [6, 10],
    "if node != 'p' and running >= 16": [12, 13],
    "not upstream < 12": [1, 9, 10, 11, 12, 13],
    "grad == 4": [3, 4, 5, 6, 7],
    "value == 2 and local == 1": [6, 10, 13],
    "depth == 4": [5, 6, 10],
    "grad(p) == 4": [6, 7, 8, 9],
    "local(y, p) == 1 and running == 32": [12],
    "contribution == 1 and op == ''": [1],
    "upstream == none": [1],
    "e == 4 and running == 0.5": [2],
}


@pytest.mark.parametrize(("text", "expected"), KINDS.items())
def test_where_each_kind_stops(full, text, expected):
    ahead = stops(full, text)
    assert ahead[: len(expected)] == expected
    assert ahead[len(expected) :] in ([], [13])


@pytest.mark.parametrize(("text", "expected"), KINDS.items())
def test_the_same_stops_backward(full, text, expected):
    back = [step for step in stops_backward(full, text) if step]
    assert back == [step for step in reversed(expected) if step != 13]


def test_the_nearest_of_several_stops_first_and_all_hits_are_named(full):
    session = full
    for text in ("node == 'x'", "p", "op add", "running == 16"):
        session = session.add_breakpoint(text)
    session = session.at(6).run_on()
    assert session.position == 10
    assert [stop.number for stop in session.hits()] == [2, 3, 4]


def test_without_a_breakpoint_it_runs_to_the_ends(full):
    assert full.at(4).run_on().position == 13
    assert full.at(4).run_back().position == 0


def test_breakpoints_work_in_every_pass(two_losses):
    assert stops(two_losses, "x") == [2, 4]
    assert stops_backward(two_losses, "x") == [2, 0]
    assert stops(two_losses, "op mul") == [4]


def test_a_matmul_has_no_elementwise_local_and_an_element_is_enough(matrix):
    assert stops(matrix, "op == 'matmul' and local == none") == [4, 5]
    assert stops(matrix, "node == 'Z' and local > 0") == [3, 5]
    assert stops(matrix, "running > 5") == [5]


def test_nonfinite(opened):
    session = opened("{bpstep: 1, title: t, params: {x: 0}, graph: {s: x * x, loss: sqrt(s)}}")
    assert stops(session, "nonfinite") == [2, 3, 4]
    assert session.at(2).state.grad("s") == float("inf")


def test_breakpoints_of_the_scenario_are_set(opened):
    session = opened(
        "{bpstep: 1, title: t, params: {x: 3}, graph: {loss: x * x},"
        " breakpoints: [x, 'abs(grad) > 2']}"
    )
    assert [(stop.number, stop.text) for stop in session.breakpoints] == [
        (1, "x"),
        (2, "if abs(grad) > 2"),
    ]
    assert session.run_on().position == 2


@pytest.mark.parametrize(
    ("text", "message", "start"),
    [
        ("pp", "no node is called 'pp'; did you mean 'p'?", 0),
        ("p -> y", "did you mean 'y -> p'?", 0),
        ("q -> zz", "no node is called 'zz'", 5),
        ("op mull", "no operation is called 'mull'; did you mean 'mul'?", 3),
        ("if abs(grad", "expected ')'", 11),
        ("if gradd > 1", "no node is called 'gradd'; did you mean 'grad'?", 3),
        ("grad > 1 andd p", "unexpected 'andd'", 9),
        ("grad > foo(1)", "there is no operation 'foo'", 7),
        ("grad(x, y) > 1", "grad takes one node", 0),
        ("local * 2 > 1 and abs(foo) > 3", "no node is called 'foo'", 22),
    ],
)
def test_wrong_ones_say_what_and_where(full, text, message, start):
    with pytest.raises(CommandError) as caught:
        full.add_breakpoint(text)
    assert message in str(caught.value)
    assert caught.value.start == start


def test_scenario_files_know_the_same_quantities():
    assert set(in_files.QUANTITIES) == set(QUANTITIES)


LONG = """\
bpstep: 1
title: Long enough to be searched in columns
inputs: {x: 0.5}
params: {w: -1.5, b: 0.25}
graph:
  - a0: x
  - repeat: {i: [1, 20]}
    do:
      - "z{i}": w * a{i-1} + b
      - "a{i}": relu(z{i}) - z{i} / 3
  - loss: a20 * a20
"""
CONDITIONS = [
    "abs(contribution) > 1e-3 and op == 'mul'",
    "not (running < 0 or upstream > 0)",
    "op != 'add' and local == 1",
    "node == 'b' and depth > 10",
    "depth == 7",
    "value * grad >= upstream - w",
    "isnan(upstream / 0) or maximum(local, 0) == -1.5",
    "sqrt(abs(running)) < 0.01",
    "nonfinite",
    "nonfinite == 0 and -running > 1e-9",
    "contribution == 1 and op == ''",
]


@pytest.fixture(scope="module")
def long() -> Session:
    return Session.open(loads(LONG))


@pytest.mark.parametrize("text", CONDITIONS)
def test_columns_and_single_steps_agree(long, text):
    condition = long.add_breakpoint(f"if {text}").breakpoints[-1].trigger.condition
    pass_ = long.run.passes[0]
    view, last = View(pass_.graph, pass_), len(pass_.ledger)
    satisfied = [
        step
        for step in range(1, last + 1)
        if holds(condition, Scope(view, step, quantities_first=True))
    ]
    for start in range(1, last + 1):
        later = [step for step in satisfied if step >= start]
        earlier = [step for step in satisfied if step <= start]
        ahead, behind = range(start, last + 1), range(start, 0, -1)
        found = conditions.first_that_holds(condition, view, ahead)
        assert found == (later[0] if later else None)
        found = conditions.first_that_holds(condition, view, behind)
        assert found == (earlier[-1] if earlier else None)


def test_long_enough_for_columns(long):
    assert len(long.run.passes[0].ledger) > 3 * conditions.FEW
