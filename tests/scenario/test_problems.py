"""Errors: each in its place, with what was found, what was expected, and the nearest name."""

from __future__ import annotations

import textwrap

import pytest

from bpstep.scenario import ScenarioError, load, loads

HEAD = "bpstep: 1\ntitle: t\nparams: {x: 1, v: [1, 2, 3], M: [[1, 2], [3, 4]]}\n"


def problems(text):
    with pytest.raises(ScenarioError) as caught:
        loads(text, "f.yaml")
    return caught.value.problems


def only(text):
    found = problems(text)
    assert len(found) == 1, "\n".join(map(str, found))
    return found[0]


def at(problem):
    """The characters that the problem points at."""
    start = problem.column - 1
    return problem.source_line[start : start + problem.width]


@pytest.mark.parametrize(
    ("rest", "fault", "message", "suggestion"),
    [
        # expressions
        ("graph: {a: x * xx}", "xx", "no node 'xx'", "x"),
        ("graph:\n  a: reluu(x)", "reluu", "no operation 'reluu'", "relu"),
        ("graph:\n  a: relu", "relu", "is an operation, not a node", None),
        ("graph:\n  a: x(x)", "x", "is a node, not an operation", "x * (…)"),
        ("graph:\n  a: v + M[0]", "v + M[0]", "do not broadcast", None),
        ("graph:\n  a: x + sum(v * M[0])", "v * M[0]", "do not broadcast", None),
        ("graph:\n  a: sum(v, axis=3)", "sum(v, axis=3)", "axis 3", None),
        ("graph:\n  a: v[3]", "v[3]", "index 3", None),
        ("graph:\n  a: M @ v", "M @ v", "matmul", None),
        ("graph:\n  a: 'x + [1]'", "[", "found '['", None),
        ("graph:\n  a: >\n    x +\n      yy", "yy", "no node", None),
        ('graph:\n  a: "x + \\x79\\x79"', "\\x79\\x79", "no node 'yy'", None),
        ("graph:\n  a: 'x + y'''", "''", "closing quote", None),
        ("graph:\n  a: true", "true", "no expression", None),
        ("graph:\n  a: {b: 1}", "{b: 1}", "no expression", None),
        ("graph:\n  a:", "a", "no expression", None),
        ("graph:\n  a: ''", "'", "an empty expression", None),
        # names
        ("graph:\n  relu: x", "relu", "reserved", "relu_"),
        ("graph:\n  true: x", "true", "reserved", "true_"),
        ("graph:\n  start: x", "start", "reserved", "start_"),
        ("graph:\n  1a: x", "1a", "no name", None),
        ("graph:\n  x: 3", "x", "a second time", None),
        ("graph:\n  a: b\n  b: a\n", "a", "a cycle: a → b → a", None),
        ("graph:\n  a: a + 1\n", "a", "a cycle: a → a", None),
        # leaves
        ("inputs: {y: one}\ngraph: {a: x}", "one", "no number", None),
        ("inputs: {y: true}\ngraph: {a: x}", "true", "no number", None),
        ("inputs: {y: ~}\ngraph: {a: x}", "~", "nothing is no number", None),
        ("inputs: {y: []}\ngraph: {a: x}", "[]", "an empty list", None),
        ("inputs: {y: [1, [2]]}\ngraph: {a: x}", "[2]", "ragged", None),
        ("inputs: {y: [[1, 2], [3]]}\ngraph: {a: x}", "[3]", "ragged", None),
        ("inputs: {y: [[1], 2]}\ngraph: {a: x}", "2", "deeper", None),
        ("inputs: {y: {valu: 1, value: 2}}\ngraph: {a: x}", "valu", "no key 'valu'", "value"),
        ("inputs: {y: {init: norml, shape: [1]}}\ngraph: {a: x}", "norml", "found", "normal"),
        ("inputs: {y: {init: eye, shape: [1]}}\ngraph: {a: x}", "[1]", "eye of 1", None),
        ("inputs: {y: {init: ones, shape: [0]}}\ngraph: {a: x}", "0", "found 0", None),
        ("inputs: {y: {init: ones, shape: 3}}\ngraph: {a: x}", "3", "found 3", None),
        ("constants: {y: {value: 1, grad: true}}\ngraph: {a: x}", "grad", "no gradient", None),
        # loss
        ("graph: {a: v}", "a", "loss-not-scalar", None),
        ("graph:\n  a: v[0] * 1\nloss: b", "b", "no node 'b'", None),
        ("graph: {a: detach(x)}", "a", "no-gradient", None),
        ("graph: {a: 'x > 0'}\nloss: a", "a", "no-gradient", None),
        ("graph: {}", "{}", "without entries", None),
        ("graph: 3", "3", "no graph", None),
        # settings
        ("graph: {a: x}\ndtype: float46", "float46", "found", "float64"),
        ("graph: {a: x}\nretain_graph: 1", "1", "found 1", None),
        ("graph: {a: x}\nconventions: jxa", "jxa", "found", "jax"),
        ("graph: {a: x}\nconventions: {reul: 0}", "reul", "no convention", "relu"),
        ("graph: {a: x}\nconventions: {relu: foo}", "foo", "cannot be 'foo'", None),
        ("graph: {a: x}\nnots: {a: b}", "nots", "no key 'nots'", "notes"),
        ("graph: {a: x}\nupdates: {rate: [1]}", "rate", "no key 'rate'", "rates"),
        ("graph: {a: x}\npredict: [{at: a, ask: b, anser: 1}]", "anser", "no key", "answer"),
        ("graph: {a: x}\ntolerance: {rel: -1}", "-1", "found -1", None),
        ("graph: {a: x}\nabout: 3", "3", "found 3", None),
        # program
        ("graph: {a: x}\nprogram: [forward, backwrd]", "backwrd", "no statement", "backward"),
        ("graph: {a: x}\nprogram: [backward, forward]", "backward", "before anything", None),
        ("graph: {a: x}\nprogram: [zero_grad]", "[zero_grad]", "records nothing", None),
        ("graph: {a: x}\nprogram: []", "[]", "an empty list", None),
        ("graph: {a: x}\nprogram: [forward, backward b]", "b", "no node 'b'", None),
        ("graph: {b: v, a: x}\nprogram: [forward, backward b]", "backward b", "not-scalar", None),
        ("graph: {a: x}\nprogram: [forward, step fast]", "fast", "found 'fast'", None),
        ("graph: {a: x}\nprogram: [forward, clip_norm -1]", "-1", "found '-1'", None),
        ("graph: {a: x}\nprogram: [forward, set a = 3]", "a", "no leaf 'a'", None),
        ("graph: {a: x}\nprogram: [forward, set x]", "set x", "no assignment", None),
        ("graph: {a: x}\nprogram: [forward, set x = a + yy]", "yy", "no node 'yy'", None),
        ("graph: {a: x}\nprogram: [set x = a, forward]", "a", "nothing is recorded", None),
        ("graph: {a: x}\nprogram: [forward, set x = grad(x)]", "grad(x)", "no gradient", None),
        ("graph: {a: x}\nprogram: [forward, set x = v + M]", "v + M", "do not broadcast", None),
        ("graph: {a: x}\nprogram: [forward, set x = v]", "v", "a value of shape (3,)", None),
        ("graph: {a: x}\nprogram: [forward x]", "x", "nothing follows", None),
        # faults
        ("graph: {a: x}\nfault: {kind: ovrwrite}", "ovrwrite", "found", "overwrite"),
        ("graph: {a: x}\nfault: {kind: drop, node: x}", "kind", "needs 'from'", None),
        ("graph: {a: x}\nfault: {kind: early, node: x}", "node", "takes no 'node'", None),
        ("graph: {a: x}\nfault: {kind: drop, node: a, from: x}", "x", "sends nothing", None),
        ("graph: {a: x}\nfault: {kind: overwrite, node: b}", "b", "no node 'b'", None),
        ("graph: {a: x}\nfault: {kind: rule, op: reul, value: 1}", "reul", "no oper", "relu"),
        ("graph: {a: x}\nfault: {kind: rule, value: 1}", "kind", "needs op or node", None),
        ("graph: {a: x}\nfault: {kind: transpose, operand: 2}", "2", "no operand 2", None),
        # checks, updates, expectations
        ("graph: {a: x}\nchecks: [{wrt: y}]", "y", "no leaf 'y'", None),
        ("graph: {a: x}\nchecks: [{wrt: 'v[3]'}]", "'v[3]'", "no element", None),
        ("graph: {a: x}\nchecks: [{wrt: x, steps: [0]}]", "0", "found 0", None),
        ("graph: {a: x}\nupdates: {rates: [1], params: [a]}", "a", "no parameter", None),
        ("graph: {a: x}\nexpect: {values: {b: 1}}", "b", "no node 'b'", None),
        ("graph: {a: x}\nexpect: {values: {v: 1}}", "1", "a value of shape ()", None),
        ("graph: {a: x}\nexpect: {grads: {x: nane}}", "nane", "no number", None),
        ("graph: {a: x}\nexpect: {contributions: {x: [[1]]}}", "[1]", "of shape (1,)", None),
        ("graph: {a: x}\nexpect: {zero: {x: blokd}}", "blokd", "found", "blocked"),
        ("graph: {a: x}\nexpect: {zero: {'v[3]': blocked}}", "'v[3]'", "no element", None),
        ("graph: {a: x}\nexpect: {checks: {x: {verdict: kinky}}}", "kinky", "found", "kink"),
        ("graph: {a: x}\nexpect: {error: stale}", "stale", "found", "stale-value"),
        # for the learner
        ("graph: {a: x}\nnotes: {b: hi}", "b", "no node 'b'", None),
        ("graph: {a: x}\nbreakpoints: [b]", "b", "no node 'b'", None),
        ("graph: {a: x}\nbreakpoints: ['x -> a']", "x -> a", "sends nothing", None),
        ("graph: {a: x}\nbreakpoints: [op rel]", "rel", "no operation", "relu"),
        ("graph: {a: x}\nbreakpoints: [upstrem > 3]", "upstrem", "no quantity", "upstream"),
        ("graph: {a: x}\nbreakpoints: ['if abs(grad > 3']", "'", "expected ')'", None),
        ("graph: {a: x}\npredict: [{at: b, ask: q, answer: 1}]", "b", "no node 'b'", None),
    ],
)
def test_a_problem_points_at_its_fault(rest, fault, message, suggestion):
    problem = only(HEAD + rest)
    assert at(problem).strip() == fault
    assert message in problem.message
    assert problem.suggestion == suggestion
    assert problem.file == "f.yaml"
    assert problem.line > 3


