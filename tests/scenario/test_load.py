"""Loading: what a file means, from its leaves to its program."""

from __future__ import annotations

import math
import subprocess
import sys

import numpy as np
import pytest

from bpstep.engine.program import Backward, ClipNorm, Forward, Set, Step
from bpstep.scenario import ScenarioError, find_scenario, library, load, loads, short_name

FULL = """\
bpstep: 1
title: Every path into p counts
inputs:    {x: 2}
params:    {w: 1, b: -1, v: 3}
constants: {target: 1}
graph:
  p: w * x
  z: p + b
  h: relu(z)
  q: v * h
  y: q + p
  e: y - target
  loss: 0.5 * e ** 2
"""


def scenario(rest="", *, head="bpstep: 1\ntitle: t\n"):
    return loads(head + rest)


def names(loaded):
    graph = loaded.graph()
    return [graph.label(node) for node in graph.visible()]


def test_the_full_network():
    loaded = loads(FULL)
    assert names(loaded) == [
        "x",
        "w",
        "b",
        "v",
        "target",
        "p",
        "z",
        "h",
        "q",
        "y",
        "e",
        "(e**2)",
        "loss",
    ]
    run = loaded.run()
    assert run.steps == 13
    assert [run.grad(name) for name in ("p", "w", "b", "v", "x")] == [16.0, 32.0, 12.0, 4.0, 16.0]
    assert loaded.loss == "loss"
    assert loaded.leaf_values == {"x": 2.0, "w": 1.0, "b": -1.0, "v": 3.0, "target": 1.0}
    assert loaded.program == (Forward(), Backward())
    assert loaded.lines["h"] == 9
    assert loaded.entries["h"].text == "relu(z)"
    assert loaded.entries["h"].line == 9


def test_leaves_of_every_form():
    loaded = scenario(
        """
params:
  a: 1e-2
  t: [[1, 2], [3., .5]]
  frozen: {value: 2, grad: false, note: Held.}
  n: {init: normal, shape: [2, 3], seed: 7, scale: 0.1}
  u: {init: uniform, shape: [4], scale: 0.5}
  o: {init: ones, shape: [2], scale: 3}
  z: {init: zeros, shape: [2]}
  i: {init: eye, shape: [2, 2]}
  s: {init: normal, shape: []}
constants: {c: .inf, d: -.inf, e: .nan}
graph: {loss: a * sum(t)}
"""
    )
    values = loaded.leaf_values
    assert values["a"] == 0.01
    np.testing.assert_array_equal(values["t"], [[1, 2], [3, 0.5]])
    generator = np.random.Generator(np.random.PCG64(7))
    np.testing.assert_array_equal(values["n"], generator.standard_normal((2, 3)) * 0.1)
    generator = np.random.Generator(np.random.PCG64(0))
    np.testing.assert_array_equal(values["u"], generator.uniform(-0.5, 0.5, 4))
    np.testing.assert_array_equal(values["o"], [3, 3])
    np.testing.assert_array_equal(values["z"], [0, 0])
    np.testing.assert_array_equal(values["i"], [[1, 0], [0, 1]])
    assert isinstance(values["s"], float)
    assert values["c"] == math.inf
    assert math.isnan(values["e"])
    by_name = {leaf.name: leaf for leaf in loaded.leaves}
    assert not by_name["frozen"].grad
    assert not by_name["c"].grad
    assert loaded.notes == {"frozen": "Held."}


def test_float32_rounds_leaves():
    loaded = scenario("dtype: float32\nparams: {w: 0.1, v: [0.1]}\ngraph: {a: w * sum(v)}")
    assert loaded.leaf_values["w"] == float(np.float32(0.1))
    assert loaded.leaf_values["v"].dtype == np.float32


def test_leaves_come_in_file_order_and_entries_when_they_are_ready():
    loaded = scenario("graph: {c: a + b, a: x, b: a * 2, d: c}\nparams: {x: 1}\ninputs: {u: 2}")
    assert names(loaded) == ["x", "u", "a", "b", "c", "d"]


