"""The one expression language: a Pratt parser, never Python's eval.

Source of the method: V. Pratt, "Top down operator precedence", POPL 1973.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import NoReturn

from bpstep.scenario.syntax import (
    Binary,
    Call,
    Expr,
    Index,
    Keyword,
    Name,
    Number,
    Shape,
    Text,
    Unary,
    Word,
)
from bpstep.scenario.tokens import ExpressionError, Token, tokenize

MAX_DEPTH = 100

WORDS: dict[str, bool | None] = {
    "true": True,
    "false": False,
    "none": None,
    "True": True,
    "False": False,
    "None": None,
}
LOGIC = ("and", "or", "not")
_COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")

# How strongly a sign holds what stands to its left; ** takes its right side first.
_BINDING = {
    "or": 1,
    "and": 2,
    **dict.fromkeys(_COMPARISONS, 4),
    **dict.fromkeys("+-", 10),
    **dict.fromkeys("*/@", 20),
    "**": 40,
    "(": 50,
    "[": 50,
}
_NOT, _MINUS = 3, 30


def parse(text: str, *, conditions: bool = False) -> Expr:
    """The tree of an expression.

    With conditions, `and or not` and quoted texts belong to the language too. Raises
    ExpressionError with the characters at fault.
    """
    return _Parser(tokenize(text), conditions).whole()


class _Parser:
    """One pass over the tokens; one use."""

    def __init__(self, tokens: list[Token], conditions: bool) -> None:
        self._tokens = tokens
        self._at = 0
        self._depth = 0
        self._conditions = conditions

    def whole(self) -> Expr:
        if len(self._tokens) == 1:
            self._fail("an empty expression")
        expr = self._expression(0)
        if self._next.kind != "end":
            self._fail(f"unexpected {self._next}", self._instead())
        return expr

    @property
    def _next(self) -> Token:
        return self._tokens[self._at]

    def _take(self) -> Token:
        token = self._next
        self._at += 1
        return token

    def _accept(self, sign: str) -> bool:
        found = self._next.kind == "sign" and self._next.text == sign
        self._at += found
        return found

    def _expect(self, sign: str, opened: Token) -> Token:
        if self._next.kind != "sign" or self._next.text != sign:
            self._fail(f"expected '{sign}' for the '{opened.text}', found {self._next}")
        return self._take()

    def _fail(self, message: str, suggestion: str | None = None) -> NoReturn:
        token = self._next
        raise ExpressionError(message, token.start, max(token.end, token.start + 1), suggestion)

    def _instead(self) -> str | None:
        """What could be meant by the next token, which cannot stand here."""
        if self._next.text == "=":
            return "=="
        return self._logic_hint()

    def _logic_hint(self) -> str | None:
        hints = {"and": "*", "or": "maximum(a, b)", "not": "1 - x"}
        return None if self._conditions else hints.get(self._next.text)

    def _binding(self) -> int:
        token = self._next
        is_logic = self._conditions and token.kind == "name" and token.text in ("and", "or")
        return _BINDING.get(token.text, 0) if token.kind == "sign" or is_logic else 0

    def _expression(self, least: int) -> Expr:
        """Reads on as long as signs bind more strongly than least."""
        self._depth += 1
        if self._depth > MAX_DEPTH:
            self._fail(f"nesting deeper than {MAX_DEPTH}")
        left = self._operand()
        while (binding := self._binding()) > least:
            left = self._continued(left, binding)
        self._depth -= 1
        return left

    def _operand(self) -> Expr:
        token = self._next
        read = _OPERANDS.get(token.text if token.kind == "sign" else token.kind)
        if read is None or (token.kind == "text" and not self._conditions):
            self._fail(f"expected a number, a name or '(', found {token}")
        return read(self, self._take())

    def _name(self, token: Token) -> Expr:
        if token.text in WORDS:
            return Word(token.start, token.end, WORDS[token.text])
        if token.text in LOGIC:
            return self._logic(token)
        return Name(token.start, token.end, token.text)

    def _logic(self, token: Token) -> Expr:
        if token.text != "not" or not self._conditions:
            self._at -= 1
            self._fail(f"unexpected {token}", self._logic_hint())
        operand = self._expression(_NOT)
        return Unary(token.start, operand.end, "not", operand)

    def _minus(self, token: Token) -> Expr:
        operand = self._expression(_MINUS)
        if isinstance(operand, Number):
            return Number(token.start, operand.end, -operand.value)
        return Unary(token.start, operand.end, "-", operand)

    def _parenthesis(self, opened: Token) -> Expr:
        if self._accept(")"):
            return Shape(opened.start, self._tokens[self._at - 1].end, ())
        items = [self._expression(0)]
        comma = False
        while self._accept(","):
            comma = True
            if self._next.text == ")":
                break
            items.append(self._expression(0))
        closed = self._expect(")", opened)
        if comma:
            sizes = tuple(_integer(item, "a shape") for item in items)
            return Shape(opened.start, closed.end, sizes)
        return replace(items[0], start=opened.start, end=closed.end)

    def _continued(self, left: Expr, binding: int) -> Expr:
        sign = self._take()
        if sign.text == "(":
            return self._call(left, sign)
        if sign.text == "[":
            return self._index(left, sign)
        right = self._expression(binding - 1 if sign.text == "**" else binding)
        if binding == _BINDING["<"] and self._binding() == binding:
            self._fail(
                "comparisons do not chain", "a < b and b < c" if self._conditions else "(a < b)*…"
            )
        return Binary(left.start, right.end, sign.text, left, right)

    def _call(self, function: Expr, opened: Token) -> Expr:
        if not isinstance(function, Name):
            raise ExpressionError("only an operation can be called", function.start, function.end)
        arguments: list[Expr] = []
        keywords: list[Keyword] = []
        while not self._accept(")"):
            self._argument(arguments, keywords)
            if not self._accept(","):
                self._expect(")", opened)
                break
        end = self._tokens[self._at - 1].end
        return Call(function.start, end, function.id, tuple(arguments), tuple(keywords))

    def _argument(self, arguments: list[Expr], keywords: list[Keyword]) -> None:
        name = self._next
        if name.kind == "name" and self._tokens[self._at + 1].text == "=":
            self._at += 2
            value = self._expression(0)
            if any(keyword.name == name.text for keyword in keywords):
                raise ExpressionError(f"{name} is given twice", name.start, name.end)
            keywords.append(Keyword(name.start, value.end, name.text, value))
            return
        if keywords:
            self._fail("an argument without a name after one with a name")
        arguments.append(self._expression(0))

    def _index(self, operand: Expr, opened: Token) -> Expr:
        indices = [_integer(self._expression(0), "an index")]
        while self._accept(","):
            indices.append(_integer(self._expression(0), "an index"))
        closed = self._expect("]", opened)
        return Index(operand.start, closed.end, operand, tuple(indices))


_OPERANDS: dict[str, Callable[[_Parser, Token], Expr]] = {
    "number": lambda parser, t: Number(t.start, t.end, _number(t.text)),
    "text": lambda parser, t: Text(t.start, t.end, t.text[1:-1]),
    "name": _Parser._name,
    "(": _Parser._parenthesis,
    "-": _Parser._minus,
    "+": lambda parser, t: parser._expression(_MINUS),
}
"""How an operand goes on that begins with a token of this kind, or with this sign."""


def _number(text: str) -> float:
    return float(text.replace(".", "") if text.startswith((".i", ".I", ".n", ".N")) else text)


def _integer(expr: Expr, what: str) -> int:
    if isinstance(expr, Number) and math.isfinite(expr.value) and expr.value == int(expr.value):
        return int(expr.value)
    raise ExpressionError(f"{what} is made of integers", expr.start, expr.end)