def test_a_comma_in_braces_cuts_an_expression_short():
    first, second = problems(HEAD + "graph: {a: sum(v, axis=0)}")
    assert at(first) == ")" or "quotes" in first.expected
    assert "no name" in second.message


def test_all_problems_of_a_file_come_at_once_in_order():
    found = problems(
        "bpstep: 1\n"
        "titel: t\n"
        "params: {x: 1, w: [1, [2]]}\n"
        "graph:\n"
        "  a: x * xx\n"
        "  b: sum(w) + a\n"
        "  c: 'x +'\n"
        "  d: x[0]\n"
        "program: [forwrd]\n"
        "notes: {z: hm}\n"
    )
    assert [problem.line for problem in found] == [2, 3, 5, 7, 8, 9, 10]
    assert ("'titel'" in found[0].message, found[0].suggestion) == (True, "title")


def test_what_follows_from_a_problem_is_not_told():
    problem = only(HEAD + "graph: {a: xx, b: a + 1, c: b * a}\nexpect: {values: {c: 3}}")
    assert problem.message == "there is no node 'xx'"


def test_several_missing_keys_are_all_told():
    assert [p.message for p in problems("about: hm")] == [
        "the key 'bpstep' is missing",
        "the key 'title' is missing",
        "the key 'graph' is missing",
    ]


