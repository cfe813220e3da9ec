"""print, info, list, tables, assert: what they find at a position."""

from __future__ import annotations

import numpy as np
import pytest

from bpstep.session.card import card
from bpstep.session.commands import execute
from bpstep.session.errors import CommandError
from bpstep.session.session import Session


def printed(session, text):
    (report,) = execute(session, f"print {text}").reports
    return report.value


def asserted(session, text):
    (report,) = execute(session, f"assert {text}").reports
    return report


def card_of(session, name):
    return card(session, session.graph.find(name))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("p", 2.0),
        ("(e**2)", 16.0),
        ("grad(p)", 16.0),
        ("grad(e**2)", 0.5),
        ("grad((e ** 2))", 0.5),
        ("grad(p) / grad(w)", 0.5),
        ("local(y, p)", 1.0),
        ("local(loss, e**2)", 0.5),
        ("local((e**2), e)", 8.0),
        ("local(e, target)", -1.0),
        ("relu(-p) + maximum(h, 7)", 7.0),
        ("p > 1 and not h == 0", 1.0),
        ("op", "mul"),
        ("node == 'x'", 1.0),
        ("upstream", 16.0),
    ],
)
def test_print_at_the_end(full, text, value):
    assert printed(full.at(13), text) == value


def test_print_shows_what_has_arrived_so_far(full):
    assert printed(full.at(6), "grad(p)") == 4.0
    (report,) = execute(full.at(5), "print 2 * grad(p)").reports
    assert (report.value, report.missing) == (None, "grad(p)")


def test_print_of_a_repeated_operand_needs_its_position(opened):
    session = opened("{bpstep: 1, title: t, params: {r: 3, s: 2}, graph: {loss: r * r}}")
    with pytest.raises(CommandError, match=r"r comes at 0 or 1 in loss.*local\(loss, r, 0\)"):
        printed(session, "local(loss, r)")
    assert printed(session, "local(loss, r, 1)") == 3.0
    with pytest.raises(CommandError, match="operand 0 or 1 of loss, not 2"):
        printed(session, "local(loss, r, 2)")
    with pytest.raises(CommandError, match="s is no operand of loss"):
        printed(session, "local(loss, s)")


def test_print_of_tensors(matrix):
    end = matrix.at(matrix.total)
    assert printed(end, "W[0, 1]") == -1.0
    assert printed(end, "grad(W)[1]").tolist() == [6.0, 0.0]
    assert printed(end, "sum(grad(W) * W)") == 16.0
    (report,) = execute(end, "print local(Z, W)").reports
    assert (report.value, report.missing) == (None, "local(Z, W)")


def test_a_node_may_be_called_like_a_quantity(opened):
    session = opened(
        "{bpstep: 1, title: t, params: {value: 3, local: 2}, graph: {loss: value * local}}"
    ).at(2)
    assert printed(session, "value") == 3.0
    assert printed(session, "local(loss, value)") == 2.0
    assert session.add_breakpoint("local == 2").at(0).run_on().position == 2


def test_info_is_of_the_current_node_by_default(full):
    (report,) = execute(full.at(6), "info").reports
    assert report.card.row.name == "p"
    (report,) = execute(full, "info").reports
    assert report.card.row.name == "loss"


def test_a_card_in_the_middle_of_a_sum(full):
    found = card_of(full.at(6), "p")
    assert (found.row.expression, found.row.value, found.row.grad) == ("w * x", 2.0, 4.0)
    assert (found.row.arrived, found.row.expected, found.row.status) == (1, 2, "partial")
    first, second = found.rows
    assert (first.source, first.operand, first.step, first.current) == ("y", 1, 6, True)
    assert (first.upstream, first.local, first.value, first.running) == (4.0, 1.0, 4.0, 4.0)
    assert (second.source, second.expression, second.step) == ("z", "p + b", 10)
    assert (second.upstream, second.value, second.running, second.arrived) == (
        None,
        None,
        None,
        False,
    )
    assert found.awaited == (second,)
    assert found.note == "Two consumers: wait for both."
    assert [(each.operand, each.rule, each.value) for each in found.locals] == [
        ("w", "x", 2.0),
        ("x", "w", 1.0),
    ]


def test_a_card_of_the_output_and_of_a_constant(full):
    assert card_of(full, "loss").seed is None
    assert card_of(full.at(1), "loss").seed == 1.0
    target = card_of(full.at(13), "target")
    assert (target.row.status, target.rows, target.row.grad) == ("unrecorded", (), None)


def test_a_card_says_which_convention_was_used(opened):
    session = opened("{bpstep: 1, title: t, params: {x: 0}, graph: {h: relu(x), loss: 3 * h}}")
    (local,) = card_of(session, "h").locals
    assert (local.convention.key, local.convention.interval) == ("relu", (0.0, 1.0))
    assert not card_of(session.at(2), "h").row.kink
    assert card_of(session.at(3), "h").row.kink


def test_a_card_shows_the_buffer_a_leaf_starts_from(two_losses):
    found = card_of(two_losses.at(4), "x")
    assert (found.buffer, found.rows[0].value, found.rows[0].running) == (4.0, 3.0, 7.0)
    assert card_of(two_losses.at(1), "x").buffer is None


