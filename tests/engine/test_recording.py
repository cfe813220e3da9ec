"""Recording: names, formulas, what depends on what, and mistakes with their codes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import bpstep
from bpstep.engine.errors import GraphError
from bpstep.engine.graph import Graph, Node
from bpstep.engine.ops import OPERATIONS, RESERVED


def letters(*names: str, value: Any = 2.0) -> tuple[Graph, list[Node]]:
    graph = Graph()
    return graph, [graph.param(name, value) for name in names]


# ---- names and formulas ----


@pytest.mark.parametrize(
    ("build", "label"),
    [
        (lambda a, b, c: a**2, "(a**2)"),
        (lambda a, b, c: 0.5 * a**2, "(0.5*a**2)"),
        (lambda a, b, c: (a + b) * c, "((a+b)*c)"),
        (lambda a, b, c: a + b * c, "(a+b*c)"),
        (lambda a, b, c: a - (b - c), "(a-(b-c))"),
        (lambda a, b, c: a - b - c, "(a-b-c)"),
        (lambda a, b, c: a / (b * c), "(a/(b*c))"),
        (lambda a, b, c: a**b**c, "(a**b**c)"),
        (lambda a, b, c: (a**b) ** c, "((a**b)**c)"),
        (lambda a, b, c: -(a**b), "(-a**b)"),
        (lambda a, b, c: (-a) ** b, "((-a)**b)"),
        (lambda a, b, c: a**-b, "(a**-b)"),
        (lambda a, b, c: -(a + b), "(-(a+b))"),
        (lambda a, b, c: a * -2.0, "(a*-2)"),
        (lambda a, b, c: (-2.0) ** a, "((-2)**a)"),
        (lambda a, b, c: a * 1e-6, "(a*1e-06)"),
        (lambda a, b, c: a < b + c, "(a<b+c)"),
        (lambda a, b, c: bpstep.exp((a + b) * (b + c)), "(exp((a+b)*(b+c)))"),
        (lambda a, b, c: bpstep.exp(a + b), "(exp(a+b))"),
        (lambda a, b, c: bpstep.maximum(a + 1, b), "(maximum(a+1,b))"),
        (lambda a, b, c: bpstep.clamp(a, min=-1), "(clamp(a,min=-1))"),
        (lambda a, b, c: bpstep.leaky_relu(a), "(leaky_relu(a))"),
        (lambda a, b, c: bpstep.leaky_relu(a, 0.2), "(leaky_relu(a,slope=0.2))"),
        (lambda a, b, c: bpstep.where(a > 0, b, c), "(where(a>0,b,c))"),
        (lambda a, b, c: bpstep.detach(a), "(detach(a))"),
    ],
)
def test_a_node_without_a_name_is_its_formula(build: Callable[..., Node], label: str) -> None:
    _, (a, b, c) = letters("a", "b", "c")
    assert build(a, b, c).name == label


@pytest.mark.parametrize(
    ("build", "label"),
    [
        (lambda m: m[0, 1], "(m[0,1])"),
        (lambda m: (m + m)[0], "((m+m)[0])"),
        (lambda m: bpstep.sum(m, axis=0, keepdims=True), "(sum(m,axis=0,keepdims=true))"),
        (lambda m: bpstep.reshape(m, (4,)), "(reshape(m,(4,)))"),
        (lambda m: bpstep.concat(m, m, axis=1), "(concat(m,m,axis=1))"),
        (lambda m: m @ m @ m, "(m@m@m)"),
        (lambda m: m @ (m @ m), "(m@(m@m))"),
    ],
)
def test_formulas_of_tensors(build: Callable[..., Node], label: str) -> None:
    _, (m,) = letters("m", value=[[1.0, 2.0], [3.0, 4.0]])
    assert build(m).name == label


def test_expressions_are_spaced_and_speak_of_names() -> None:
    graph, (a, b) = letters("a", "b")
    e = graph.name("e", a - b)
    power = e**2
    assert graph.expression(e.index) == "a - b"
    assert graph.expression(power.index) == "e ** 2"
    assert graph.expression((0.5 * power).index) == "0.5 * (e**2)"
    assert graph.expression(bpstep.maximum(a, power).index) == "maximum(a, e**2)"
    assert graph.expression(graph.apply("identity", e).index) == "e"
    assert graph.expression(a.index) == ""


def test_the_same_formula_again_is_numbered() -> None:
    _, (a,) = letters("a")
    nodes = [a**2, a**2, a**2]
    assert [node.name for node in nodes] == ["(a**2)", "(a**2)#2", "(a**2)#3"]
    graph = a.graph
    assert [graph.find(node.name) for node in nodes] == [node.index for node in nodes]


def test_a_name_given_later_is_used_by_all_formulas() -> None:
    graph, (a,) = letters("a")
    square = a * a
    double = square * 2
    assert double.name == "(a*a*2)"
    graph.name("s", square)
    assert (square.name, double.name) == ("s", "(s*2)")


def test_formulas_do_not_grow_without_end() -> None:
    _, (a,) = letters("a")
    node = a
    for _ in range(200):
        node = bpstep.tanh(node)
    assert len(node.name) < 60
    assert a.graph.find(node.name) == node.index


def test_roles_and_what_is_visible() -> None:
    graph = Graph()
    x, w, t = graph.input("x", 1), graph.param("w", 2), graph.constant("t", 3)
    y = (x * w - t) * 2
    assert [graph.role(i) for i in range(len(graph))] == [
        "input", "param", "constant", "op", "op", "literal", "op",
    ]  # fmt: skip
    assert graph.visible() == [0, 1, 2, 3, 4, 6]
    assert (graph.leaves(), graph.params()) == ([0, 1, 2], [1])
    assert graph.consumers(w.index) == ((3, 1),)
    assert graph.operands(y.index) == (4, 5)


def test_consumers_of_a_repeated_operand() -> None:
    graph, (r,) = letters("r")
    assert graph.consumers(r.index) == ()
    square = r * r
    assert graph.consumers(r.index) == ((square.index, 0), (square.index, 1))


# ---- what is recorded ----


@pytest.mark.parametrize(
    "build",
    [
        lambda x: x < 1,
        lambda x: x.graph.apply("eq", x, 1),
        bpstep.isnan,
        bpstep.argmax,
        bpstep.detach,
        lambda x: bpstep.where(x, 1.0, 2.0),
    ],
)
def test_no_dependency(build: Callable[[Node], Node]) -> None:
    graph, (x,) = letters("x")
    assert not graph.requires_grad(build(x).index)


def test_dependency_through_any_operand() -> None:
    graph = Graph()
    w, c = graph.param("w", 1.0), graph.constant("c", 2.0)
    assert graph.requires_grad((w * c).index)
    assert graph.requires_grad((c * w).index)
    assert not graph.requires_grad((c * 2).index)
    assert graph.requires_grad(bpstep.where(c, w, 1.0).index)
    assert not graph.requires_grad(graph.param("f", 1.0, grad=False).index)


def test_a_leaf_is_a_copy() -> None:
    array = np.array([1.0, 2.0])
    graph = Graph()
    w = graph.param("w", array)
    array[0] = 9.0
    assert w.value.tolist() == [1.0, 2.0]


def test_arrays_and_numbers_on_either_side() -> None:
    _, (a,) = letters("a", value=[1.0, 2.0])
    for node in (a + 1, 1 + a, np.float64(1) + a, np.ones(2) + a, a + np.ones(2)):
        assert node.value.tolist() == [2.0, 3.0]
    assert (2 - a).value.tolist() == [1.0, 0.0]
    assert (2 / a).value.tolist() == [2.0, 1.0]
    assert (2**a).value.tolist() == [2.0, 4.0]
    assert (np.eye(2) @ a).value.tolist() == [1.0, 2.0]
    assert (abs(-a) + +a).value.tolist() == [2.0, 4.0]


# ---- mistakes ----


@pytest.mark.parametrize(
    ("build", "code", "message"),
    [
        (lambda g: g.param("m", np.ones((2, 3))) + np.ones(2), "shape", "do not broadcast in add"),
        (lambda g: g.param("m", np.ones((2, 3))) @ np.ones(2), "shape", "matmul of shape"),
        (lambda g: g.param("a", 1.0) @ 2.0, "shape", "matmul of shape"),
        (lambda g: bpstep.dot(g.param("a", 1.0), [1.0]), "shape", "dot takes two vectors"),
        (
            lambda g: bpstep.sum(g.param("m", np.ones(2)), axis=1),
            "shape",
            "axis 1 is out of bounds",
        ),
        (
            lambda g: bpstep.sum(g.param("m", np.ones(2)), axis=0.5),
            "argument",
            "axis= takes an int",
        ),
        (lambda g: bpstep.sum(g.param("a", 1.0), axs=0), "argument", "did you mean 'axis'"),
        (lambda g: g.apply("exp", g.param("a", 1.0), axis=0), "argument", "it takes none"),
        (lambda g: bpstep.clamp(g.param("a", 1.0)), "argument", "clamp needs min= or max="),
        (lambda g: bpstep.reshape(g.param("a", 1.0)), "argument", "reshape needs shape"),
        (lambda g: bpstep.reshape(g.param("m", np.ones(4)), (3,)), "shape", "cannot reshape"),
        (lambda g: g.param("m", np.ones(2))[2], "shape", "out of bounds"),
        (lambda g: g.param("a", 1.0)[0], "shape", "index of shape"),
        (lambda g: g.param("m", np.ones(2))[0:1], "argument", "index= takes integers"),
        (lambda g: g.apply("rely", g.param("a", 1.0)), "argument", "did you mean 'relu'"),
        (lambda g: g.apply("mul", g.param("a", 1.0)), "argument", "mul takes 2 operands, not 1"),
        (lambda g: g.apply("exp", g.param("a", 1.0), 2.0), "argument", "takes 1 operand, not 2"),
        (lambda g: bpstep.exp(1.0), "graph", "without a node"),
        (lambda g: g.param("a", 1.0) + Graph().param("b", 1.0), "argument", "another graph"),
        (lambda g: g.param("a", "2"), "argument", "a number or a tensor, not '2'"),
        (lambda g: g.param("a", None), "argument", "a number or a tensor, not None"),
        (lambda g: g.param("a", [1.0, None]), "argument", "a number or a tensor"),
        (lambda g: g.param("a", 10**400), "argument", "a number or a tensor"),
        (lambda g: g.param("a", 1j), "argument", "a number or a tensor"),
        (lambda g: g.param("a", [[1.0], [1.0, 2.0]]), "argument", "a number or a tensor"),
        (lambda g: (g.param("a", 1.0), g.input("a", 2.0)), "name", "the name 'a' is taken"),
        (lambda g: g.name("b", g.param("a", 1.0)), "name", "is called 'a' already"),
        (lambda g: g.param("", 1.0), "name", "cannot be empty"),
        (lambda g: g.name("b", Graph().param("a", 1.0)), "argument", "another graph"),
        (lambda g: g.find("w"), "unknown-name", "no node is called 'w'"),
        (lambda g: (g.param("weight", 1.0), g.find("wieght")), "unknown-name", "mean 'weight'"),
        (lambda g: g.find(0), "unknown-name", "no node has the number 0"),
        (lambda g: g.find(Graph().param("a", 1.0)), "argument", "another graph"),
        (lambda g: Graph("float16"), "argument", "float64 or float32"),
        (lambda g: g.param("a", np.ones((9000, 1))) * np.ones(9000), "too-large", "81000000"),
        (lambda g: bpstep.backward(g.param("a", [1.0])), "loss-not-scalar", r"shape \(1,\)"),
        (lambda g: bpstep.backward(g.constant("a", 1.0)), "no-gradient", "no leaf with a gradient"),
    ],
)
def test_mistakes(build: Callable[[Graph], Any], code: str, message: str) -> None:
    with pytest.raises(GraphError, match=message) as caught:
        build(Graph())
    assert caught.value.code == code


def test_a_mistake_records_nothing() -> None:
    graph, _ = letters("a")
    for mistake in (lambda: graph.param("a", 1.0), lambda: graph.param("b", None)):
        with pytest.raises(GraphError):
            mistake()
    assert len(graph) == 1


def test_a_node_has_no_truth_and_no_items_to_iterate() -> None:
    _, (a,) = letters("a", value=[1.0, 2.0])
    with pytest.raises(TypeError, match=r"use bpstep\.where"):
        bool(a < 1)
    with pytest.raises(TypeError, match="not iterable"):
        list(a)  # type: ignore[call-overload]


def test_axis_none_means_all_of_them() -> None:
    _, (m,) = letters("m", value=[[1.0, 2.0], [3.0, 4.0]])
    flat = bpstep.reshape(m, (4,))
    for function in (bpstep.softmax, bpstep.log_softmax):
        np.testing.assert_array_equal(function(m, axis=None).value.ravel(), function(flat).value)
    whole = bpstep.logsumexp(m, axis=None)
    assert whole.value == bpstep.logsumexp(flat).value
    ledger = bpstep.backward(whole)
    np.testing.assert_allclose(ledger.grad(m), bpstep.softmax(m, axis=None).value, rtol=1e-14)


def test_a_number_has_one_axis_that_changes_nothing() -> None:
    for name in ("sum", "mean", "prod", "max", "min", "logsumexp"):
        _, (a,) = letters("a")
        node = a.graph.apply(name, a, axis=0)
        assert (node.value, bpstep.backward(node).grad("a")) == (2.0, 1.0)


def test_reserved_names() -> None:
    assert {"relu", "detach", "matmul", "start", "end", "op", "if", "nonfinite", "all", "none"} <= (
        RESERVED
    )
    assert not {"index", "lt", "identity"} & RESERVED
    assert {row.name for row in OPERATIONS.values() if row.callable} <= RESERVED


def test_log_softmax_keeps_the_digits_of_large_logits() -> None:
    g = bpstep.Graph()
    found = bpstep.log_softmax(g.param("z", [1e9, 1e9 - 1, -np.inf])).value
    rest = np.log1p(np.exp(-1.0))
    np.testing.assert_allclose(found, [-rest, -1 - rest, -np.inf], rtol=1e-15)
    infinite = bpstep.log_softmax(g.param("y", [np.inf, 0.0])).value
    np.testing.assert_array_equal(infinite, [np.nan, np.nan])  # inf − inf, as in frameworks