@pytest.mark.parametrize("version", ["2", "true", "1.0", "'1'", "one"])
def test_another_version_of_the_format_is_refused(version):
    problem = only(f"bpstep: {version}\ntitle: t\nparams: {{x: 1}}\ngraph: {{a: x}}")
    assert (problem.line, at(problem)) == (1, version)


@pytest.mark.parametrize("text", ["[1, 2]", "3", "hello", "--- \n- bpstep: 1"])
def test_what_is_no_mapping_is_no_scenario(text):
    assert "no scenario" in only(text).message


def test_an_error_is_shown_with_its_line_and_a_caret():
    with pytest.raises(ScenarioError) as caught:
        loads("bpstep: 1\ntitle: t\nparams: {x: 1}\ngraph:\n  a: 2 * reluu(x)\n", "f.yaml")
    assert str(caught.value) == textwrap.dedent(
        """\
        f.yaml:5:10: there is no operation 'reluu'
            5 |   a: 2 * reluu(x)
              |          ^^^^^
          did you mean: relu"""
    )
    assert (caught.value.line, caught.value.column) == (5, 10)


def test_the_caret_stands_under_the_fault_behind_wide_and_combining_characters():
    with pytest.raises(ScenarioError) as caught:
        loads("bpstep: 1\ntitle: t\nparams: {日本: 1, e\u0301: 2}\ngraph: {a: 日本 * 語}", "f.yaml")
    lines = str(caught.value).splitlines()
    # Each of the two wide characters before it takes two columns.
    caret = next(i for i, line in enumerate(lines) if "graph" in line) + 1
    assert lines[caret] == "      | " + " " * len("graph: {a: xxxx * ") + "^^"


