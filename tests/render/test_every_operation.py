"""Whatever is in the table of operations can be written and explained, new rows included."""

import json

import pytest

from bpstep.engine.ops import TABLE
from bpstep.render.explain import explain_at
from bpstep.render.replay import whole
from bpstep.render.writers import WRITERS
from bpstep.scenario import loads
from bpstep.session.session import Session

COMPARED = dict.fromkeys(("lt", "le", "gt", "ge", "eq", "ne"), "A * (s < 2)")
WRITTEN = {
    **COMPARED,
    "identity": "A",
    "neg": "-A",
    "add": "A + B",
    "sub": "A - B",
    "mul": "A * B",
    "div": "A / B",
    "pow": "A ** B",
    "matmul": "A @ B",
    "maximum": "maximum(A, B)",
    "minimum": "minimum(A, B)",
    "clamp": "clamp(A, min=0, max=1)",
    "where": "where(A > 0, A, B)",
    "atan2": "atan2(A, B)",
    "dot": "dot(u, u)",
    "reshape": "reshape(A, (4,))",
    "concat": "concat(A, B)",
    "index": "A[0, 1]",
    "isnan": "A * isnan(s)",
    "argmax": "A * argmax(A)",
    "detach": "A * detach(B)",
}
SCENARIO = """\
bpstep: 1
title: One operation
params: {{A: [[1, 2], [0, -1]], B: [[1, 3], [0, 2]], u: [1, 2], s: 1}}
graph:
  y: {expression}
  loss: sum(y) + s
"""


@pytest.mark.parametrize("name", [row.name for row in TABLE])
def test_every_operation_is_written_in_every_format_and_explained(name):
    expression = WRITTEN.get(name, f"{name}(A)")
    session = Session.open(loads(SCENARIO.format(expression=expression)))
    for form, writer in WRITERS.items():
        lines = [str(line) for line in whole(session, writer())]
        assert len(lines) > session.total
        if form == "jsonl":
            assert [json.loads(line) for line in lines][-1]["event"] == "result"
    said = [explain_at(session.run, step) for step in range(2, session.total + 1)]
    assert all(", so " in one and " receives " in one and one.endswith(".") for one in said)


def test_elements_at_a_kink_are_said_to_be_some():
    session = Session.open(loads(SCENARIO.format(expression="relu(A)")))
    said = " ".join(explain_at(session.run, step) for step in range(session.total + 1))
    assert "some elements are at a point without a derivative, and there the convention" in said
