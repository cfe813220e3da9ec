"""Statements say what they did, in each format."""

from __future__ import annotations

import json

import pytest

from bpstep.render.replay import whole
from bpstep.render.writers import WRITERS
from bpstep.scenario import loads
from bpstep.session.session import Session

SCENARIO = """\
bpstep: 1
title: Clipped
params: {{w: 3, v: 4}}
graph: {{loss: w * w / 2 + v * v / 2}}
program: [forward, backward, {statement}]
"""

CASES = [
    ("clip_norm 1", {"norm": 5.0, "factor": 0.2}, ["norm  5, times 0.2"]),
    ("clip_norm 9", {"norm": 5.0, "factor": 1.0}, ["norm  5: not clipped"]),
    (
        "clip_value 3.5",
        {"changes": [{"name": "grad(v)", "before": 4.0, "after": 3.5}]},
        ["grad(v)  4 → 3.5"],
    ),
    ("clip_value 9", {"changes": []}, ["changed  nothing"]),
    (
        "step 0.5",
        {
            "changes": [
                {"name": "w", "before": 3.0, "after": 1.5},
                {"name": "v", "before": 4.0, "after": 2.0},
            ]
        },
        ["w  3 → 1.5", "v  4 → 2"],
    ),
    ("zero_grad", {"cleared": ["w", "v"]}, ["cleared  w, v"]),
    ("set w = 7", {"changes": [{"name": "w", "before": 3.0, "after": 7.0}]}, ["w  3 → 7"]),
    (
        "mutate loss = 0",
        {"changes": [{"name": "loss", "before": 12.5, "after": 0.0}]},
        ["loss  12.5 → 0"],
    ),
]


def replayed(statement, form):
    session = Session.open(loads(SCENARIO.format(statement=statement)))
    return [str(line) for line in whole(session, WRITERS[form]())]


@pytest.mark.parametrize(("statement", "fields", "rows"), CASES)
def test_in_each_format(statement, fields, rows):
    text, markdown = replayed(statement, "text"), replayed(statement, "markdown")
    place = text.index(statement)
    assert [row.strip() for row in text[place + 1 : place + 1 + len(rows)]] == rows
    for row in rows:
        what, _, how = row.partition("  ")
        assert f"- `{what}` {how}" in markdown
    statements = [json.loads(line) for line in replayed(statement, "jsonl")]
    (event,) = [it for it in statements if it.get("text") == statement]
    assert event == {"event": "statement", "run": 1, "text": statement, **fields}


def test_a_value_that_is_overwritten_twice_is_told_each_time():
    text = replayed("mutate loss = 4, mutate loss = 5", "text")
    assert "  loss  12.5 → 4" in text
    assert "  loss  4 → 5" in text


def test_forward_and_backward_have_no_more_than_the_contract_says():
    events = [json.loads(line) for line in replayed("zero_grad", "jsonl")]
    assert next(it for it in events if it["event"] == "statement") == {
        "event": "statement",
        "run": 1,
        "text": "forward",
    }
