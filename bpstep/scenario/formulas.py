"""Expressions in statements: checked when a file is loaded, evaluated while a program runs."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from bpstep.engine.arithmetic import Value
from bpstep.engine.errors import GraphError
from bpstep.engine.program import Environment
from bpstep.scenario.expressions import Found, canonical, evaluate
from bpstep.scenario.known import Known
from bpstep.scenario.names import unknown
from bpstep.scenario.parser import parse
from bpstep.scenario.problems import Problems
from bpstep.scenario.snippets import Snippet
from bpstep.scenario.source import Span
from bpstep.scenario.syntax import Call, Expr, Name, postorder
from bpstep.scenario.tokens import ExpressionError

HOOKS = ("grad",)


class _Scope:
    """The names in an expression of `set` or `mutate`, looked up in a running program."""

    functions: Collection[str] = HOOKS

    def __init__(self, environment: Environment) -> None:
        self._environment = environment

    def value(self, name: str) -> Found:
        return self._environment.value(name)

    def call(self, function: str, arguments: tuple[Expr, ...]) -> Found:
        name = node_name(arguments[0])
        found = self._environment.grad(name)
        if found is None:
            raise GraphError(f"no gradient has arrived at '{name}'", "no-gradient")
        return found


@dataclass(frozen=True, eq=False)
class Formula:
    """An expression of a statement, ready to be evaluated in a running program."""

    expr: Expr
    dtype: str

    def __call__(self, environment: Environment) -> Value:
        """The value; raises ExpressionError where it cannot be evaluated."""
        found = evaluate(self.expr, _Scope(environment), self.dtype)
        if found is None or isinstance(found, str):
            raise ExpressionError("this is no number", self.expr.start, self.expr.end)
        return found


def node_name(argument: Expr) -> str:
    """The node that an argument of grad names: `p`, or an inner operation, `e**2`."""
    return argument.id if isinstance(argument, Name) else f"({canonical(argument)})"


class _FirstValues:
    """Stands in for a running program: the first values, and gradients of zero."""

    def __init__(self, known: Known) -> None:
        self._graph = known.graph

    def value(self, name: str) -> Value:
        return self._graph.values[self._graph.find(name)]

    def grad(self, name: str) -> Value | None:
        shape = self._graph.shape(self._graph.find(name))
        return np.zeros(shape) if shape else 0.0


@dataclass(frozen=True, eq=False)
class FormulaReader:
    """Reads the expression of one statement; recorded and passed say what has run before it.

    text is the statement, and start where its expression begins.
    """

    text: Snippet
    start: int
    known: Known
    recorded: bool
    passed: bool
    problems: Problems

    def formula(self, dtype: str, name: str) -> Formula | None:
        """The expression as a formula for a node's value; None (and problems) where it is none."""
        try:
            expr = parse(self.text.text[self.start :])
            good = [self._is_legal(node) for node in postorder(expr, _is_hook)]
            if not all(good):
                return None
            formula = Formula(expr, dtype)
            self._try_out(formula, name)
        except ExpressionError as error:
            span = self._span(error.start, error.end)
            self.problems.add(span, str(error), suggestion=error.suggestion)
            return None
        return formula

    def _span(self, start: int, end: int) -> Span:
        return self.text.span(self.start + start, self.start + end)

    def _is_legal(self, node: Expr) -> bool:
        span = self._span(node.start, node.end)
        if isinstance(node, Name):
            known = self.known.nodes if self.recorded else self.known.leaves
            if node.id not in known:
                what = "node" if self.recorded else "leaf (and nothing is recorded yet)"
                unknown(span, node.id, known, self.problems, what=what)
            return node.id in known
        if isinstance(node, Call) and _is_hook(node):
            return self._is_gradient(node, span)
        return True

    def _is_gradient(self, call: Call, span: Span) -> bool:
        if len(call.arguments) != 1 or call.keywords:
            self.problems.add(span, "grad takes one node", expected="grad(NAME)")
            return False
        if not self.passed:
            expected = "a backward before this statement"
            self.problems.add(span, "no gradient is there yet", expected=expected)
            return False
        argument = call.arguments[0]
        place = self._span(argument.start, argument.end)
        return self.known.check_node(place, node_name(argument), self.problems)

    def _try_out(self, formula: Formula, name: str) -> None:
        """Evaluates with the first values, and gradients of zero: the shapes must fit."""
        if not self.known.complete:
            return
        shape, wanted = np.shape(formula(_FirstValues(self.known))), self.known.shape(name)
        if wanted is not None and shape != wanted:
            span = self._span(0, len(self.text.text) - self.start)
            expected = f"shape {wanted}, which {name} has"
            self.problems.add(span, f"a value of shape {shape}", expected=expected)


def _is_hook(node: Expr) -> bool:
    return isinstance(node, Call) and node.function in HOOKS
