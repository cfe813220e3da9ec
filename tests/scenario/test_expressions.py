"""The expression language: reading, canonical text, evaluation, and errors with their places."""

from __future__ import annotations

import ast
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpstep.engine.errors import GraphError
from bpstep.scenario.expressions import (
    ExpressionError,
    canonical,
    evaluate,
    names,
    parse,
    truth,
)
from bpstep.scenario.syntax import Binary, Number, children, postorder

VALUES = {
    "x": 2.0,
    "y": -3.0,
    "W": np.array([[1.0, 2.0], [3.0, 4.0]]),
    "op": "mul",
    "absent": None,
}


class Scope:
    functions = ("grad",)

    def value(self, name):
        if name not in VALUES:
            raise GraphError(f"no {name}", "unknown-name")
        return VALUES[name]

    def call(self, function, arguments):
        return 10.0 * len(arguments)


def value(text, **options):
    return evaluate(parse(text, **options), Scope())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0.5 * e ** 2", "0.5*e**2"),
        ("-x**2", "-x**2"),
        ("(-x)**2", "(-x)**2"),
        ("(-8.0)**(1/3)", "(-8)**(1/3)"),
        ("2 ** -1", "2**-1"),
        ("2**3**2", "2**3**2"),
        ("(2**3)**2", "(2**3)**2"),
        ("a - (b - c)", "a-(b-c)"),
        ("(a - b) - c", "a-b-c"),
        ("a / (b / c)", "a/(b/c)"),
        ("a * (b + c)", "a*(b+c)"),
        ("((x))", "x"),
        ("+x", "x"),
        ("1_000.50", "1000.5"),
        (".5 + 1.", "0.5+1"),
        ("1e-6", "1e-06"),
        (".inf - .nan", "inf-nan"),
        ("sum(q, axis = 0)", "sum(q,axis=0)"),
        ("sum(q, (0, 1), true)", "sum(q,axis=(0,1),keepdims=true)"),
        ("sum(x, axis=None)", "sum(x)"),
        ("reshape(x, (2, -1))", "reshape(x,(2,-1))"),
        ("leaky_relu(x, 0.01)", "leaky_relu(x)"),
        ("x[0, -1][1]", "x[0,-1][1]"),
        ("(a + b)[0]", "(a+b)[0]"),
        ("(x > 0) * y", "(x>0)*y"),
        ("a @ b", "a@b"),
        ("größe * 2", "größe*2"),
    ],
)
def test_canonical_text_has_no_spaces_and_only_the_parentheses_needed(text, expected):
    assert canonical(parse(text)) == expected
    assert canonical(parse(expected)) == expected


def test_every_node_knows_its_characters():
    text = "0.5 * relu(w*x + b) ** 2"
    spans = [text[node.start : node.end] for node in postorder(parse(text))]
    assert spans == [
        "0.5",
        "w",
        "x",
        "w*x",
        "b",
        "w*x + b",
        "relu(w*x + b)",
        "2",
        "relu(w*x + b) ** 2",
        text,
    ]


@pytest.mark.parametrize(
    ("text", "fault", "message", "suggestion"),
    [
        ("", "", "empty", None),
        ("relu(x", "", "expected ')'", None),
        ("reluu(x)", "reluu", "no operation", "relu"),
        ("sum(x, axes=0)", "axes", "no argument", "axis"),
        ("sum(x, axis=y)", "y", "a number", None),
        ("sum(x, axis=0, axis=1)", "axis", "twice", None),
        ("sum(x, 0, axis=1)", "axis", "twice", None),
        ("sum(axis=0, x)", "x", "without a name", None),
        ("relu()", "relu()", "takes 1", None),
        ("relu(x, y)", "y", "at most", None),
        ("max(x, y)", "max(x, y)", "elements of one operand", "maximum(a, b)"),
        ("sum(x, axis=.inf)", "sum(x, axis=.inf)", "integer", None),
        ("a < b < c", "<", "chain", "(a < b)*…"),
        ("2x", "x", "follows a number", None),
        ("2 x", "x", "unexpected", None),
        ("x and y", "and", "unexpected", "*"),
        ("x ^ 2", "^", "unexpected", "**"),
        ("x − 1", "−", "unexpected", "-"),
        ("x[1:2]", ":", "slices", None),
        ("x[y]", "y", "integers", None),
        ("x[1.5]", "1.5", "integers", None),
        ("relu(x)(y)", "relu(x)", "only an operation", None),
        ("x + (1, 2)", "(1, 2)", "a shape", None),
        ("x + true", "true", "no numbers", None),
        ("'a'", "'a'", "expected a number", None),
        ("lambda: 3", ":", "slices", None),
        ("__import__('os')", "'os'", "expected a number", None),
    ],
)
def test_an_error_has_its_place_and_what_was_meant(text, fault, message, suggestion):
    with pytest.raises(ExpressionError) as caught:
        canonical(parse(text))
    assert text[caught.value.start : caught.value.end] == fault
    assert message in str(caught.value)
    assert caught.value.suggestion == suggestion


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x**2 + grad(x, y)", 24.0),
        ("1/0", math.inf),
        ("9**9**9**9", math.inf),
        ("W[1, 0] + W[-1, -1]", 7.0),
        ("abs(y) > 2 and op == 'mul'", 1.0),
        ("op == 'add' or not x", 0.0),
        ("not x == 2", 0.0),
        ("W > 3", np.array([[0.0, 0.0], [0.0, 1.0]])),
        ("absent > 3", 0.0),
        ("absent == none", 1.0),
        ("op != 3", 1.0),
        ("true", 1.0),
        ("x >= 2", 1.0),
    ],
)
def test_conditions_evaluate(text, expected):
    np.testing.assert_array_equal(value(text, conditions=True), expected)