def test_the_first_entry_that_is_ready_goes_first_each_time():
    loaded = scenario("params: {x: 1}\ngraph: {a: d + x, b: x + 1, d: b + 1, e: x + 2}\nloss: a")
    assert names(loaded) == ["x", "b", "d", "a", "e"]


def test_inner_operations_stand_before_their_entry_left_to_right_and_are_numbered():
    loaded = scenario("params: {x: 2}\ngraph: {a: (x*x + 1) * (x*x), b: a + x*x}")
    assert names(loaded) == [
        "x",
        "(x*x)",
        "(x*x+1)",
        "(x*x)#2",
        "a",
        "(x*x)#3",
        "b",
    ]


def test_a_name_alone_is_an_identity_and_so_is_a_number():
    graph = scenario("params: {x: 2}\ngraph: {y: x, c: 3, d: '4', e: y * c * d}").graph()
    kinds = [graph.operation(graph.find(name)).name for name in ("y", "c", "d")]
    assert kinds == ["identity"] * 3
    assert graph.values[graph.find("e")] == 24.0
    assert not graph.requires_grad(graph.find("c"))


def test_the_loss_is_the_last_entry_or_the_one_named():
    assert scenario("params: {x: 2}\ngraph: {a: x, b: a}").loss == "b"
    assert scenario("params: {x: 2}\ngraph: {a: x, b: a}\nloss: a").loss == "a"


def test_a_program():
    loaded = scenario(
        """
params: {x: 2, v: [1, 2]}
graph: {a: x * x, loss: a * sum(v)}
program:
  - forward
  - backward a
  - set x = x + 0.5 * grad(x)
  - "set v = 2 * v"
  - clip_norm 1e-1
  - step .5
  - forward
  - backward
"""
    )
    assert loaded.program[:2] == (Forward(), Backward("a"))
    assert loaded.program[4:6] == (ClipNorm(0.1), Step(0.5))
    assert isinstance(loaded.program[2], Set)
    assert loaded.program[2].text == "set x = x + 0.5 * grad(x)"
    run = loaded.run()
    assert run.passes[0].ledger.grad("x") == 4.0
    assert run.leaves["x"] == 2 + 0.5 * 4 - 0.5 * 0.1
    np.testing.assert_array_equal(run.leaves["v"], [2, 4])


def test_mutate_overwrites_and_a_run_that_ends_in_an_error_is_no_load_error():
    loaded = scenario(
        "params: {x: 2}\ngraph: {a: x * x, b: a * a}\n"
        "program: [forward, mutate a = 3, backward]\nexpect: {error: stale-value}"
    )
    assert loaded.run().error.code == "stale-value"
    assert loaded.expect.error == "stale-value"


def test_set_before_the_first_forward_may_use_leaves():
    loaded = scenario("params: {x: 2}\ngraph: {a: x}\nprogram: [set x = 2 * x, forward, backward]")
    assert loaded.run().value("a") == 4.0


def test_gradients_of_inner_operations_can_be_used():
    loaded = scenario(
        "params: {x: 2}\ngraph: {a: 3 * x**2}\n"
        "program: [forward, backward, set x = grad(x**2), forward]"
    )
    assert loaded.run().leaves["x"] == 3.0


