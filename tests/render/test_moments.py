"""A result says of when its numbers are, and a place that it is the end of the program."""

from __future__ import annotations

import json

import pytest

from bpstep.render.moments import moments_text
from bpstep.render.replay import opening, reported, whole
from bpstep.render.writers import WRITERS
from bpstep.scenario import loads
from bpstep.session.commands import execute
from bpstep.session.session import Session
from bpstep.session.trace import Moments

DESCENT = """\
bpstep: 1
title: One update
params: {w: 1.0}
graph: {loss: w ** 2}
program: [forward, backward, step 0.1, forward]
"""


def replayed(form, *commands):
    session, writer = Session.open(loads(DESCENT)), WRITERS[form]()
    lines = list(opening(session, writer)) if commands else list(whole(session, writer))
    for command in commands:
        outcome = execute(session, command)
        lines += reported(outcome.reports, "float64", writer)
        session = outcome.session
    return [str(line) for line in lines]


@pytest.mark.parametrize(
    ("moments", "said"),
    [
        (Moments(2, 2, 3, None), "gradients of pass 2, values of forward 3"),
        (Moments(1, 1, 1, "step 0.1"), "values of forward 1, leaves after step 0.1"),
    ],
)
def test_moments(moments, said):
    assert moments_text(moments) == said


def test_the_result_says_of_when_its_numbers_are():
    assert "  gradients of pass 1, values of forward 2" in replayed("text")
    assert "Of different moments: gradients of pass 1, values of forward 2." in replayed("markdown")
    assert set(json.loads(replayed("jsonl")[-1])) == {"event", "loss", "values", "grads"}


def test_stops_places_and_tables_say_that_it_is_the_end_of_the_program():
    end = "end of the program, after forward"
    assert f"  {end}" in replayed("text", "goto end")
    assert replayed("text", "goto 2", "where")[-2] == f"  {end}"
    assert f"values at the {end}" in replayed("text", "goto 2", "values")
    assert f"gradients at the {end}" in replayed("text", "goto 2", "grads")
    assert not any(end in line for line in replayed("text", "goto 1", "where", "values"))


def test_the_trace_says_it_too():
    assert json.loads(replayed("jsonl", "goto 2")[-1])["after"] == "forward"
    assert "after" not in json.loads(replayed("jsonl", "goto 1")[-1])
