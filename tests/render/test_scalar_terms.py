"""One element in words, headless: the sum in letters, in numbers, and what is still awaited."""

from __future__ import annotations

import json

import pytest

from bpstep.render.ascii import ascii_text
from bpstep.render.reports import report_lines
from bpstep.render.writers import WRITERS
from bpstep.scenario import loads
from bpstep.session.commands import execute
from bpstep.session.element import element_card
from bpstep.session.errors import CommandError
from bpstep.session.session import Session


def opened(text: str) -> Session:
    session = Session.open(loads(text, "t.yaml"))
    return session.at(session.total)


def layer() -> Session:
    import bpstep

    session = Session.open(bpstep.load("matrix-layer"))
    return session.at(session.total)


def info(session: Session, element: str) -> list[str]:
    (report,) = execute(session, f"info {element}").reports
    return [line.plain for line in report_lines(report, "float64")]


def sums(session: Session, element: str) -> list[str]:
    return [line.strip() for line in info(session, element) if " = " in line]


@pytest.mark.parametrize(
    ("element", "said"),
    [
        ("Wt[1, 0]", "∂loss/∂Wt[1, 0] = Σ_i G[i, 0]⋅X[i, 1] = 1⋅2 + 2⋅1 = 4"),
        ("X[0, 1]", "∂loss/∂X[0, 1] = Σ_i G[0, i]⋅Wt[1, i] = 1⋅0 + (-1)⋅1 = -1"),
        ("b[0]", "∂loss/∂b[0] = Σ_i G[i, 0] = 1 + 2 = 3"),
        ("W[0, 1]", "∂loss/∂W[0, 1] = G[1, 0] = 4"),
        ("E[1, 0]", "∂loss/∂E[1, 0] = G[1, 0]⋅(2*E[1, 0]**(2-1)) = 0.5⋅4 = 2"),
        ("XW[1, 0]", "XW[1, 0] = Σ_i X[1, i]⋅Wt[i, 0] = 0⋅1 + 1⋅0 + 3⋅2 = 6"),
        ("Z[0, 1]", "Z[0, 1] = XW[0, 1] + b[1] = 0.5 + (-1) = -0.5"),
        ("Wt[1, 0]", "Wt[1, 0] = W[0, 1] = 0"),
    ],
)
def test_the_layer(element: str, said: str) -> None:
    assert said in sums(layer(), element)


def test_in_ascii_a_product_is_no_decimal_point() -> None:
    told = [ascii_text(line) for line in info(layer(), "Wt[1, 0]")]
    assert "  dloss/dWt[1, 0] = S_i G[i, 0]*X[i, 1] = 1*2 + 2*1 = 4" in told


def test_products_stand_below_one_another() -> None:
    told = info(layer(), "Wt[-2, 0]")
    assert told[0] == "Wt[1, 0]  op  of shape (3, 2)"
    assert "    G[0, 0]  1  × X[0, 1]  2  = 2" in told
    assert "    G[1, 0]  2  × X[1, 1]  1  = 2" in told


TWO = """
bpstep: 1
title: t
params: {x: [1, 2, 4]}
graph:
  s: sum(x * x)
  m: mean(x)
  loss: s * m
"""


def test_contributions_are_added_up_and_what_is_awaited_is_no_number() -> None:
    session = opened(TWO)
    told = info(session, "x[1]")
    assert any(line.startswith("  gradient ") and "3 of 3 arrived" in line for line in told)
    element = element_card(session, session.graph.find("x"), (1,))
    values = [row.value for row in element.rows]
    assert element.grad == sum(values)
    assert [row.running for row in element.rows][-1] == element.grad
    before = next(
        position
        for position in range(session.total)
        if session.at(position).state.arrived("x") == 1
    )
    told = info(session.at(before), "x[1]")
    assert "1 of 3 arrived" in "".join(told)
    assert sum("awaited" in line for line in told) == 2
    assert sum(line.startswith("from ") for line in told) == 1, "only what has arrived is opened"
    nothing = element_card(session.at(1), session.graph.find("x"), (1,))
    assert nothing.grad is None
    assert [row.terms for row in nothing.rows] == [None] * 3


def test_a_broadcast_element_sums_over_every_axis_it_ran_along() -> None:
    session = opened(
        "{bpstep: 1, title: t, params: {a: [[1], [2]], x: [[1, 2, 3], [4, 5, 6]]},"
        " graph: {loss: sum(a * x)}}"
    )
    assert "∂loss/∂a[1, 0] = Σ_i G[1, i]⋅x[1, i] = 1⋅4 + 1⋅5 + 1⋅6 = 15" in sums(session, "a[1, 0]")