def test_everything_else_that_a_file_may_say():
    loaded = scenario(
        """
about: |
  Some *text*.
params: {x: 2, W: [[1, 2]]}
graph: {a: x * sum(W), loss: 0.5 * a ** 2}
conventions: {preset: jax, relu: 0.5}
buffers: accumulate
retain_graph: false
versions: ignore
fault: {kind: drop, from: a, node: x}
checks: [{wrt: "W[0, 1]", steps: [1e-2]}, {wrt: all}]
updates: {rates: [0.1], params: [x]}
tolerance: {rel: 1e-6}
expect:
  values: {W: [[1, 2]], "(a**2)": 36}
  grads: {x: none, W: [[1, 2]], a: ~}
  contributions: {x: [18]}
  checks: {"W[0, 1]": {verdict: agrees, central: 12}}
  updates: [{rate: 0.1, loss: 3, params: {x: 1}, crossed: [a]}]
  zero: {x: blocked, W: [kink, no-path]}
  paths: {x: [18.0]}
  ghosts: {x: 4}
breakpoints: [a, "a -> x", op mul, nonfinite, "abs(grad) > 10", "if op == 'mul' and depth > 1"]
notes: {a: "One."}
predict: [{at: a, ask: How much?, answer: 6, hint: Count.}, {at: x, ask: What?, answer: [1, 2]}]
"""
    )
    assert loaded.about == "Some *text*.\n"
    assert loaded.conventions == {"preset": "jax", "relu": 0.5}
    assert loaded.settings.buffers == "accumulate"
    assert not loaded.settings.retain_graph
    assert loaded.settings.versions == "ignore"
    fault = loaded.fault
    assert (fault.kind, fault.source, fault.node, fault.value) == ("drop", "a", "x", None)
    assert loaded.settings.fault is fault
    assert [(check.wrt, check.steps) for check in loaded.checks] == [
        ("W[0, 1]", (0.01,)),
        ("all", None),
    ]
    assert loaded.updates.rates == (0.1,)
    assert loaded.updates.params == ("x",)
    assert (loaded.tolerance.rel, loaded.tolerance.abs) == (1e-6, 1e-12)
    assert loaded.expect.grads == {"x": None, "W": [[1, 2]], "a": None}
    assert loaded.expect.contributions == {"x": (18,)}
    assert loaded.expect.checks == {"W[0, 1]": {"verdict": "agrees", "central": 12.0}}
    assert loaded.expect.updates[0]["crossed"] == ["a"]
    assert loaded.expect.zero == {"x": ("blocked",), "W": ("kink", "no-path")}
    assert len(loaded.breakpoints) == 6
    assert [question.answer for question in loaded.predict] == [6, [1, 2]]
    assert loaded.predict[1].hint is None


def test_sections_left_empty_are_as_if_they_were_not_there():
    loaded = scenario("params: {x: 1}\ninputs:\nconstants: ~\ngraph: {a: x}\nchecks:\nexpect:")
    assert loaded.checks == ()


def test_crlf_bom_tabs_and_wide_characters_are_read():
    text = "\ufeff" + FULL.replace("\n", "\r\n") + 'about: "tab:\there, 日本語 😀"\r\n'
    assert loads(text).run().grad("w") == 32.0
    assert loads(text).about == "tab:\there, 日本語 😀"


def test_names_may_be_of_any_language():
    assert scenario("params: {größe: 2}\ngraph: {δ: größe * größe}").loss == "δ"


def test_names_that_are_no_operations_are_free():
    loaded = scenario("params: {index: 1, eq: 2, grad: 3}\ngraph: {value: index * eq * grad}")
    assert loaded.run().value("value") == 6.0


def test_a_file_by_path_and_by_name(tmp_path):
    path = tmp_path / "my.yaml"
    path.write_text(FULL, encoding="utf-8")
    loaded = load(str(path))
    assert (loaded.path, loaded.name, loaded.text) == (str(path), "my", FULL)
    assert load(path).title == "Every path into p counts"


def test_scenarios_that_come_with_the_program_have_names():
    assert short_name("scenarios/03-kink.yaml") == "kink"
    assert short_name("l1-penalty.yaml") == "l1-penalty"
    for path in library():
        assert find_scenario(short_name(path)) == path
        assert find_scenario(path.name) == path
        assert load(short_name(path)).name == short_name(path)


def test_expressions_need_no_pydantic():
    code = "import sys, bpstep.scenario.expressions; print('pydantic' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_a_scenario_error_is_one_of_the_program(tmp_path):
    with pytest.raises(ScenarioError, match="no such file"):
        load(tmp_path / "missing.yaml")
