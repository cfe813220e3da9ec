"""The tree of an expression: frozen nodes, each with the characters it takes in the text."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class _Spanned:
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Number(_Spanned):
    """A number as written; a minus directly before it belongs to it."""

    value: float


@dataclass(frozen=True, slots=True)
class Name(_Spanned):
    """A node's name, or in a condition a quantity's."""

    id: str


@dataclass(frozen=True, slots=True)
class Word(_Spanned):
    """true, false or none (a keyword's value, and in conditions a value)."""

    value: bool | None


@dataclass(frozen=True, slots=True)
class Text(_Spanned):
    """A quoted text; conditions only."""

    value: str


@dataclass(frozen=True, slots=True)
class Unary(_Spanned):
    """- or not."""

    symbol: str
    operand: Expr


@dataclass(frozen=True, slots=True)
class Binary(_Spanned):
    """An arithmetic operation, a comparison, or in conditions and / or."""

    symbol: str
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Keyword(_Spanned):
    """name=value in a call."""

    name: str
    value: Expr


@dataclass(frozen=True, slots=True)
class Call(_Spanned):
    """function(arguments, keywords)."""

    function: str
    arguments: tuple[Expr, ...]
    keywords: tuple[Keyword, ...]


@dataclass(frozen=True, slots=True)
class Index(_Spanned):
    """operand[indices]; the indices are integers."""

    operand: Expr
    indices: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Shape(_Spanned):
    """(2, 3): a keyword's value, of integers."""

    items: tuple[int, ...]


Expr = Number | Name | Word | Text | Unary | Binary | Call | Index | Shape


def children(expr: Expr) -> tuple[Expr, ...]:
    """The operands of a node, left to right; a keyword's value is not an operand."""
    parts = _PARTS.get(type(expr))
    return parts(expr) if parts else ()


# A table: for every name in a large file this is asked several times.
_PARTS: dict[type, Callable[[Any], tuple[Expr, ...]]] = {
    Unary: lambda expr: (expr.operand,),
    Index: lambda expr: (expr.operand,),
    Binary: lambda expr: (expr.left, expr.right),
    Call: lambda expr: expr.arguments,
}


def postorder(expr: Expr, closed: Callable[[Expr], bool] = lambda node: False) -> Iterator[Expr]:
    """Every node, operands before what uses them, left to right; without recursion.

    What stands inside a node for which closed is true is left out.
    """
    stack: list[tuple[Expr, bool]] = [(expr, False)]
    while stack:
        node, opened = stack.pop()
        parts = () if opened or closed(node) else children(node)
        if parts:
            stack.append((node, True))
            stack.extend([(part, False) for part in reversed(parts)])
        else:
            yield node


def fold(
    expr: Expr,
    combine: Callable[[Expr, Sequence[T]], T],
    closed: Callable[[Expr], bool] = lambda node: False,
) -> T:
    """One result for the whole tree, made by combining each node with its operands' results."""
    results: list[T] = []
    stack: list[tuple[Expr, int | None]] = [(expr, None)]
    while stack:
        node, count = stack.pop()
        if count is None:
            parts = () if closed(node) else children(node)
            if parts:
                stack.append((node, len(parts)))
                stack.extend([(part, None) for part in reversed(parts)])
                continue
            count = 0
        operands = results[len(results) - count :]
        del results[len(results) - count :]
        results.append(combine(node, operands))
    return results[0]


def names(expr: Expr) -> tuple[Name, ...]:
    """Every use of a name as an operand, left to right."""
    return tuple(node for node in postorder(expr) if isinstance(node, Name))
