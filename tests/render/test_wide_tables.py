"""Columns that do not shift: long names are cut, wide tensors stand below their rows."""

from __future__ import annotations

import re

import numpy as np
import pytest
from rich.cells import cell_len

from bpstep.render.lines import cut, packed
from bpstep.render.numbers import narrow
from bpstep.render.replay import reported, whole
from bpstep.render.textwriter import TextWriter
from bpstep.render.values import entry, value_table
from bpstep.scenario import loads
from bpstep.session.commands import execute
from bpstep.session.session import Session

LAYER = """\
bpstep: 1
title: A layer
inputs: {X: [[1, 2], [3, 4.123456789]]}
params: {W: [[0.123456789, -0.33333333333], [1.5, 2]], b: [0.1, 0.2]}
constants: {Y: [[0, 1], [1, 0]]}
graph:
  logits: X @ W + b
  loss: mean(softplus(logits) - Y * logits) * -0.0001234567
updates: {rates: [0.1]}
"""


@pytest.fixture(scope="module")
def layer():
    return Session.open(loads(LAYER))


def lines_of(session, command=None):
    writer = TextWriter()
    if command is None:
        return [str(line) for line in whole(session, writer)]
    reports = execute(session, command).reports
    return [str(line) for line in reported(reports, "float64", writer)]


def test_no_line_of_a_replay_is_wider_than_a_step_with_its_remarks(layer):
    lines = lines_of(layer)
    steps = lines.index("backward"), next(i for i, it in enumerate(lines) if "result" in it)
    tables = lines[: steps[0]] + lines[steps[1] :]
    assert max(map(cell_len, tables)) <= 100
    assert max(map(cell_len, lines)) <= 132


def test_the_steps_of_long_names_and_numbers_stand_in_their_columns(layer):
    lines = lines_of(layer)
    start = lines.index("backward") + 1
    rows = [it for it in lines[start : start + 30] if it[:4].strip().isdecimal()]
    head = lines[start]
    place = head.index("from")
    assert len(rows) == 11
    assert {row[place - 1] for row in rows} == {" "}
    assert all(row[place] != " " for row in rows)
    numbers = [re.sub(r"  \d of 2$", "", row) for row in rows]
    assert {len(row) for row in numbers} == {len(head)}


def test_long_names_are_cut_alike_in_all_tables(layer):
    lines = lines_of(layer) + lines_of(layer.at(layer.total), "list")
    shown = [it for it in lines if "(mean(softplus(logits)-Y*lo…" in it]
    assert len(shown) == 4  # evaluated, its step, the result, the list


@pytest.mark.parametrize("command", ["list", "values", "grads", "info W", "info logits", "update"])
def test_tables_are_no_wider_than_100_columns(layer, command):
    assert max(map(cell_len, lines_of(layer.at(layer.total), command))) <= 100


def test_tensors_that_do_not_fit_have_their_shape_in_the_row_and_stand_below(layer):
    lines = lines_of(layer.at(layer.total), "values")
    place = next(i for i, it in enumerate(lines) if it.split()[:1] == ["W"])
    assert lines[place].split() == ["W", "param", "(2,", "2)"]
    assert lines[place + 1] == "      value [[0.12345679, -0.33333333], [1.5, 2]]"


def test_a_table_that_fits_has_its_tensors_in_it():
    rows = [["w", entry(np.array([1.0, 2.0]))], ["b", entry(1.5)]]
    assert [str(it) for it in value_table(("node", "value"), rows)] == [
        "  node  value",
        "  w     [1, 2]",
        "  b     1.5",
    ]


@pytest.mark.parametrize(
    ("text", "width", "shown"),
    [("abc", 3, "abc"), ("abcd", 3, "ab…"), ("漢字漢字", 5, "漢字…"), ("漢字漢字", 4, "漢…")],
)
def test_cut(text, width, shown):
    assert cut(text, width) == shown


@pytest.mark.parametrize(
    ("number", "shown"),
    [
        (0.57287808, "0.57287808"),
        (-0.57287808, "-0.5728781"),
        (-0.00012345678, "-0.0001235"),
        (123456789012.0, "123456789012"),
        (float("-inf"), "-inf"),
    ],
)
def test_a_number_has_the_digits_that_fit(number, shown):
    assert narrow(number, 10) == shown


def test_parts_are_packed_into_few_lines():
    assert packed(["aaa", "bbb", "ccccc"], 8) == ["aaa  bbb", "ccccc"]


def test_an_assertion_on_tensors_names_the_first_element_that_fails(layer):
    end = layer.at(layer.total)
    assert lines_of(end, "assert X < 4") == [
        "✗ assert X < 4",
        "    X < 4 does not hold at [1, 1]: 4.123456789 < 4",
    ]
    assert lines_of(end, "assert X == b")[1] == (
        "    X == b does not hold at [0, 0], nor for 3 more of 4: 1 == 0.1"
    )
    (report,) = execute(end, "assert X > 1.5 and b > 0").reports
    assert [side.failing for side in report.sides] == [((0, 0),), ()]
