"""What ``why`` says, in text and in the trace: every kind and reason, from exact cases."""

import json

import pytest

from bpstep.analysis.why import why
from bpstep.render.jsonl_reports import report_lines as trace_lines
from bpstep.render.reports import report_lines
from bpstep.scenario import loads
from bpstep.session.reports import WhyReport


def finding(params, graph, target="x", **more):
    lines = [f"params: {params}", f"graph: {graph}", *(f"{k}: {v}" for k, v in more.items())]
    scenario = loads("\n".join(["bpstep: 1", "title: t", *lines, ""]))
    return WhyReport(why(scenario.run().passes[-1].ledger, target))


def said(*given, **more):
    return [line.plain for line in report_lines(finding(*given, **more), "float64")]


def traced(*given, **more):
    (line,) = trace_lines(finding(*given, **more), "float64")
    return json.loads(line)


REASONS = [
    ("{w: 1, x: 2}", "{y: 3 * w}", "no-path  nothing on the way from the output reads it"),
    (
        "{x: 2}",
        "{c: detach(x), y: w * c}",
        "detached  c detaches x: the copy passes no gradient on",
    ),
    (
        "{x: {value: 2, grad: false}}",
        "{y: w * x}",
        "frozen  it is a constant or frozen: nothing is recorded for it",
    ),
    (
        "{x: -2}",
        "{h: relu(x), y: 2 * h}",
        "blocked  relu is inactive at x = -2, so h passes nothing on  step 3",
    ),
    (
        "{x: 2.5}",
        "{y: floor(x)}",
        "blocked  floor is flat at x = 2.5, so y passes nothing on  step 2",
    ),
    ("{x: 1}", "{y: 'maximum(x, 2)'}", "blocked  x is not the larger operand of y  step 2"),
    ("{x: 1}", "{y: 'where(0, x, 2)'}", "blocked  y did not select x  step 2"),
    (
        "{x: 0}",
        "{y: relu(x)}",
        "kink  relu has no derivative at x = 0; the convention takes 0, where 0 … 1 is legal"
        "  step 2",
    ),
    ("{x: 1, v: 0}", "{y: v * x}", "zero-factor  y multiplies the gradient by v = 0  step 3"),
    ("{x: 1}", "{y: 0 * x}", "zero-factor  y multiplies the gradient by 0  step 2"),
    (
        "{x: 0}",
        "{y: square(x)}",
        "stationary  the derivative of square is 0 just here, at x = 0  step 2",
    ),
    (
        "{x: 40}",
        "{y: sigmoid(x)}",
        "saturated  the derivative of sigmoid rounds to 0 at x = 40  step 2",
    ),
    ("{x: 2}", "{y: x - x}", "cancelled  what arrives at x is not zero, and sums to 0  step 3"),
    (
        "{x: 2}",
        "{h: 1e-200 * x, y: 1e-200 * h}",
        "underflow  what h sends to x is too small for a number of this type  step 3",
    ),
]


@pytest.mark.parametrize(("params", "graph", "text"), REASONS)
def test_each_reason_is_said_with_its_place(params, graph, text):
    if "w *" in graph and "w:" not in params:
        params = params.removesuffix("}") + ", w: 1}"
    head, line = said(params, graph)
    assert head in ("why x: gradient 0", "why x: gradient none", "why x: gradient -0")
    assert line.strip() == text
    word = text.split()[0]
    fields = traced(params, graph)
    assert (fields["event"], fields["kind"], fields["reasons"]) == ("why", "zero", [word])
    assert fields["causes"][0]["reason"] == word


def test_elements_with_reasons_of_their_own():
    lines = said("{x: [-1, 0, 2]}", "{h: relu(x), y: sum(h)}")
    assert [" ".join(line.split()) for line in lines] == [
        "why x: gradient [0, 0, 1]",
        "1 path: y → h → x brings [0, 0, 1]",
        "2 of 3 elements are 0",
        "kink relu has no derivative at elements of x; the convention takes 0, where 0 … 1 is legal"
        " (1 element) step 3",
        "blocked relu is inactive at elements of x, so h passes nothing on (1 element) step 3",
        "[0] blocked",
        "[1] kink",
    ]


