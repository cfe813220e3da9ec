"""The expression language of scenarios and of the debugger: reading, naming and evaluating.

`parse` gives a tree whose nodes know their characters, `canonical` its shortest text (which
names inner operations), and `evaluate` its value, forward only.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, Protocol, cast

import numpy as np

from bpstep.engine.arithmetic import Value
from bpstep.engine.errors import GraphError
from bpstep.engine.formula import Part, compact, number
from bpstep.engine.operation import evaluate as apply
from bpstep.engine.operation import rounded
from bpstep.scenario.binding import Application, bind
from bpstep.scenario.parser import LOGIC, WORDS, parse
from bpstep.scenario.syntax import (
    Binary,
    Call,
    Expr,
    Index,
    Name,
    Number,
    Shape,
    Text,
    Unary,
    Word,
    children,
    fold,
    names,
    postorder,
)
from bpstep.scenario.tokens import ExpressionError, is_name

Found = Value | str | None


class NothingThereError(ExpressionError):
    """Arithmetic with a value that a scope does not have, such as a gradient before it arrives."""

    code = "nothing-there"


class Scope(Protocol):
    """What the names in an expression mean where it is evaluated."""

    functions: Collection[str]
    """Functions that are no operations, such as `grad`; their arguments are not evaluated."""

    def value(self, name: str) -> Found:
        """A name's value (None: nothing is there); raises BpstepError for an unknown one."""

    def call(self, function: str, arguments: tuple[Expr, ...]) -> Found:
        """The value of a call of one of `functions`."""


def evaluate(expr: Expr, scope: Scope, dtype: str = "float64") -> Found:
    """The value of an expression, as a float, an array, a text or None.

    Forward only, in the graph's number type. `and`, `or` and `not` give 1 or 0, and of a tensor
    any element that is not 0 makes it true. A comparison with what is not there (None) is false.
    Raises ExpressionError with the characters at fault.
    """
    evaluator = _Evaluator(scope, np.dtype(dtype))
    return fold(expr, evaluator.combine, evaluator.is_hook)


def truth(value: Found) -> bool:
    """Whether a condition's value counts as true: for a tensor, any element but 0 suffices."""
    if value is None or isinstance(value, str):
        return bool(value)
    return bool(np.any(np.asarray(value) != 0))


def canonical(expr: Expr) -> str:
    """The shortest text: no spaces, only the parentheses needed, shortest numbers (`e**2`)."""
    return fold(expr, _part).text


def _part(expr: Expr, parts: Sequence[Part]) -> Part:
    match expr:
        case Number(value=value):
            return number(value)
        case Name(id=name):
            return Part(name)
        case Word(value=word):
            return Part("none" if word is None else str(word).lower())
        case Text(value=text):
            return Part(repr(text))
        case Shape(items=items):
            return Part(str(items).replace(" ", ""))
        case Unary(symbol="not"):
            return Part(f"not {_enclosed(parts[0], _LOGIC['not'])}", _LOGIC["not"])
        case Binary(symbol="and" | "or" as symbol):
            binding = _LOGIC[symbol]
            left, right = (_enclosed(part, binding) for part in parts)
            return Part(f"{left} {symbol} {right}", binding)
        case _:
            return canonical_part(bind(expr), parts)


# Logic binds less than everything that the engine's formulas know.
_LOGIC = {"or": -3, "and": -2, "not": -1}


def _enclosed(part: Part, binding: int) -> str:
    return f"({part.text})" if part.binding < binding else part.text


def canonical_part(application: Application, parts: Sequence[Part]) -> Part:
    """The canonical text of one operation on operands whose texts are known."""
    operation = application.operation
    given = operation.given(application.keywords)
    return compact(operation.name, parts[: len(application.operands)], given)


class _Evaluator:
    """Combines values; knows the scope and the number type."""

    def __init__(self, scope: Scope, dtype: np.dtype[Any]) -> None:
        self._scope = scope
        self._dtype = dtype

    def is_hook(self, expr: Expr) -> bool:
        """Whether the scope, not the table of operations, says what a call means."""
        return isinstance(expr, Call) and expr.function in self._scope.functions

    def combine(self, expr: Expr, operands: Sequence[Found]) -> Found:
        try:
            return self._combine(expr, operands)
        except GraphError as error:
            raise ExpressionError(str(error), expr.start, expr.end, code=error.code) from None

    def _combine(self, expr: Expr, operands: Sequence[Found]) -> Found:
        match expr:
            case Number(value=value):
                return rounded(value, self._dtype)
            case Word(value=word):
                return None if word is None else float(word)
            case Text(value=text):
                return text
            case Shape():
                return None
            case Name(id=name):
                return self._scope.value(name)
            case Call() if self.is_hook(expr):
                return self._scope.call(expr.function, expr.arguments)
            case Unary(symbol="not"):
                return float(not truth(operands[0]))
            case Binary(symbol="and"):
                return float(truth(operands[0]) and truth(operands[1]))
            case Binary(symbol="or"):
                return float(truth(operands[0]) or truth(operands[1]))
            case Binary(symbol=symbol) if not all(map(_is_number, operands)) and symbol in _MIXED:
                return _compare_mixed(expr, symbol, operands)
            case _:
                return self._apply(expr, operands)

    def _apply(self, expr: Unary | Binary | Call | Index, operands: Sequence[Found]) -> Found:
        application = bind(expr)
        values = operands[: len(application.operands)]
        for part, value in zip(application.operands, values, strict=True):
            if not _is_number(value):
                if value is None:
                    raise NothingThereError("nothing is there", part.start, part.end)
                raise ExpressionError("a text is no number", part.start, part.end)
        numbers = cast("Sequence[Value]", values)
        return apply(application.operation, numbers, application.keywords, self._dtype)


_MIXED = frozenset({"==", "!=", "<", "<=", ">", ">="})


def _is_number(value: Found) -> bool:
    return not isinstance(value, str) and value is not None


def _compare_mixed(expr: Binary, symbol: str, operands: Sequence[Found]) -> float:
    """Comparisons in which a text or nothing (None) takes part."""
    left, right = operands
    if symbol in ("==", "!="):
        same = _same_kind(left, right) and left == right
        return float(same if symbol == "==" else not same)
    if left is None or right is None:
        return 0.0
    raise ExpressionError(f"'{symbol}' does not compare texts", expr.start, expr.end)


def _same_kind(left: Found, right: Found) -> bool:
    return type(left) is type(right)


__all__ = [
    "LOGIC",
    "WORDS",
    "Expr",
    "ExpressionError",
    "Found",
    "NothingThereError",
    "Scope",
    "canonical",
    "children",
    "evaluate",
    "fold",
    "is_name",
    "names",
    "parse",
    "postorder",
    "truth",
]
