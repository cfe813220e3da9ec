"""Which operation a piece of an expression stands for: symbols, calls and their arguments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bpstep.engine.errors import GraphError, nearest
from bpstep.engine.formula import SYMBOLS
from bpstep.engine.operation import Operation, evaluate
from bpstep.engine.ops import OPERATIONS
from bpstep.scenario.syntax import Binary, Call, Expr, Index, Name, Number, Shape, Unary, Word, fold
from bpstep.scenario.tokens import ExpressionError

_BY_SYMBOL = {symbol: name for name, symbol in SYMBOLS.items()}
_DOUBLE = np.dtype("float64")
# What is meant by a reduction of several operands.
_OF_TWO = {"max": "maximum", "min": "minimum", "sum": "add", "prod": "mul"}
CALLABLE = tuple(name for name, operation in OPERATIONS.items() if operation.callable)


@dataclass(frozen=True, slots=True)
class Application:
    """An operation on operands, with all its keyword arguments in normal form."""

    operation: Operation
    operands: tuple[Expr, ...]
    keywords: dict[str, Any]


def bind(expr: Unary | Binary | Call | Index) -> Application:
    """The operation that an inner node of an expression applies.

    Raises ExpressionError for an unknown operation, operands or arguments it does not take.
    """
    match expr:
        case Call():
            return _call(expr)
        case Index():
            operation = OPERATIONS["index"]
            return Application(operation, (expr.operand,), operation.bind({"index": expr.indices}))
        case Unary():
            return Application(OPERATIONS["neg"], (_operand(expr.operand),), {})
        case Binary():
            operands = (_operand(expr.left), _operand(expr.right))
            return Application(OPERATIONS[_BY_SYMBOL[expr.symbol]], operands, {})


def _call(call: Call) -> Application:
    operation = OPERATIONS.get(call.function)
    if operation is None or not operation.callable:
        name_end = call.start + len(call.function)
        raise ExpressionError(
            f"there is no operation '{call.function}'",
            call.start,
            name_end,
            nearest(call.function, CALLABLE),
        )
    count = len(call.arguments) if operation.most is None else operation.most
    operands = tuple(_operand(argument) for argument in call.arguments[:count])
    given = _keywords(call, operation, call.arguments[count:])
    try:
        operation.check_arity(len(operands))
        return Application(operation, operands, operation.bind(given))
    except GraphError as error:
        raise ExpressionError(str(error), call.start, call.end) from None


def _keywords(call: Call, operation: Operation, positional: Sequence[Expr]) -> dict[str, Any]:
    """The arguments that are not operands, by name; those without one follow the table's order."""
    legal = [keyword.name for keyword in operation.keywords]
    if len(positional) > len(legal):
        extra = positional[len(legal)]
        most = (operation.most or 0) + len(legal)
        message = f"{operation.name} takes {most} argument{'s' if most > 1 else ''} at most"
        raise ExpressionError(message, extra.start, extra.end)
    if positional and operation.name in _OF_TWO and isinstance(positional[0], Name):
        raise ExpressionError(
            f"{operation.name} is over the elements of one operand",
            call.start,
            call.end,
            f"{_OF_TWO[operation.name]}(a, b)",
        )
    given = {name: constant(value) for name, value in zip(legal, positional, strict=False)}
    for keyword in call.keywords:
        name_end = keyword.start + len(keyword.name)
        if keyword.name not in legal:
            takes = f"it takes {', '.join(legal)}" if legal else "it takes none"
            raise ExpressionError(
                f"{operation.name} has no argument '{keyword.name}'; {takes}",
                keyword.start,
                name_end,
                nearest(keyword.name, legal),
            )
        if keyword.name in given:
            raise ExpressionError(f"{keyword.name} is given twice", keyword.start, name_end)
        given[keyword.name] = constant(keyword.value)
    return given


def _operand(expr: Expr) -> Expr:
    if isinstance(expr, Word):
        raise ExpressionError("true, false and none are no numbers", expr.start, expr.end)
    if isinstance(expr, Shape):
        raise ExpressionError("a shape is no number", expr.start, expr.end)
    return expr


def constant(expr: Expr) -> Any:
    """The value of an argument that must be known before the run: no node may stand in it."""
    return fold(expr, _constant)


def _constant(expr: Expr, operands: Sequence[Any]) -> Any:
    match expr:
        case Number(value=value):
            return int(value) if value.is_integer() else value
        case Word(value=word):
            return word
        case Shape(items=items):
            return items
        case Unary() | Binary() if all(isinstance(value, (int, float)) for value in operands):
            operation = bind(expr).operation
            return evaluate(operation, [float(value) for value in operands], {}, _DOUBLE)
        case _:
            raise ExpressionError(
                "this argument is a number, a truth value or a shape", expr.start, expr.end
            )
