"""What a person meets at the Python prompt is told in a line."""

from __future__ import annotations

import pytest

import bpstep
from bpstep.session.session import Session


@pytest.fixture
def scenario():
    return bpstep.load("full")


def test_scenario_run_graph_ledger_and_session(scenario):
    run = scenario.run()
    session = Session.open(scenario).at(6)
    assert repr(scenario) == "<Scenario full: Every path into p counts>"
    assert repr(run) == "<Run of 13 steps, passes: 1>"
    assert repr(run.graph) == "<Graph of 13 nodes, float64>"
    assert repr(run.passes[0].ledger) == "<Ledger of loss: 13 steps>"
    assert repr(session) == "<Session on full: step 6 of 13>"


def test_a_run_that_ends_in_an_error(scenario):
    run = bpstep.load("stale-value").run()
    assert repr(run) == f"<Run of {run.steps} steps, passes: 1, ends in the error stale-value>"


def test_findings(scenario):
    g = bpstep.Graph()
    w = g.param("w", -1.0)
    loss = bpstep.relu(w)
    assert repr(bpstep.check(loss, "w")) == "<CheckResult of w: agrees>"
    assert repr(bpstep.why(loss, "w")) == "<Why of w: zero, blocked>"
