import json

import numpy as np

from bpstep.engine import functions as f
from bpstep.render.jsonl import event_line
from bpstep.render.replay import opening, whole
from bpstep.render.writers import JsonWriter
from bpstep.session.commands import execute
from bpstep.session.trace import ContributionEvent


def traced(session):
    return list(whole(session, JsonWriter()))


def events(session, name):
    return [made for line in traced(session) if (made := json.loads(line))["event"] == name]


def test_the_trace_of_the_network_is_the_contract_to_the_byte(full):
    lines = traced(full)
    assert lines[:3] == [
        '{"event":"scenario","format":1,"title":"Made for a test","file":"made.yaml",'
        '"dtype":"float64","loss":"loss"}',
        '{"event":"statement","run":1,"text":"forward"}',
        '{"event":"leaf","run":1,"node":"x","role":"input","value":2.0,"requires_grad":true}',
    ]
    assert lines[7] == (
        '{"event":"forward","run":1,"node":"p","op":"mul","expr":"w * x","operands":["w","x"],'
        '"value":2.0,"requires_grad":true}'
    )
    steps = lines.index('{"event":"statement","run":1,"text":"backward"}')
    assert lines[steps + 1 : steps + 3] == [
        '{"event":"seed","run":1,"pass":1,"step":1,"node":"loss","grad":1.0}',
        '{"event":"complete","run":1,"pass":1,"step":1,"node":"loss","grad":1.0}',
    ]
    first = (
        '{"event":"contribution","run":1,"pass":1,"step":6,"node":"p","from":"y","operand":1,'
        '"upstream":4.0,"local":1.0,"value":4.0,"running":4.0,"arrived":1,"expected":2}'
    )
    second = (
        '{"event":"contribution","run":1,"pass":1,"step":10,"node":"p","from":"z","operand":0,'
        '"upstream":12.0,"local":1.0,"value":12.0,"running":16.0,"arrived":2,"expected":2}'
    )
    assert lines.index(first) < lines.index(second)
    assert lines[lines.index(second) + 1] == (
        '{"event":"complete","run":1,"pass":1,"step":10,"node":"p","grad":16.0}'
    )
    result = json.loads(lines[-1])
    assert result["event"] == "result"
    assert result["loss"] == 8.0
    assert result["grads"] == {
        "x": 16.0, "w": 32.0, "b": 12.0, "v": 4.0, "target": None, "p": 16.0, "z": 12.0,
        "h": 12.0, "q": 4.0, "y": 4.0, "e": 4.0, "(e**2)": 0.5, "loss": 1.0,
    }  # fmt: skip


def test_a_literal_operand_is_a_number(full):
    operands = {made["node"]: made["operands"] for made in events(full, "forward")}
    assert operands["loss"] == [0.5, "(e**2)"]
    assert operands["(e**2)"] == ["e", 2.0]


def test_a_convention_is_a_field_of_its_contribution(kink):
    used = [made for made in events(kink, "contribution") if "convention" in made]
    assert [(made["node"], made["convention"]) for made in used] == [
        ("z", {"key": "relu", "used": 0.0, "interval": [0.0, 1.0]})
    ]
    assert list(used[0])[-1] == "convention"


def test_tensors_rules_and_what_is_not_finite(open_made):
    def build(g, leaves):
        a, b = g.param("A", leaves["A"]), g.param("B", leaves["B"])
        g.name("loss", f.sum(f.sqrt(a @ b)))

    session = open_made(build, {"A": np.zeros((1, 2)), "B": np.ones((2, 1))})
    sent = {made["node"]: made for made in events(session, "contribution")}
    assert sent["(A@B)"]["local"] == [["inf"]]
    assert "rule" not in sent["(A@B)"]
    assert sent["A"]["local"] is None
    assert sent["A"]["rule"] == "G @ B.T"
    assert sent["A"]["value"] == [["inf", "inf"]]
    assert sent["B"]["value"] == [["nan"], ["nan"]]


def test_float32_is_written_in_its_own_shortest_form(open_made):
    def build(g, leaves):
        g.name("loss", g.input("x", leaves["x"]) * 0.1)

    session = open_made(build, {"x": 0.1}, dtype="float32")
    assert '"value":0.1,"requires_grad":true' in traced(session)[2]
    assert '"upstream":1.0,"local":0.1,"value":0.1' in traced(session)[7]


def test_a_buffer_is_a_field_and_text_is_ascii():
    sent = ContributionEvent(
        run=1, pass_number=2, step=5, node="ŷ\u202e", source="loss", operand=0, upstream=1.0,
        local=3.0, rule="3", value=3.0, running=7.0, arrived=1, expected=1, buffer=4.0,
        convention=None, op="mul", expr="3 * x",
    )  # fmt: skip
    line = event_line(sent, "float64")
    assert line.endswith('"arrived":1,"expected":1,"buffer":4.0}')
    assert line.isascii()
    assert json.loads(line)["node"] == "ŷ\u202e"


