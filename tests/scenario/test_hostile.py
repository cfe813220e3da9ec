"""Any text is a scenario or a ScenarioError, in bounded time and memory."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bpstep.engine.errors import BpstepError
from bpstep.scenario import Scenario, ScenarioError, loads

HEAD = "bpstep: 1\ntitle: t\nparams: {x: 0.5, v: {init: ones, shape: [1000000]}}\n"
GRAPH = HEAD + "graph:\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (GRAPH + f"  a: {'(' * 1_000_000}x", "the limit is 4096"),
        (GRAPH + f"  a: {'(' * 2_000}x", "nesting deeper than 100"),
        ("[" * 1_000_000, "nesting"),
        ("a: " * 300_000, "not YAML"),
        ("&a " * 300_000, "an anchor"),
        (GRAPH + f"  - a: 'x{'{i}' * 300_000}'\n", "the limit is 4096"),
        (HEAD + "inputs: {y: {init: zeros, shape: [1000000, 1000000]}}\ngraph: {a: x}", "at most"),
        (
            HEAD
            + "inputs:\n"
            + "".join(f"  y{i}: {{init: zeros, shape: [10000000]}}\n" for i in range(8))
            + "graph: {a: x}",
            "all leaves together exceed",
        ),
        (GRAPH + "  a: reshape(v, (1000000, 1)) * v\n  b: sum(a)", "1000000000000 elements"),
        (GRAPH + "  a: reshape(v, (1000000, 1)) @ reshape(v, (1, 1000000))", "elements"),
        (GRAPH + "  a: reshape(x, (1000000, 1000000))", "reshape"),
        (
            GRAPH + "  - repeat: {i: [1, 1000]}\n    do: ['a{i}': v * x]\n  - b: x",
            "all values together exceed",
        ),
        (
            GRAPH + f"  - repeat: {{i: [1, 200000]}}\n    do: ['a{{i}}': '{'x+' * 1000}x']",
            "written out",
        ),
        (GRAPH + "  - repeat: {i: [1, 1000000000]}\n    do: ['a{i}': x]", "1000000000 entries"),
        (
            GRAPH + "".join(f"  a{i}: {'x+' * 2000}x\n" for i in range(12)),
            "too long to be named",
        ),
        (HEAD + f"constants: {{y: {'[' * 40}1{']' * 40}}}\ngraph: {{a: x}}", "40 axes"),
        ("bpstep: 1\n" + "a" * 3_000_000, "longer than 2000000"),
    ],
    ids=[str(number) for number in range(1, 18)],
)
def test_a_hostile_file_is_refused(text, message):
    with pytest.raises(ScenarioError) as caught:
        loads(text)
    assert message in str(caught.value)
    assert len(str(caught.value)) < 100_000


def test_thousands_of_problems_are_told_as_a_few_hundred():
    with pytest.raises(ScenarioError) as caught:
        loads(GRAPH + "".join(f"  a{i}: zz{i}\n" for i in range(3000)))
    assert len(caught.value.problems) == 200


def test_large_numbers_are_numbers():
    loaded = loads(GRAPH + f"  a: x * 9**9**9**9 * {'9' * 2000}\n")
    assert loaded.run().value("a") == float("inf")


def test_a_long_repeat_and_a_long_chain_load():
    loaded = loads(
        GRAPH + "  - a0: x\n  - repeat: {i: [1, 3000]}\n    do: ['a{i}': 'sigmoid(a{i-1})']\n"
    )
    assert loaded.loss == "a3000"
    assert loaded.run().steps == 3002
    assert loads(GRAPH + f"  a: {'x+' * 1500}x\n").run().grad("x") == 1501.0


def outcome(text):
    """A scenario that also runs, or an error of the program; anything else is a bug."""
    try:
        loaded = loads(text)
    except ScenarioError as error:
        return str(error)
    try:
        loaded.run()
    except BpstepError as error:
        return str(error)
    return loaded


FULL = """\
bpstep: 1
title: t
inputs: {x: 2}
params: {w: [1, 2], b: {value: 1, grad: false}}
graph:
  p: w * x
  z: sum(p[0] + b, axis=None)
  - loss: 0.5 * e ** 2
program: [forward, backward z, set x = x - 0.1 * grad(x), step 0.1]
fault: {kind: drop, from: z, node: b}
checks: [{wrt: "w[0]", steps: [1e-2]}]
expect: {values: {z: 3}, grads: {b: none}, contributions: {p: [[1, 0]]}}
breakpoints: [z, "z -> p", "abs(grad) > 3"]
notes: {z: hi}
"""
LINES = FULL.splitlines(keepends=True)


@given(st.text(max_size=80))
def test_any_text(text):
    assert isinstance(outcome(text), str)


@given(
    st.lists(st.sampled_from(LINES), max_size=14),
    st.integers(0, 600),
    st.text("abwxz019:-[]{}()&*!|>'\"#%@?, \n\t=.+/_i~é日", max_size=6),
    st.integers(0, 3),
)
@settings(max_examples=100, suppress_health_check=[HealthCheck.too_slow])
def test_a_scenario_with_something_changed(lines, at, inserted, removed):
    for text in ("".join(lines), FULL.replace("  - loss", "  loss").replace("* e *", "* z *")):
        changed = text[:at] + inserted + text[at + removed :]
        assert isinstance(outcome(changed), (str, Scenario))


values = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-3, 10**30),
        st.floats(),
        st.sampled_from(
            [
                "x",
                "w",
                "p",
                "z",
                "loss",
                "none",
                "all",
                "relu",
                "x*w",
                "w[0]",
                "torch",
                "drop",
                "forward",
                "backward",
            ]
        ),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(
            st.sampled_from(
                [
                    "x",
                    "w",
                    "p",
                    "z",
                    "value",
                    "init",
                    "shape",
                    "kind",
                    "node",
                    "from",
                    "wrt",
                    "steps",
                    "rel",
                    "at",
                    "ask",
                ]
            ),
            inner,
            max_size=3,
        ),
    ),
    max_leaves=6,
)
KEYS = [
    "title",
    "about",
    "extends",
    "dtype",
    "inputs",
    "params",
    "constants",
    "graph",
    "loss",
    "conventions",
    "program",
    "buffers",
    "retain_graph",
    "versions",
    "fault",
    "checks",
    "updates",
    "tolerance",
    "expect",
    "breakpoints",
    "notes",
    "predict",
    "x",
]


@given(st.dictionaries(st.sampled_from(KEYS), values, max_size=5))
@settings(max_examples=100)
def test_any_value_under_any_key(changes):
    base = {
        "bpstep": 1,
        "title": "t",
        "params": {"x": 2, "w": [1, 2]},
        "graph": {"p": "w * x", "z": "sum(p)", "loss": "z * z"},
    }
    assert isinstance(outcome(_written({**base, **changes})), (str, Scenario))


def _written(value):
    """A value as YAML in flow style."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {_written(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_written, value)) + "]"
    if isinstance(value, str):
        return f'"{value}"'
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    return repr(value).replace("inf", ".inf").replace("nan", ".nan")
