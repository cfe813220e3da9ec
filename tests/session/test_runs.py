"""flow and compare: figures of a whole pass, and another scenario beside this one."""

from __future__ import annotations

import pytest

from bpstep.session.commands import execute
from bpstep.session.errors import CommandError
from bpstep.session.reports import CompareReport, FlowReport

NOT_FINITE = """\
bpstep: 1
title: t
inputs: {x: 0}
graph: {s: x * x, r: sqrt(s), loss: r + x}
program: [forward, backward s, backward]
"""


def only(outcome):
    (report,) = outcome.reports
    return report


def failing(session, line):
    with pytest.raises(CommandError) as caught:
        execute(session, line)
    return caught.value


def test_flow_has_a_row_a_node_at_the_default_rate(full):
    report = only(execute(full, "flow"))
    assert isinstance(report, FlowReport)
    assert (report.flow.rate, report.default_rate, report.first) == (0.01, True, None)
    rows = {row.node: row for row in report.flow.rows}
    assert list(rows)[:3] == ["x", "w", "b"]
    assert rows["w"].ratio == pytest.approx(0.32)
    assert (rows["w"].value.mean, rows["w"].value.deviation, rows["w"].value.zeros) == (1, 0, 0)
    assert rows["target"].gradient is None


def test_the_first_rate_of_the_scenario_is_that_of_the_ratios(opened):
    text = "bpstep: 1\ntitle: t\nparams: {w: 2}\ngraph: {y: w * w}\nupdates: {rates: [0.5, 0.1]}\n"
    report = only(execute(opened(text), "flow"))
    assert (report.flow.rate, report.default_rate) == (0.5, False)


def test_the_first_contribution_that_is_not_finite_by_the_programs_step(opened):
    report = only(execute(opened(NOT_FINITE).at(10), "flow"))
    # Three steps of the first pass; then the seed, r, x and s.
    assert (report.first.step, report.first.source, report.first.target) == (7, "r", "s")


def test_flow_takes_nothing_and_needs_a_pass(full, opened):
    assert "takes no argument" in str(failing(full, "flow w"))
    forward = opened("bpstep: 1\ntitle: t\ninputs: {x: 1}\ngraph: {y: x*x}\nprogram: [forward]\n")
    assert "no reverse pass" in str(failing(forward, "flow"))


def test_compare_with_a_scenario_by_name(full):
    report = only(execute(full, "compare detached-skip"))
    assert isinstance(report, CompareReport)
    assert (report.left, report.right) == ("-", "detached-skip")
    here, there = report.comparison.parting
    assert (here.step, here.source, here.target, here.value) == (6, "y", "p", 4.0)
    assert (there.step, there.source, there.target) == (6, "q", "v")
    (ghost,) = report.comparison.ghosts
    assert (ghost.node, ghost.left, ghost.right) == ("p", (), (("skip", 4.0),))


def test_compare_with_a_file_after_a_change(full, after, tmp_path, monkeypatch):
    (tmp_path / "a b.yaml").write_text("bpstep: 1\ntitle: t\nextends: full\nparams: {w: 2}\n")
    monkeypatch.chdir(tmp_path)
    assert only(execute(after(full, "set w = 2"), "compare a b.yaml")).comparison.same
    assert not only(execute(full, "compare a b.yaml")).comparison.same
    monkeypatch.setenv("HOME", str(tmp_path))
    assert not only(execute(full, "compare ~/a b.yaml")).comparison.same


def test_what_is_wrong_with_the_other_file_is_said(full, tmp_path):
    file = tmp_path / "wrong.yaml"
    file.write_text("bpstep: 1\ntitle: t\ngraph: {y: 2 * z}\n")
    error = failing(full, f"compare {file}")
    assert f"{file}:3:" in str(error)
    assert "'z'" in str(error)
    assert error.line[error.start : error.end] == str(file)


def test_a_file_that_is_not_there(full):
    assert "there is no such file" in str(failing(full, "compare nothing"))
    assert "compare needs" in str(failing(full, "compare"))


def test_compare_with_a_run_that_has_a_fault(full, tmp_path):
    file = tmp_path / "fault.yaml"
    file.write_text("bpstep: 1\ntitle: t\nextends: full\nfault: {kind: overwrite}\n")
    comparison = only(execute(full, f"compare {file}")).comparison
    pairs = {pair.node: pair for pair in comparison.pairs}
    assert (pairs["w"].left_grad, pairs["w"].right_grad) == (32.0, 24.0)
    assert comparison.parting[0].step == 12