def test_a_ghost_is_traced_after_its_pass(open_made):
    def build(g, leaves):
        x = g.input("x", leaves["x"])
        g.name("loss", 3 * x + g.name("skip", f.detach(2 * x)))

    session = open_made(build, {"x": 1.0})
    names = [json.loads(line)["event"] for line in traced(session)]
    assert names[-2:] == ["ghost", "result"]
    assert events(session, "ghost") == [
        {"event": "ghost", "run": 1, "pass": 1, "node": "(2*x)", "through": "skip", "value": 1.0}
    ]


def test_the_opening_ends_before_the_first_step(full):
    names = [json.loads(line)["event"] for line in opening(full, JsonWriter())]
    assert set(names) == {"scenario", "statement", "leaf", "forward"}


def reported(session, *commands):
    from bpstep.render.replay import reported as lines

    made = []
    for command in commands:
        outcome = execute(session, command)
        session = outcome.session
        made += lines(outcome.reports, "float64", JsonWriter())
    return [json.loads(line) for line in made]


def test_a_motion_forward_traces_its_steps_and_a_motion_back_only_its_stop(full):
    names = [made["event"] for made in reported(full, "goto 3", "reverse-step")]
    assert names == [
        "statement", "seed", "complete", "contribution", "complete", "contribution", "complete",
        "stop", "stop",
    ]  # fmt: skip


def test_the_result_comes_when_the_end_is_reached(full):
    made = reported(full, "goto 12", "step", "step")
    assert [one["event"] for one in made][-4:] == ["complete", "result", "stop", "stop"]
    assert made[-2]["reason"] == "end"


def test_commands_are_events_named_after_them(full):
    made = reported(
        full, "watch grad(p)", "goto 6", "print grad(p)/2", "assert grad(p) == 5", "info",
        "paths w", "check w", "update 0.1", "where", "list", "grads", "values", "break p",
        "breakpoints", "delete", "unwatch", "set b = -2", "restart", "help step",
    )  # fmt: skip
    found = {one["event"]: one for one in made}
    assert found["print"] == {"event": "print", "expr": "grad(p)/2", "value": 2.0}
    assert found["assert"]["held"] is False
    assert found["assert"]["sides"][0] == {
        "expr": "grad(p) == 5", "op": "==", "left": 4.0, "right": 5.0, "held": False,
    }  # fmt: skip
    stop = found["stop"]
    assert (stop["position"], stop["node"], stop["grad"], stop["reason"]) == (6, "p", 4.0, "moved")
    assert stop["watches"] == [{"number": 1, "expr": "grad(p)", "value": 4.0}]
    assert stop["next"] == {"step": 7, "node": "v", "from": "q", "operand": 0}
    assert [row["running"] for row in found["info"]["contributions"]] == [4.0, None]
    assert [path["product"] for path in found["paths"]["paths"]] == [24.0, 8.0]
    assert found["check"]["analytic"] == 32.0
    assert [row["h"] for row in found["check"]["steps"]] == [1e-2, 1e-4, 1e-6]
    assert found["update"]["params"]["w"] == -2.2
    assert found["update"]["crossed"][0] == "h"
    assert found["where"]["row"]["node"] == "p"
    assert found["list"]["nodes"][0]["node"] == "loss"
    assert found["grads"]["grads"]["x"] is None
    assert found["values"]["values"]["p"] == 2.0
    assert found["break"] == {"event": "break", "number": 1, "text": "p"}
    assert found["breakpoints"]["breakpoints"] == [{"number": 1, "text": "p"}]
    assert found["delete"]["breakpoints"] == [{"number": 1, "text": "p"}]
    assert found["unwatch"]["watches"] == [{"number": 1, "expr": "grad(p)"}]
    assert (found["set"]["loss_before"], found["set"]["loss_after"]) == (8.0, 0.5)
    assert found["restart"]["position"] == 0
    assert found["help"]["commands"][0]["name"] == "step"


def test_every_report_and_event_has_its_line():
    from typing import get_args

    from bpstep.render import jsonl, jsonl_reports, markdown, reports, text
    from bpstep.session.reports import Report
    from bpstep.session.trace import Event

    assert set(jsonl._EVENTS) == set(text._EVENTS) == set(markdown._EVENTS) == set(get_args(Event))
    assert set(jsonl_reports._REPORTS) == set(reports._REPORTS) == set(get_args(Report))


def test_an_elementwise_local_derivative_on_tensors_is_a_tensor(open_made):
    def build(graph, leaves):
        w = graph.param("w", [[1.0, 2.0], [3.0, 4.0]])
        b = graph.param("b", [5.0, 6.0])
        z = graph.name("z", w + b)
        q = graph.name("q", z * 2.0)
        graph.name("loss", f.sum(q))

    sent = {made["node"]: made for made in events(open_made(build, {}), "contribution")}
    ones = [[1.0, 1.0], [1.0, 1.0]]
    assert sent["w"]["local"] == ones
    assert sent["b"]["local"] == ones
    assert sent["z"]["local"] == [[2.0, 2.0], [2.0, 2.0]]
    assert sent["q"]["local"] is None
    assert sent["q"]["rule"] == "G, broadcast"
