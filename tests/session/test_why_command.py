"""``why NODE`` in the command language, and ``zero:`` under ``expect``."""

import pytest

from bpstep.scenario import loads
from bpstep.session.commands import execute
from bpstep.session.errors import CommandError
from bpstep.session.expect import judge
from bpstep.session.reports import WhyReport


def why(session, target):
    (report,) = execute(session, f"why {target}").reports
    assert isinstance(report, WhyReport)
    return report.why


def test_it_speaks_of_the_whole_pass_wherever_the_session_stands(full, after):
    assert why(full, "w").gradient == 32.0
    assert why(after(full, "goto 6"), "p").gradient == 16.0


def test_a_node_of_a_formula_and_an_element(full, matrix):
    assert why(full, "(e ** 2)").node == "(e**2)"
    assert why(matrix, "W[0, 1]").text == "W[0, 1]"


def test_without_a_node_it_is_about_the_one_that_received_last(full):
    assert why(full.at(3), "").text == full.graph.label(full.at(3).receiver)


def test_it_follows_a_changed_leaf(full, after):
    changed = after(full, "set b = -3")
    assert why(changed, "b").reasons == ("blocked",)
    assert why(full, "b").reasons == ()


@pytest.mark.parametrize(("line", "place"), [("why nope", 4), ("why  w[0]", None), ("why w b", 4)])
def test_mistakes_are_told_with_their_place(full, line, place):
    with pytest.raises(CommandError) as caught:
        execute(full, line)
    if place is not None:
        assert caught.value.start == place


def test_without_a_pass_there_is_nothing_to_explain(opened):
    session = opened("bpstep: 1\ntitle: t\nparams: {x: 1}\ngraph: {y: 2 * x}\nprogram: [forward]\n")
    with pytest.raises(CommandError):
        execute(session, "why x")


TENSOR = """\
bpstep: 1
title: t
params: {x: [-1, 0, 2]}
graph: {h: relu(x), y: sum(h)}
"""


def judged(expect):
    return {
        each.what: (each.found, each.ok) for each in judge(loads(f"{TENSOR}expect: {expect}\n"))
    }


def test_of_a_tensor_every_reason_is_expected():
    assert judged("{zero: {x: [kink, blocked]}}") == {"zero.x": (["kink", "blocked"], True)}
    assert judged("{zero: {x: blocked}}") == {"zero.x": (["kink", "blocked"], False)}


def test_what_is_not_zero_has_no_reason():
    assert judged("{zero: {h: blocked}}") == {"zero.h": (None, False)}