def test_a_negative_base_gives_nan_and_no_complex_number():
    assert math.isnan(value("(-8.0)**(1/3)"))


@pytest.mark.parametrize(
    ("text", "fault"),
    [("absent + 1", "absent"), ("x < op", "x < op"), ("2 * zz", "zz"), ("W + grad(W)[0]", None)],
)
def test_evaluation_errors_have_places(text, fault):
    with pytest.raises(ExpressionError) as caught:
        value(text, conditions=True)
    start, end = caught.value.start, caught.value.end
    assert text[start:end] == (fault or "grad(W)[0]")


def test_numbers_are_rounded_to_the_number_type():
    assert evaluate(parse("0.1"), Scope(), "float32") == float(np.float32(0.1))


def test_the_code_of_an_error_is_kept():
    with pytest.raises(ExpressionError) as caught:
        value("zz")
    assert caught.value.code == "unknown-name"


def test_of_a_tensor_any_element_makes_it_true():
    assert truth(np.array([0.0, 1.0]))
    assert not truth(np.zeros(3))
    assert not truth(None)
    assert truth(math.nan)


def test_logic_keeps_the_parentheses_it_needs():
    for text in ("not (a and b) or c", "(a or b) and not c", "a or b and c", "not a == b"):
        assert canonical(parse(text, conditions=True)) == text.replace(" == ", "==")


def test_nesting_and_length_are_limited_but_chains_are_not():
    for text in ("(" * 200 + "x" + ")" * 200, "-" * 4000 + "x", "x" + "**x" * 1000):
        with pytest.raises(ExpressionError, match="nesting deeper than 100"):
            parse(text)
    with pytest.raises(ExpressionError, match="4096"):
        parse("x + " * 2000 + "x")
    chain = parse("+".join("x" * 2000))
    assert len(names(chain)) == 2000
    assert evaluate(chain, Scope()) == 4000.0


numbers = st.floats(0, 1e6).map(lambda number: repr(number))
leaves = st.one_of(numbers, st.sampled_from(["x", "y"]))
expressions = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(["+", "-", "*", "/", "**"]), inner).map(" ".join),
        inner.map(lambda text: f"({text})"),
        inner.map(lambda text: f"-{text}"),
    ),
    max_leaves=8,
)


@given(expressions)
def test_the_tree_is_that_of_python(text):
    """Precedence and associativity are Python's: both trees, written with every parenthesis."""
    assert _ours(parse(text)) == _python(ast.parse(text, mode="eval").body)


@given(expressions)
def test_canonical_text_reads_back_as_the_same_tree(text):
    expr = parse(text)
    assert _ours(parse(canonical(expr))) == _ours(expr)


@given(st.text(max_size=40), st.booleans())
def test_any_text_is_an_expression_or_an_expression_error(text, conditions):
    spans = []
    try:
        expr = parse(text, conditions=conditions)
        spans = [(node.start, node.end) for node in postorder(expr)]
        canonical(expr)
    except ExpressionError as error:
        spans.append((error.start, error.end))
    assert spans
    assert all(0 <= start < end <= len(text) + 1 for start, end in spans)


@given(st.text("xy0123.eE_+-*/@()[]<>=!,'\" \taind", max_size=30))
def test_nearly_right_texts_too(text):
    test_any_text_is_an_expression_or_an_expression_error.hypothesis.inner_test(text, True)


def _ours(node):
    if isinstance(node, Number):
        text = repr(node.value)
        return f"({text})" if text.startswith("-") else text
    if isinstance(node, Binary):
        return f"({_ours(node.left)}{node.symbol}{_ours(node.right)})"
    inner = children(node)
    return f"(-{_ours(inner[0])})" if inner else node.id


def _python(node):
    signs = {"Add": "+", "Sub": "-", "Mult": "*", "Div": "/", "Pow": "**"}
    if isinstance(node, ast.Constant):
        return repr(float(node.value))
    if isinstance(node, ast.BinOp):
        return f"({_python(node.left)}{signs[type(node.op).__name__]}{_python(node.right)})"
    if isinstance(node, ast.UnaryOp):
        inner = _python(node.operand)
        return inner[2:-1] if inner.startswith("(-") and _plain(inner[2:-1]) else f"(-{inner})"
    return node.id


def _plain(text):
    return text.replace(".", "").replace("e+", "").replace("e-", "").isdigit()
