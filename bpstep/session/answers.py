"""Answers: an expression, a nested list of them, or ``none``, with the precision it is given in."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import numpy as np

from bpstep.engine.errors import GraphError
from bpstep.scenario.expressions import Expr, ExpressionError, evaluate, parse
from bpstep.scenario.syntax import Word
from bpstep.session import parsing
from bpstep.session.closeness import close
from bpstep.session.errors import CommandError
from bpstep.session.scope import FUNCTIONS, Scope

if TYPE_CHECKING:
    from bpstep.engine.arithmetic import Array, Value
    from bpstep.scenario.expressions import Found
    from bpstep.scenario.model import Tolerance
    from bpstep.session.session import Session

MAX_AXES = 16
FEWEST_DIGITS = 3
"""A decimal number of at least so many significant digits may be rounded."""

COPIED = str.maketrans({"−": "-", "×": "*", "·": "*"})
"""Signs as questions and sentences have them; a translation keeps every character's place."""

_DECIMAL = re.compile(r"[-+]?(?=\d*\.|\d+[eE])\d*\.?\d*(?:[eE][-+]?\d+)?")
_NUMBERS = {"inf": np.inf, "nan": np.nan}


@dataclass(frozen=True, eq=False)
class Given:
    """An answer: ``value`` is None where nothing is said to arrive.

    ``slack`` is half a unit of the last digit of each number that was written out, else 0.
    """

    value: Value | None
    slack: float | Array = 0.0

    def means(self, number: Any, tolerance: Tolerance, dtype: str) -> bool:
        """Whether a number, nested list or array is meant, as exactly as the answer is given."""
        if close(number, self.value, rel=tolerance.rel, abs_=tolerance.abs, dtype=dtype):
            return True
        if number is None or self.value is None or np.shape(number) != np.shape(self.value):
            return False
        with np.errstate(all="ignore"):
            away = np.abs(np.asarray(number, dtype=np.float64) - self.value)
            near = away <= np.maximum(np.asarray(self.slack) * (1 + 1e-9), tolerance.abs)
        return bool(np.all(near | (np.asarray(number) == self.value)))


def right_answer(answer: Any) -> Any:
    """A question's answer as its file has it: a number, an array, None for ``none``, else a text.

    A text that is an expression of numbers, ``1/3``, is its value.
    """
    if isinstance(answer, str):
        return _constant(answer)
    if not isinstance(answer, list):
        return answer
    try:
        return np.array(_each(answer), dtype=np.float64)
    except (ValueError, TypeError):
        return str(answer)


def _each(answer: Any) -> Any:
    return [_each(part) for part in answer] if isinstance(answer, list) else right_answer(answer)


def _constant(text: str) -> Found:
    try:
        return evaluate(parse(text), _Numbers())
    except ExpressionError:
        return text


class _Numbers:
    """No names but those of numbers."""

    functions: Collection[str] = ()

    def value(self, name: str) -> Found:
        if name not in _NUMBERS:
            raise GraphError(f"{name} is no number")
        return _NUMBERS[name]

    def call(self, function: str, arguments: tuple[Expr, ...]) -> Found:
        raise GraphError(f"{function} is no number")


class _Known(Scope):
    """The names of an answer: nodes, their gradients so far, and inf and nan as people say them."""

    functions: Collection[str] = FUNCTIONS

    def value(self, name: str) -> Found:
        if name in _NUMBERS and not self._is_node(name):
            return _NUMBERS[name]
        return super().value(name)


def parse_answer(text: str, session: Session) -> Given:
    """An answer as it is typed at a session's position; raises CommandError for a mistake in it.

    Expressions may use what is known there: values, ``grad(q)``, ``local(q, v)``.
    """
    text = text.translate(COPIED)
    if not text.strip():
        raise CommandError("an answer is a number, such as 16 or 1/3, a list, or none")
    value, slack = _parsed(text, 0, _Known(session.view, session.step_in_pass), depth=0)
    return Given(value, slack)


def _parsed(text: str, offset: int, scope: _Known, depth: int) -> tuple[Any, Any]:
    """The value and the slack of a text that begins at ``offset`` of the answer."""
    inner = text.strip()
    start = offset + text.index(inner)
    if not inner.startswith("["):
        return _number(inner, start, scope), _slack(inner)
    if not _is_list(inner) or depth == MAX_AXES:
        raise CommandError(
            "a list is written [1, 2], one of lists [[1, 2], [3, 4]]",
            start=start,
            end=start + len(inner),
        )
    parts = [_parsed(part, at, scope, depth + 1) for part, at in _items(inner[1:-1], start + 1)]
    values, slacks = zip(*parts, strict=True)
    if any(value is None for value in values) or len(set(map(np.shape, values))) > 1:
        raise CommandError(
            "the parts of a list must be numbers, or lists of the same length",
            start=start,
            end=start + len(inner),
        )
    shape = np.shape(values[0])
    return np.stack(values), np.stack([np.broadcast_to(slack, shape) for slack in slacks])


def _number(text: str, start: int, scope: _Known) -> Value | None:
    parsed = parsing.expression(text, start)
    try:
        value = evaluate(parsed, scope, scope.view.dtype)
    except ExpressionError as error:
        raise parsing.located(error, start) from None
    except GraphError as error:
        raise CommandError(str(error), start=start, end=start + len(text)) from None
    if isinstance(value, str):
        raise CommandError("a text is no number", start=start, end=start + len(text))
    if value is None and not _is_none(parsed):
        said = f"{scope.missing} is not there yet"
        raise CommandError(said, start=start, end=start + len(text))
    return value


def _is_none(parsed: Expr) -> bool:
    return isinstance(parsed, Word) and parsed.value is None


def _slack(text: str) -> float:
    if not _DECIMAL.fullmatch(text):
        return 0.0
    try:
        number = Decimal(text)
    except ArithmeticError:
        return 0.0
    _, digits, exponent = number.as_tuple()
    if len(digits) < FEWEST_DIGITS or not isinstance(exponent, int) or abs(exponent) > 300:
        return 0.0
    return 0.5 * 10.0**exponent


def _is_list(text: str) -> bool:
    """Whether the first bracket is closed by the last character."""
    depth = 0
    for index, character in enumerate(text):
        depth += (character in "([") - (character in ")]")
        if depth <= 0:
            return index == len(text) - 1 and character == "]"
    return False


def _items(text: str, offset: int) -> Iterator[tuple[str, int]]:
    """The parts between commas, and where each begins; a comma inside brackets parts nothing."""
    depth, start = 0, 0
    for index, character in enumerate(f"{text},"):
        depth += (character in "([") - (character in ")]")
        if character == "," and depth == 0:
            yield text[start:index], offset + start
            start = index + 1
