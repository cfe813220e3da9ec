"""The last position: the statements after the last pass have run there too."""

from __future__ import annotations

import pytest

from bpstep.scenario import loads
from bpstep.session import listing
from bpstep.session.card import card
from bpstep.session.commands import execute
from bpstep.session.expect import judge
from bpstep.session.places import place
from bpstep.session.session import Session
from bpstep.session.trace import Moments, ResultEvent, events

DESCENT = """\
bpstep: 1
title: One update
params: {w: 1.0}
graph: {loss: w ** 2}
program: [forward, backward, step 0.1, forward]
expect: {values: {w: 0.8, loss: 0.64}, grads: {w: 2, loss: 1}}
tolerance: {rel: 1e-12}
"""

PROGRAMS = (
    "[forward, backward, step 0.1, forward]",
    "[forward, backward, step 0.1]",
    "[forward, backward, zero_grad]",
    "[forward, backward, step 0.1, forward, backward, zero_grad, set w = 7]",
    "[forward, backward, mutate loss = 5]",
    "[forward, set w = 3]",
    "[forward, backward, clip_norm 0.5]",
)


def program(statements: str) -> str:
    graph = "params: {w: 1.0}, graph: {a: 3 * w, loss: a ** 2}"
    return f"{{bpstep: 1, title: t, {graph}, program: {statements}}}"


def value(session, text):
    (report,) = execute(session, f"print {text}").reports
    return report.value


def test_names_speak_of_the_end_of_the_program():
    session = Session.open(loads(DESCENT))
    end = session.at(session.total)
    assert (value(end, "w"), value(end, "loss")) == (0.8, pytest.approx(0.64))
    (asserted,) = execute(end, "assert w == 0.8").reports
    assert asserted.held
    assert all(judged.ok for judged in judge(loads(DESCENT)))


def test_a_step_before_it_speaks_of_its_pass():
    session = Session.open(loads(DESCENT))
    assert value(session.at(1), "w") == 1.0
    assert value(session.at(session.total).back(), "w") == 1.0
    assert place(session.at(1)).after is None


@pytest.mark.parametrize("statements", PROGRAMS)
def test_print_tables_and_expect_agree_and_the_way_there_does_not_matter(statements):
    session = Session.open(loads(program(statements)))
    total = session.total
    for end in (session.at(total), session.at(total).back().step()):
        rows = {row.name: row for row in listing.rows(end, end.graph.visible())}
        for name in ("w", "a", "loss"):
            run = session.run
            assert value(end, name) == rows[name].value == run.value(name)
            assert value(end, f"grad({name})") == rows[name].grad == run.grad(name)


def test_the_place_names_the_last_statement():
    session = Session.open(loads(DESCENT))
    assert place(session.at(2)).after == "forward"
    plain = Session.open(loads(program("[forward, backward]")))
    assert place(plain.at(plain.total)).after is None


def test_the_card_of_the_step_just_taken_stays_that_of_the_pass():
    session = Session.open(loads(DESCENT)).at(2)
    shown = card(session, session.graph.find("w"))
    assert (shown.row.value, shown.row.grad) == (1.0, 2.0)


def test_a_cleared_gradient_is_no_longer_there_and_not_awaited():
    session = Session.open(loads(program("[forward, backward, zero_grad]")))
    end = session.at(session.total)
    row = listing.row(end, end.graph.find("w"))
    assert (row.grad, row.status, row.receives, row.arrived) == (None, "none", False, 0)
    assert listing.row(end.back(), end.graph.find("a")).status == "complete"


def test_a_statement_before_a_pass_that_failed_is_not_after_it():
    text = (
        "{bpstep: 1, title: t, params: {w: 2}, graph: {a: w * w, loss: a * a}, "
        "program: [forward, backward, mutate a = 5, backward]}"
    )
    session = Session.open(loads(text))
    assert session.run.error is not None
    assert place(session.at(session.total)).after is None


@pytest.mark.parametrize(
    ("statements", "moments"),
    [
        ("[forward, backward]", None),
        ("[forward, backward, zero_grad]", None),
        ("[forward, backward, step 0.1, forward]", Moments(1, 1, 2, None)),
        ("[forward, backward, step 0.1]", Moments(1, 1, 1, "step 0.1")),
        ("[forward, backward, forward, set w = 3]", Moments(1, 1, 2, "set w = 3")),
        ("[forward, backward, step 0.1, forward, backward]", None),
    ],
)
def test_the_result_says_of_when_its_numbers_are(statements, moments):
    *_, result = events(Session.open(loads(program(statements))))
    assert isinstance(result, ResultEvent)
    assert result.moments == moments