def test_a_card_shows_what_a_detach_keeps_back(opened):
    session = opened(
        "{bpstep: 1, title: t, params: {w: 3}, graph: {p: w * w, d: detach(p), loss: p * d}}"
    )
    (ghost,) = card_of(session, "p").ghosts
    assert (ghost.through, ghost.value) == ("d", 9.0)
    assert card_of(session, "p").row.cut
    assert not card_of(session, "w").row.cut
    assert card_of(session, "d").locals[0].rule == ""


def test_a_card_sums_up_a_tensor(matrix):
    found = card_of(matrix.at(matrix.total), "W")
    assert found.shape == (2, 2)
    assert (found.grad_summary.minimum, found.grad_summary.maximum) == (0.0, 6.0)
    assert (found.grad_summary.mean, found.grad_summary.nonfinite) == (2.5, 0)
    assert found.grad_summary.norm == pytest.approx(np.sqrt(52))
    assert card_of(matrix, "loss").value_summary is None


def test_a_summary_counts_what_is_not_finite(opened):
    session = opened("{bpstep: 1, title: t, params: {x: [.inf, .nan, 2]}, graph: {loss: sum(x)}}")
    summary = card_of(session, "x").value_summary
    assert (summary.nonfinite, summary.minimum, summary.maximum) == (2, 2.0, 2.0)


def test_list_is_reverse_order_with_one_current_node(full):
    (report,) = execute(full.at(6), "list").reports
    names = [row.name for row in report.rows]
    assert names[:6] == ["loss", "(e**2)", "e", "y", "q", "h"]
    assert [row.name for row in report.rows if row.current] == ["p"]
    assert {row.name: row.status for row in report.rows} == {
        **dict.fromkeys(["loss", "(e**2)", "e", "y", "q"], "complete"),
        "p": "partial",
        **dict.fromkeys(["h", "z", "v", "b", "w", "x"], "none"),
        "target": "unrecorded",
    }
    assert (report.before, report.after) == (0, 0)


def test_a_long_list_is_cut_round_the_current_node(opened):
    session = opened(
        "{bpstep: 1, title: t, params: {w: 1}, graph: [{a0: w}, {repeat: {i: [1, 1200]},"
        " do: [{'a{i}': 'a{i-1} * w'}]}, {loss: a1200}]}"
    )
    (report,) = execute(session.at(1200), "list").reports
    assert len(report.rows) == 1000
    assert report.before + len(report.rows) + report.after == 1203
    assert any(row.current for row in report.rows)
    (table,) = execute(session, "grads").reports
    assert (len(table.rows), table.omitted) == (1000, 203)


def test_tables(full, after):
    (table,) = execute(after(full, "break p", "goto 6"), "grads").reports
    found = {row.name: row.grad for row in table.rows}
    assert found["p"] == 4.0
    assert found["w"] is None
    assert [row.name for row in table.rows if row.breakpoint] == ["p"]
    (table,) = execute(full, "values").reports
    assert {row.name: row.value for row in table.rows}["loss"] == 8.0


@pytest.mark.parametrize(
    ("text", "held", "sides"),
    [
        ("grad(p) == 16", True, [(16.0, 16.0, True)]),
        ("grad(p) == 4", False, [(16.0, 4.0, False)]),
        ("p == 2 and grad(w) < 10", False, [(2.0, 2.0, True), (32.0, 10.0, False)]),
        ("p == 3 or not grad(w) < 10", True, [(2.0, 3.0, False), (32.0, 10.0, False)]),
        ("p", True, []),
        ("p - 2", False, []),
        ("grad(target) == none", True, [(None, None, True)]),
        ("grad(target) == 0", False, [(None, 0.0, False)]),
        ("op == 'mul'", True, [("mul", "mul", True)]),
    ],
)
def test_assert_reports_both_sides(full, text, held, sides):
    report = asserted(full.at(13), text)
    assert report.held is held
    assert [(side.left, side.right, side.held) for side in report.sides] == sides


def test_assert_wants_every_element(matrix):
    assert asserted(matrix, "X > 0").held
    assert not asserted(matrix, "W > 0").held
    assert asserted(matrix, "W > 0 or X > 0").held


def test_analysis_of_the_current_pass(full, two_losses):
    (found,) = execute(full, "paths w").reports
    assert sorted(path.product for path in found.paths.paths) == [8.0, 24.0]
    (found,) = execute(full, "check w b --steps 1e-3 1e-5").reports
    assert [result.wrt for result in found.results] == ["w", "b"]
    assert [row.h for row in found.results[0].rows] == [1e-3, 1e-5]
    assert found.results[0].rows[1].central == pytest.approx(32)
    (found,) = execute(full, "update 0.01").reports
    assert found.results[0].loss == pytest.approx(0.57287808)
    (found,) = execute(two_losses.at(4), "check x").reports
    assert (found.results[0].analytic, round(found.results[0].rows[0].central, 6)) == (3.0, 3.0)


def test_defaults_come_from_the_scenario(opened):
    session: Session = opened(
        "{bpstep: 1, title: t, params: {w: 1, u: 2}, graph: {loss: w * u},"
        " checks: [{wrt: u, steps: [1e-3]}], updates: {rates: [0.5], params: [w]}}"
    )
    (found,) = execute(session, "check").reports
    assert [(result.wrt, len(result.rows)) for result in found.results] == [("u", 1)]
    (found,) = execute(session, "update").reports
    assert [(result.rate, dict(result.params)) for result in found.results] == [(0.5, {"w": 0.0})]