def test_two_axes_of_one_length_have_two_letters() -> None:
    session = opened(
        "{bpstep: 1, title: t, params: {a: [2], x: [[1, 2], [3, 4]]}, graph: {loss: sum(a * x)}}"
    )
    assert "∂loss/∂a[0] = Σ_ij G[i, j]⋅x[i, j] = 1⋅1 + 1⋅2 + 1⋅3 + 1⋅4 = 10" in sums(
        session, "a[0]"
    )


def test_rules_whose_factors_differ_are_written_as_derivatives() -> None:
    session = opened(
        '{bpstep: 1, title: t, params: {x: [0, 0]}, graph: {y: softmax(x), loss: "y[0]"}}'
    )
    assert "∂loss/∂x[1] = Σ_i G[i]⋅∂y[i]/∂x[1] = 1⋅(-0.25) + 0⋅0.25 = -0.25" in sums(
        session, "x[1]"
    )
    rows = [line.split() for line in info(session, "x[1]") if line.startswith("    G[")]
    assert rows == [
        ["G[0]", "1", "×", "-y[0]*y[1]", "-0.25", "=", "-0.25"],
        ["G[1]", "0", "×", "y[1]*(1-y[1])", "0.25", "=", "0"],
    ]


def test_reductions_name_their_own() -> None:
    session = opened(TWO)
    said = " ".join(sums(session, "x[2]"))
    assert "contribution = G⋅(1/3) = 21⋅0.33333333 = 7" in said


def test_many_terms_are_written_by_their_pattern() -> None:
    session = opened(
        "{bpstep: 1, title: t, params: {b: 0.5, x: {init: ones, shape: [300]}},"
        " graph: {v: b * x, loss: sum(v)}}"
    )
    told = [line.plain for line in _lines(session, "b", ())]
    assert any(line.strip() == "∂loss/∂b = Σ_i G[i]⋅x[i] = 300" for line in told)
    assert "    the 200 largest of 300; the others come to 100" in told


def _lines(session: Session, name: str, index: tuple[int, ...]) -> list[object]:
    from bpstep.render.scalar_terms import element_lines

    return list(element_lines(element_card(session, session.graph.find(name), index)))


READS_ONE = '{bpstep: 1, title: t, params: {x: [3, 4]}, graph: {loss: "x[0] * 2"}}'


def test_an_element_that_nothing_reads() -> None:
    session = opened(READS_ONE)
    assert "∂loss/∂x[1] = 0: nothing reads x[1] there" in " ".join(sums(session, "x[1]"))


def test_a_cut_is_shown_at_the_element() -> None:
    session = opened(
        "{bpstep: 1, title: t, params: {x: [3, 4]}, graph: {c: detach(x), loss: sum(c * x)}}"
    )
    assert any(line.startswith("✂  cut by c") and "4" in line for line in info(session, "x[1]"))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("info W[7, 0]", "index 7 is outside of shape"),
        ("info W[0]", r"has 3 elements: shape \(2, 3\) takes 2 indices"),
        ("info W[a]", "an index is integers"),
        ("info WW[0]", "did you mean 'W'"),
        ("info loss[0]", r"1 indices into shape \(\)"),
    ],
)
def test_a_wrong_element_is_said_and_pointed_at(text: str, says: str) -> None:
    with pytest.raises(CommandError, match=says) as raised:
        execute(layer(), text)
    assert raised.value.start == 5


def test_an_inner_node_is_meant_in_its_parentheses() -> None:
    session = opened(READS_ONE)
    (element,) = execute(session, "info x[0]").reports
    (node,) = execute(session, "info (x[0])").reports
    assert (element.element.name, element.element.index) == ("x", (0,))
    assert node.card.row.name == "(x[0])"


def test_the_trace_has_every_product() -> None:
    writer = WRITERS["jsonl"]()
    (report,) = execute(layer(), "info Wt[1, 0]").reports
    (text,) = writer.report(report, "float64")
    event = json.loads(text)
    assert (event["event"], event["node"], event["index"]) == ("info", "Wt", [1, 0])
    (row,) = event["contributions"]
    assert row["terms"] == [
        {"index": [0, 0], "upstream": 1.0, "local": 2.0, "value": 2.0},
        {"index": [1, 0], "upstream": 2.0, "local": 1.0, "value": 2.0},
    ]
    assert event["made"]["terms"][0]["elements"] == [{"node": "W", "index": [0, 1]}]
