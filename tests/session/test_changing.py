"""`set`, `restart` and reloading: run again, and stay at the same step."""

from __future__ import annotations

import numpy as np
import pytest

from bpstep.scenario import loads
from bpstep.session.commands import execute
from bpstep.session.errors import CommandError


def changed(session, line):
    (report,) = execute(session, line).reports
    return report


@pytest.mark.parametrize("position", range(14))
def test_set_stays_at_every_position(full, position):
    outcome = execute(full.at(position), "set w = 3")
    assert outcome.session.position == position
    assert outcome.reports[0].same_step


def test_set_runs_again(full):
    outcome = execute(full.at(6), "set b = b - grad(p) / 4")
    (report,) = outcome.reports
    assert (report.name, report.before, report.after) == ("b", -1.0, -2.0)
    assert (report.loss, report.loss_before, report.loss_after) == ("loss", 8.0, 0.5)
    assert (report.place.node, report.place.grad) == ("p", 1.0)
    assert outcome.session.at(13).state.grad("w") == 2.0


def test_settings_add_up_until_restart(full, after):
    session = after(full, "set w = 2", "set v = w", "break p", "watch p", "goto 6")
    assert session.changes == {"w": 2.0, "v": 2.0}
    session = after(session, "restart")
    assert (session.position, session.changes) == (0, {})
    assert session.run.value("loss") == 8.0
    assert len(session.breakpoints) == len(session.watches) == 1


def test_set_of_tensors(matrix, after):
    session = after(matrix.at(4), "set W = W * 2", "set W[0, -1] = 10", "set X = 1")
    assert session.leaf_value("W").tolist() == [[2.0, 10.0], [4.0, 1.0]]
    assert session.leaf_value("X").tolist() == [[1.0, 1.0], [1.0, 1.0]]
    assert session.run.value("loss") == 34.0
    assert session.position == 4
    assert np.array_equal(matrix.leaf_value("W"), [[1, -1], [2, 0.5]])


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("set W = X[0]", "W has shape (2, 2), not (2,)"),
        ("set W[0] = 1", "[0] is not one element of W, whose shape is (2, 2)"),
        ("set W[0, 2] = 1", "[0, 2] is not one element of W"),
        ("set W[0, 0] = X", "[0, 0] is not one element of W"),
        ("set W[0.1] = 1", "[0.1] is not one element of W"),
        ("set W[] = 1", "[] is not one element of W"),
        ("set W = grad(X)", "grad(X) is not a number here"),
        ("set H = 1", "H is computed (relu(Z)): only a leaf can be set"),
    ],
)
def test_what_cannot_be_set(matrix, line, message):
    with pytest.raises(CommandError) as caught:
        execute(matrix, line)
    assert message in str(caught.value)


def test_set_of_one_leaf_in_several_passes_stays_in_the_pass(two_losses):
    session = execute(two_losses.at(4), "set x = 5").session
    assert session.position == 4
    assert session.state.grad("x") == 13.0


def test_the_nearest_place_where_the_step_is_gone(full):
    shorter = (
        "{bpstep: 1, title: t, params: {w: 1}, constants: {x: 2}, graph: {p: w * x, loss: p * p}}"
    )
    session = full.at(6).reload(loads(shorter))
    assert session.position == session.total == 4
    assert full.at(3).reload(loads(shorter)).position == 3
    assert full.at(0).reload(loads(shorter)).position == 0


def test_reloading_follows_the_step_to_its_new_number(full, opened):
    text = full.scenario.text.replace("  e: y - target\n", "  e: y - target\n  e2: e + v\n")
    text = text.replace("0.5 * e ** 2", "0.5 * e2 ** 2")
    at_p = full.add_breakpoint("p").at(6)
    session = at_p.reload(loads(text))
    assert session.contribution.source == "y"
    assert session.contribution.target == "p"
    assert session.position != 6
    assert session.run_on().state.complete("p")


def test_reloading_keeps_what_waits_for_a_node_that_is_gone(full, after):
    session = after(full, "break q", "watch q + 1", "set w = 4")
    shorter = "{bpstep: 1, title: t, params: {w: 1}, graph: {loss: w * w}}"
    session = session.reload(loads(shorter))
    assert session.changes == {}
    stop = execute(session, "continue").reports[0]
    assert stop.reason == "end"
    assert "no node is called 'q'" in stop.watches[0].fault
    back = session.reload(full.scenario)
    assert back.run_on().position == full.add_breakpoint("q").run_on().position


def test_set_rounds_to_the_number_type(opened):
    session = opened("{bpstep: 1, title: t, dtype: float32, params: {w: 1}, graph: {loss: w * w}}")
    assert changed(session, "set w = 0.1").after == float(np.float32(0.1))
