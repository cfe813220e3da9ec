"""Paths, updates, flow and comparisons as text and in the trace."""

from __future__ import annotations

import json

import pytest

from bpstep.render.replay import reported
from bpstep.render.writers import WRITERS
from bpstep.scenario import loads
from bpstep.session.commands import execute
from bpstep.session.session import Session

NETWORK = """\
bpstep: 1
title: the network
inputs: {x: 2}
params: {w: 1, b: -1, v: 3}
constants: {target: 1}
graph: {p: w * x, z: p + b, h: relu(z), q: v * h, y: q + p, e: y - target, loss: 0.5 * e ** 2}
"""
DETACHED = NETWORK.replace("y: q + p", "skip: detach(p), y: q + skip")
TENSORS = """\
bpstep: 1
title: tensors
inputs: {x: [0, 40]}
params: {w: [2, 0]}
graph: {s: sigmoid(x), m: w * s, loss: sum(m)}
"""
NOT_FINITE = """\
bpstep: 1
title: t
inputs: {x: 0}
graph: {s: x * x, r: sqrt(s), i: 1 / x, loss: r + 0 * i}
"""


def told(text: str, command: str, form: str = "text") -> str:
    session = Session.open(loads(text))
    reports = execute(session.at(session.total), command).reports
    lines = reported(reports, session.scenario.dtype, WRITERS[form]())
    return "\n".join(str(one) for one in lines)


def traced(text: str, command: str) -> dict[str, object]:
    event: dict[str, object] = json.loads(told(text, command, "jsonl"))
    return event


# ---- paths ----


def test_a_ghost_stands_below_the_paths_with_its_sign() -> None:
    assert told(DETACHED, "paths w").splitlines() == [
        "1 path to w, sum 24, the gradient",
        "  share  path                                       factors",
        "     24  loss → (e**2) → e → y → q → h → z → p → w  0.5 · 8 · 1 · 1 · 3 · 1 · 1 · 2",
        "✂ 1 path through a detach: a ghost, it adds to nothing",
        "  share  path                                    factors",
        "      8  loss → (e**2) → e → y → ✂ skip → p → w  0.5 · 8 · 1 · 1 · 1 · 2",
    ]


def test_a_sum_that_is_not_the_gradient_is_said() -> None:
    text = f"{NETWORK}fault: {{kind: overwrite}}\n"
    first = told(text, "paths w").splitlines()[0]
    assert first == (
        "2 paths to w, sum 32 ≠ the gradient, 24: the pass did not bring what the paths do"
    )


def test_where_nothing_arrives() -> None:
    assert told(NETWORK, "paths target") == "0 paths to target, nothing arrives"


def chain(length: int) -> str:
    entries = [f"  a{i}: 2 * a{i - 1}" for i in range(1, length + 1)]
    return "\n".join(["bpstep: 1", "title: t", "inputs: {a0: 1}", "graph:", *entries, ""])


def test_a_long_path_is_shown_by_its_ends() -> None:
    (row,) = told(chain(30), "paths a0").splitlines()[2:]
    nodes = row.split("  ")[2]
    assert nodes.startswith("a30 → a29 →")
    assert "→ a22 → … 13 more … → a8 → a7 →" in nodes
    assert nodes.endswith("→ a1 → a0")
    assert row.count("·") == 16


def test_the_trace_of_paths() -> None:
    event = traced(DETACHED, "paths p")
    (path,), (ghost,) = event["paths"], event["ghosts"]
    assert path["product"] == 12.0
    assert ghost == {
        "nodes": ["loss", "(e**2)", "e", "y", "skip", "p"],
        "factors": [0.5, 8.0, 1.0, 1.0, 1.0],
        "product": 4.0,
    }
    assert [event[key] for key in ("count", "total", "gradient", "agree", "ghost_count")] == [
        1,
        12.0,
        12.0,
        True,
        1,
    ]


def test_the_trace_of_a_path_of_tensors_has_its_rules() -> None:
    (path,) = traced(TENSORS, "paths w")["paths"]
    assert path["factors"][0] is None
    assert path["rules"][1] == "s"


def test_the_trace_of_a_very_long_path_says_what_it_leaves_out() -> None:
    (path,) = traced(chain(1_200), "paths a0")["paths"]
    assert path["omitted"] == 200
    assert (len(path["factors"]), len(path["nodes"])) == (1_000, 1_001)
    assert (path["nodes"][0], path["nodes"][-1], path["product"]) == ("a1200", "a0", "inf")


# ---- updates ----


def test_the_trace_of_an_update_keeps_the_contracts_keys_first() -> None:
    event = traced(NETWORK, "update 0.1")
    assert list(event) == [
        "event",
        "rate",
        "params",
        "loss",
        "predicted",
        "actual",
        "crossed",
        "ratio",
        "crossings",
    ]
    assert event["crossed"] == ["h"]
    (crossing,) = event["crossings"]
    assert (crossing["node"], crossing["rate"]) == ("h", pytest.approx(1 / 76, rel=1e-12))
    assert event["ratio"] == pytest.approx(6.58 / -118.4)


