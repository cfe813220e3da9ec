"""The program: its statements read, and checked against what will have run before them."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field

import numpy as np

from bpstep.engine.arithmetic import Value
from bpstep.engine.errors import GraphError, nearest
from bpstep.engine.program import (
    DEFAULT_PROGRAM,
    Backward,
    ClipNorm,
    ClipValue,
    Environment,
    Forward,
    Mutate,
    Set,
    Statement,
    Step,
    ZeroGrad,
)
from bpstep.engine.reverse import check_output
from bpstep.scenario.expressions import Found, canonical, evaluate
from bpstep.scenario.known import Known, items
from bpstep.scenario.locate import Scalar, Tree
from bpstep.scenario.names import unknown
from bpstep.scenario.parser import parse
from bpstep.scenario.problems import Problems, quoted
from bpstep.scenario.scalars import resolve
from bpstep.scenario.snippets import Snippet
from bpstep.scenario.syntax import Call, Expr, Name, postorder
from bpstep.scenario.tensors import is_number
from bpstep.scenario.tokens import ExpressionError

_ASSIGNMENT = re.compile(r"(?P<name>[^=]*?)\s*=(?!=)\s*(?P<expression>.*)", re.DOTALL)
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


@dataclass
class _Reader:
    """Reads statements in order, and remembers what has run so far."""

    known: Known
    loss: str | None
    dtype: str
    problems: Problems
    forwards: int = 0
    backwards: int = 0
    read: list[Statement] = field(default_factory=list)

    def statement(self, tree: Scalar) -> None:
        text = Snippet(tree, str(tree.value), {})
        match = re.match(r"\s*(\S*)\s*", text.text)
        word, offset = (match[1], match.end()) if match else ("", 0)
        action = _ACTIONS.get(word)
        if action is None:
            self.problems.add(
                text.span(0, len(text.text)),
                f"there is no statement {quoted(word)}",
                expected=", ".join(_ACTIONS),
                suggestion=nearest(word, _ACTIONS),
            )
            return
        statement = action(self, text, offset)
        if statement is not None:
            self.read.append(statement)

    def bare(self, text: Snippet, offset: int, made: Statement) -> Statement | None:
        if text.text[offset:].strip():
            span = text.span(offset, len(text.text))
            self.problems.add(span, "nothing follows here", expected=made.text)
        return made

    def forward(self, text: Snippet, offset: int) -> Statement | None:
        self.forwards += 1
        return self.bare(text, offset, Forward())

    def zero_grad(self, text: Snippet, offset: int) -> Statement | None:
        return self.bare(text, offset, ZeroGrad())

    def backward(self, text: Snippet, offset: int) -> Statement | None:
        self.after_forward(text, "backward")
        self.backwards += 1
        name = text.text[offset:].strip() or None
        span = text.span(offset if name else 0, len(text.text))
        if name is None or self.known.check_node(span, name, self.problems):
            self.check_output(text, span, name or self.loss)
        return Backward(name)

    def check_output(self, text: Snippet, span: object, name: str | None) -> None:
        index = self.known.index(name) if name else None
        if index is None or name == self.loss:
            return  # the loss is checked where it is named
        try:
            check_output(self.known.graph, index)
        except GraphError as error:
            self.problems.add(text.span(0, len(text.text)), f"{error.code}: {error}")

    def number(
        self, text: Snippet, offset: int, make: Callable[[float], Statement], least: float
    ) -> Statement | None:
        value = resolve(text.text[offset:].strip())
        if not is_number(value) or float(value) < least:  # type: ignore[arg-type]
            what = "a number" if least < 0 else "a number, not negative"
            self.problems.add(
                text.span(offset, len(text.text)),
                f"found {quoted(text.text[offset:].strip())}",
                expected=f"{what}, {make(0.5).text}",
            )
            return None
        return make(float(value))  # type: ignore[arg-type]

    def step(self, text: Snippet, offset: int) -> Statement | None:
        self.after_forward(text, "step")
        return self.number(text, offset, Step, -np.inf)

    def clip_norm(self, text: Snippet, offset: int) -> Statement | None:
        self.after_forward(text, "clip_norm")
        return self.number(text, offset, ClipNorm, 0.0)

    def clip_value(self, text: Snippet, offset: int) -> Statement | None:
        self.after_forward(text, "clip_value")
        return self.number(text, offset, ClipValue, 0.0)

    def set(self, text: Snippet, offset: int) -> Statement | None:
        return self.assignment(text, offset, Set)

    def mutate(self, text: Snippet, offset: int) -> Statement | None:
        self.after_forward(text, "mutate")
        return self.assignment(text, offset, Mutate)

    def assignment(
        self, text: Snippet, offset: int, make: type[Set] | type[Mutate]
    ) -> Statement | None:
        match = _ASSIGNMENT.fullmatch(text.text, offset)
        if match is None:
            example = f"{make.__name__.lower()} NAME = EXPRESSION"
            span = text.span(0, len(text.text))
            self.problems.add(span, "this is no assignment", expected=example)
            return None
        name, span = match["name"], text.span(match.start("name"), match.end("name"))
        check = self.known.check_leaf if make is Set else self.known.check_node
        legal = check(span, name, self.problems)
        expr = self.expression(text, match.start("expression"))
        if expr is None or not legal:
            return None
        formula = Formula(expr, self.dtype)
        self.try_out(text, match.start("expression"), name, formula)
        return make(name, match["expression"].strip(), formula)

    def expression(self, text: Snippet, start: int) -> Expr | None:
        """The tree of the rest of a statement, its names checked."""
        try:
            expr = parse(text.text[start:])
            good = [self.is_legal(node, text, start) for node in postorder(expr, _is_hook)]
        except ExpressionError as error:
            _shifted(error, start, text, self.problems)
            return None
        return expr if all(good) else None

    def is_legal(self, node: Expr, text: Snippet, start: int) -> bool:
        span = text.span(start + node.start, start + node.end)
        if isinstance(node, Name):
            known = self.known.nodes if self.forwards else self.known.leaves
            if node.id not in known:
                what = "node" if self.forwards else "leaf (and nothing has been recorded yet)"
                unknown(span, node.id, known, self.problems, what=what)
            return node.id in known
        if _is_hook(node) and isinstance(node, Call):
            return self.is_gradient(node, text, start)
        return True

    def is_gradient(self, call: Call, text: Snippet, start: int) -> bool:
        span = text.span(start + call.start, start + call.end)
        if len(call.arguments) != 1 or call.keywords:
            self.problems.add(span, "grad takes one node", expected="grad(NAME)")
            return False
        if not self.backwards:
            self.problems.add(
                span, "no gradient is there yet", expected="a backward before this statement"
            )
            return False
        argument = call.arguments[0]
        at = text.span(start + argument.start, start + argument.end)
        return self.known.check_node(at, node_name(argument), self.problems)

    def try_out(self, text: Snippet, start: int, name: str, formula: Formula) -> None:
        """Evaluates with the first values and gradients of zero: shapes must fit."""
        if not self.known.complete:
            return
        try:
            value = formula(_FirstValues(self.known))
        except ExpressionError as error:
            _shifted(error, start, text, self.problems)
            return
        shape, wanted = np.shape(value), self.known.shape(name)
        if shape != wanted:
            self.problems.add(
                text.span(start, len(text.text)),
                f"a value of shape {shape}",
                expected=f"shape {wanted}, which {name} has",
            )

    def after_forward(self, text: Snippet, what: str) -> None:
        if not self.forwards:
            span = text.span(0, len(text.text))
            self.problems.add(
                span, f"{what} before anything is recorded", expected="forward before it"
            )


_ACTIONS: Mapping[str, Callable[[_Reader, Snippet, int], Statement | None]] = {
    "forward": _Reader.forward,
    "backward": _Reader.backward,
    "zero_grad": _Reader.zero_grad,
    "set": _Reader.set,
    "mutate": _Reader.mutate,
    "clip_norm": _Reader.clip_norm,
    "clip_value": _Reader.clip_value,
    "step": _Reader.step,
}


class _FirstValues:
    """Stands in for a running program: the first values, and gradients of zero."""

    def __init__(self, known: Known) -> None:
        self._graph = known.graph

    def value(self, name: str) -> Value:
        return self._graph.values[self._graph.find(name)]

    def grad(self, name: str) -> Value | None:
        shape = self._graph.shape(self._graph.find(name))
        return np.zeros(shape) if shape else 0.0


def read_program(
    tree: Tree | None, known: Known, loss: str | None, dtype: str, problems: Problems
) -> tuple[Statement, ...]:
    """The statements in order; a file without a program has the default one."""
    if tree is None:
        return DEFAULT_PROGRAM
    reader = _Reader(known, loss, dtype, problems)
    for item in items(tree):
        if isinstance(item, Scalar):
            reader.statement(item)
    if not reader.forwards and items(tree):
        problems.add(tree.span, "a program that records nothing", expected="a forward in it")
    return tuple(reader.read)


def _is_hook(node: Expr) -> bool:
    return isinstance(node, Call) and node.function in HOOKS


def _shifted(error: ExpressionError, start: int, text: Snippet, problems: Problems) -> None:
    """Notes an error in an expression that begins somewhere inside a text."""
    span = text.span(start + error.start, start + error.end)
    problems.add(span, str(error), suggestion=error.suggestion)
