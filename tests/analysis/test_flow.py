"""The figures of flow: means, spreads, dead and saturated shares, update-to-weight ratios."""

from __future__ import annotations

import math

import bpstep
from bpstep.analysis.flow import Flow, FlowRow, flow, spread
from bpstep.engine.reverse import backward


def rows(found: Flow) -> dict[str, FlowRow]:
    return {row.node: row for row in found.rows}


def test_spread_is_that_of_all_elements() -> None:
    found = spread(bpstep.Graph().constant("c", [[1.0, 0.0], [3.0, 0.0]]).value)
    assert found.mean == 1.0
    assert found.deviation == math.sqrt(1.5)
    assert found.zeros == 0.5
    assert found.norm == math.sqrt(10.0)


def test_spread_of_a_number() -> None:
    assert spread(-2.0).mean == -2.0
    assert spread(-2.0).deviation == 0.0
    assert spread(-2.0).norm == 2.0


def test_a_layer_with_a_dead_unit_and_a_saturated_one() -> None:
    graph = bpstep.Graph()
    w = graph.param("w", [3.0, 4.0])
    frozen = graph.param("u", 1.0, grad=False)
    h = graph.name("h", bpstep.relu(w - 3.5))
    s = graph.name("s", bpstep.sigmoid(w * 10.0))
    loss = graph.name("loss", bpstep.sum(h) + bpstep.sum(s) * 0.0 + frozen)
    found = rows(flow(backward(loss), rate=0.5))
    assert found["h"].value.zeros == 0.5
    assert found["h"].saturated is None
    assert found["s"].saturated == 1.0
    assert found["u"].gradient is None
    assert found["u"].ratio is None
    # The gradient of w is (0, 1): the update is 0.5 long, the weight 5.
    assert found["w"].ratio == 0.1
    gradient = found["w"].gradient
    assert gradient is not None
    assert gradient.norm == 1.0
    assert gradient.zeros == 0.5


def test_a_weight_of_zero_has_an_infinite_ratio_and_no_warning() -> None:
    graph = bpstep.Graph()
    w = graph.param("w", 0.0)
    loss = graph.name("loss", w * 2.0)
    assert rows(flow(backward(loss), rate=0.1))["w"].ratio == math.inf


def test_the_first_value_and_the_first_contribution_that_are_not_finite() -> None:
    graph = bpstep.Graph()
    x = graph.param("x", 0.0)
    r = graph.name("r", bpstep.sqrt(graph.name("s", x * x)))
    loss = graph.name("loss", r + 1.0)
    found = flow(backward(loss), rate=0.1)
    assert found.first_value is None
    assert found.first_step == 3  # r sends inf to s
    log = graph.name("log", bpstep.log(x))
    assert flow(backward(graph.name("out", log * 1.0)), rate=0.1).first_value == "log"