def test_tabs_and_control_characters_of_a_file_do_not_reach_the_terminal():
    with pytest.raises(ScenarioError) as caught:
        loads("a:\t\x1b[31mred")
    assert "\x1b" not in str(caught.value)
    assert "\t" not in str(caught.value)


def test_a_long_line_is_shown_around_the_fault():
    with pytest.raises(ScenarioError) as caught:
        loads(HEAD + "graph: {a: x" + " + x" * 500 + " * qq" + " + x" * 400 + "}")
    shown = str(caught.value).splitlines()[1:3]
    assert max(map(len, shown)) < 120
    assert shown[0][shown[1].index("^") :].startswith("qq")
    assert shown[0].endswith("…")


@pytest.mark.parametrize(
    ("data", "message", "line", "column"),
    [
        (b"\xff\xfe", "0xFF is no UTF-8", 1, 1),
        (b"bpstep: 1\nt: \xe9", "0xE9 is no UTF-8", 2, 4),
        (b"\x00\x01", "U+0000", 1, 1),
        (b"", "empty", 1, 1),
        (b"a" * 2_000_001, "larger than 2000000 bytes", 0, 0),
    ],
)
def test_files_that_are_no_text(tmp_path, data, message, line, column):
    path = tmp_path / "f.yaml"
    path.write_bytes(data)
    with pytest.raises(ScenarioError, match=r"f\.yaml") as caught:
        load(path)
    assert message in str(caught.value)
    assert (caught.value.line, caught.value.column) == (line, column)


def test_what_is_no_file(tmp_path):
    with pytest.raises(ScenarioError, match="cannot be read"):
        load(tmp_path)
    for name in ("missing", "x" * 5000, "a\0b", ""):
        with pytest.raises(ScenarioError):
            load(name)


def test_an_endless_file_is_refused_without_reading_it_all():
    with pytest.raises(ScenarioError, match="larger than"):
        load("/dev/zero")


def test_the_nearest_name_of_a_scenario_is_suggested():
    with pytest.raises(ScenarioError, match="did you mean: kink"):
        load("knik")


def test_where_no_name_is_near_it_says_where_all_are():
    with pytest.raises(ScenarioError, match=r"expected: a path, or .* `bpstep list`"):
        load("something-else-entirely")