def test_a_step_that_goes_down_still_promises_nothing() -> None:
    assert told(NETWORK, "update 0.01").splitlines()[3:] == [
        "  A gradient is the slope at this point: it does not say how far the slope holds, so a",
        "  right one promises no safe step.",
    ]


# ---- flow ----


def test_the_flow_of_tensors() -> None:
    assert told(TENSORS, "flow").splitlines() == [
        "flow: updates at rate 0.01, as the scenario names none",
        "  node  role   shape  mean   std  zeros  grad mean  grad std  grad zeros  grad norm"
        "  saturated  update/weight",
        "  x     input  (2,)     20    20    50%       0.25      0.25         50%        0.5",
        "  w     param  (2,)      1     1    50%       0.75      0.25          0%      1.118"
        "                   0.00559",
        "  s     op     (2,)   0.75  0.25     0%          1         1         50%          2"
        "        50%",
        "  m     op     (2,)    0.5   0.5    50%          1         0          0%      1.414",
        "  loss  op               1     0     0%          1         0          0%          1",
    ]


def test_the_flow_says_where_it_first_breaks() -> None:
    assert told(NOT_FINITE, "flow").splitlines()[-2:] == [
        "  ! first value that is not finite: i",
        "  ! first contribution that is not finite: step 5, i to x",
    ]


def test_the_trace_of_the_flow() -> None:
    event = traced(TENSORS, "flow")
    rows = {row["node"]: row for row in event["nodes"]}
    assert list(event) == [
        "event",
        "rate",
        "nodes",
        "first_nonfinite_value",
        "first_nonfinite_contribution",
    ]
    assert rows["s"]["saturated"] == 0.5
    assert rows["m"]["grad"] == {"mean": 1.0, "std": 0.0, "zeros": 0.0, "norm": 2**0.5}
    assert rows["w"]["update_to_weight"] == pytest.approx(0.01 * 1.25**0.5 / 2)


# ---- compare ----


def test_two_runs_side_by_side() -> None:
    assert told(NETWORK, "compare detached-skip").splitlines() == [
        "compare - with detached-skip: 4 of 14 nodes differ",
        "  ≠ they part at step 6: y sends 4 to p, its operand 1",
        "    there: q sends 4 to v, its operand 0",
        "  first value that differs: skip",
        "     node    value       gradient        contributions",
        "  ≠  x           2             16  ≠ 12  p 16           ≠ p 12",
        "  ≠  w           1             32  ≠ 24  p 32           ≠ p 24",
        "     b          -1             12        z 12",
        "     v           3              4        q 4",
        "     target      1              –        –",
        "  ≠  p           2             16  ≠ 12  y 4, z 12      ≠ z 12",
        "     z           1             12        h 12",
        "     h           1             12        q 12",
        "     q           3              4        y 4",
        "     y           5              4        e 4",
        "     e           4              4        (e**2) 4",
        "     (e**2)     16            0.5        loss 0.5",
        "     loss        8              1        –",
        "  ≠  skip        –  ≠ 2         –        –",
        "  ✂ kept from p: – ≠ 4 through skip",
    ]


def test_two_runs_that_are_the_same() -> None:
    first, heads, *_ = told(NETWORK, "compare full").splitlines()
    assert first == "compare - with full: the same"
    assert heads.split() == ["node", "value", "gradient", "contributions"]


def test_the_trace_of_a_comparison() -> None:
    event = traced(NETWORK, "compare detached-skip")
    assert (event["left"], event["right"], event["same"]) == ("-", "detached-skip", False)
    assert event["parting"] == {
        "left": {"step": 6, "pass": 1, "node": "p", "from": "y", "operand": 1, "value": 4.0},
        "right": {"step": 6, "pass": 1, "node": "v", "from": "q", "operand": 0, "value": 4.0},
    }
    nodes = {node["node"]: node for node in event["nodes"]}
    assert nodes["p"]["grads"] == [16.0, 12.0]
    assert nodes["skip"]["values"] == [None, 2.0]
    assert [len(side) for side in nodes["p"]["contributions"]] == [2, 1]
    assert event["ghosts"] == [
        {"node": "p", "left": [], "right": [{"through": "skip", "value": 4.0}]}
    ]


def test_of_many_nodes_those_that_differ_are_listed(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "other.yaml").write_text(chain(150).replace("a150: 2 *", "a150: 3 *"))
    lines = told(chain(150), "compare other.yaml").splitlines()
    assert lines[0] == "compare - with other.yaml: 151 of 151 nodes differ"
    (tmp_path / "other.yaml").write_text(chain(150) + "  c: 5 * a0\nloss: a150\n")
    lines = told(chain(150), "compare other.yaml").splitlines()
    assert lines[0] == "compare - with other.yaml: 1 of 152 nodes differ"
    assert lines[-1] == "  … and 151 more"
