"""A fault that is on is said at the head of every replay, in every format."""

from __future__ import annotations

import json

import pytest

from bpstep.render.faults import fault_text
from bpstep.render.replay import whole
from bpstep.render.writers import WRITERS
from bpstep.scenario import loads
from bpstep.session.session import Session

NETWORK = """\
bpstep: 1
title: the network
inputs: {x: 2}
params: {w: 1, b: -1, v: 3}
constants: {target: 1}
graph: {p: w * x, z: p + b, h: relu(z), q: v * h, y: q + p, e: y - target, loss: 0.5 * e ** 2}
"""


def replayed(form: str, fault: str) -> list[str]:
    scenario = loads(f"{NETWORK}fault: {fault}\n")
    return [str(line) for line in whole(Session.open(scenario), WRITERS[form]())]


@pytest.mark.parametrize(
    ("fault", "text"),
    [
        (
            "{kind: overwrite}",
            "overwrite: a contribution replaces what has arrived, where it should be added",
        ),
        (
            "{kind: overwrite, node: p}",
            "overwrite: a contribution to p replaces what has arrived, where it should be added",
        ),
        ("{kind: drop, from: y, node: p}", "drop: what y sends to p is lost"),
        (
            "{kind: drop, from: y, node: p, operand: 1}",
            "drop: what y sends to p at operand 1 is lost",
        ),
        (
            "{kind: single_operand}",
            "single_operand: an operand that stands twice in an operation gets one contribution",
        ),
        (
            "{kind: revisit}",
            "revisit: a shared node is sent on once for every path, from its sum so far",
        ),
        ("{kind: early}", "early: a node sends on only its first contribution"),
        (
            "{kind: rule, op: relu, value: 0.5}",
            "rule: the local derivative of relu is replaced by 0.5",
        ),
        (
            "{kind: rule, node: q, operand: 1, value: [1, 2]}",
            "rule: the local derivative of q at operand 1 is replaced by [1, 2]",
        ),
        (
            "{kind: transpose, operand: 0}",
            "transpose: what a matmul sends to its operand 0 is made with the untransposed factor",
        ),
    ],
)
def test_a_fault_in_words(fault: str, text: str) -> None:
    made = loads(f"{NETWORK}fault: {fault}\n").fault
    assert made is not None
    assert fault_text(made) == text


def test_in_text_it_is_the_third_line() -> None:
    assert replayed("text", "{kind: early}")[2] == (
        "! fault on purpose: early: a node sends on only its first contribution"
    )


def test_in_markdown_it_is_bold() -> None:
    assert replayed("markdown", "{kind: early}")[4] == (
        "**Fault on purpose** – early: a node sends on only its first contribution"
    )


def test_in_the_trace_it_has_the_keys_of_the_file() -> None:
    (first, *_) = replayed("jsonl", "{kind: drop, from: y, node: p}")
    assert json.loads(first)["fault"] == {"kind": "drop", "node": "p", "from": "y"}
    assert list(json.loads(first))[-1] == "fault"
    (first, *_) = replayed("jsonl", "~")
    assert "fault" not in json.loads(first)