def test_one_element_is_0():
    lines = said("{x: [-1, 1, 2]}", "{h: relu(x), y: sum(h)}")
    assert "  1 of 3 elements is 0" in lines


def test_many_places_are_counted():
    graph = "{" + ", ".join(f"h{i}: relu(x - {i})" for i in range(1, 12)) + ", y: "
    graph += " + ".join(f"h{i}" for i in range(1, 12)) + "}"
    lines = said("{x: 0}", graph)
    assert lines[-1] == "  … and 3 more places"
    assert len(lines) == 10


def test_inf_then_nan():
    assert said("{x: 0}", "{s: x * x, r: sqrt(s)}") == [
        "why x: gradient nan, not finite",
        "  ! inf arises at step 2, where r sends 1 × inf to s",
        "  ! nan arises at step 3, where s sends inf × 0 to x",
        "  ! nan arises at step 4, where s sends inf × 0 to x",
        "  every value that was used is finite: it arises in the reverse pass only",
    ]


def test_the_branch_that_was_not_selected():
    graph = "{r: sqrt(x), y: 'where(x > 0, r, x)', s: sum(y)}"
    assert said("{x: [-1, -4, 4]}", graph) == [
        "why x: gradient [nan, nan, 0.25], not finite",
        "  ! the value of r at [0] and 1 more is nan",
        "  ! nan arises at step 5, where r sends 0 × nan to x at [0] and 1 more;"
        " y did not select this branch",
        "  the output is finite: the forward pass hides it",
    ]
    origins = traced("{x: [-1, -4, 4]}", graph)["origins"]
    assert origins["first"] == "r"
    assert origins["reverse"] == [
        {
            "kind": "nan",
            "step": 5,
            "node": "x",
            "from": "r",
            "operand": 0,
            "upstream": 0.0,
            "local": "nan",
            "value": "nan",
            "element": [0],
            "elements": 2,
            "unselected": "y",
        }
    ]


def test_a_sum_of_infinities():
    assert "  ! nan arises where what arrives at x is summed" in said(
        "{x: 0}", "{y: sqrt(x) - sqrt(x)}"
    )


def test_small_and_large():
    assert said("{x: 1}", "{a: 0.001 * x, y: 0.001 * a}") == [
        "why x: gradient 1e-06, very small",
        "  1 path: y → a → x brings 1e-06",
        "  2 factors make it so: y → a 0.001, a → x 0.001",
    ]
    large = traced("{x: 1}", "{a: 100 * x, y: 20 * a + a}")
    assert (large["kind"], large["gradient"]) == ("large", 2100.0)
    assert large["magnitude"]["count"] == 2
    assert large["magnitude"]["path"]["product"] == 2000.0
    assert large["magnitude"]["decisive"] == [
        {"from": "a", "node": "x", "factor": 100.0},
        {"from": "(20*a)", "node": "a", "factor": 20.0},
    ]


def test_one_factor_is_enough():
    assert said("{x: 1}", "{y: 2000 * x}")[-1] == "  1 factor makes it so: y → x 2000"


def test_paths_that_act_together():
    assert said("{x: 1}", "{y: 3 * x - 3.000001 * x}")[-1] == "  the paths nearly cancel"
    assert said("{x: 1}", "{y: 600 * x + 600 * x}")[-1] == "  no path is so large: they add up"


def test_a_fault_leaves_no_reason():
    lines = said("{x: 2}", "{h: sin(x), y: 2 * h}", fault="{kind: rule, node: h, value: 0}")
    assert lines[-1] == "  no reason is found in the computation: check the reverse pass"
