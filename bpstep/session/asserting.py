"""Assertions: whether a condition holds, with both sides of its comparisons."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bpstep.scenario.expressions import Expr, Found
from bpstep.scenario.syntax import Binary, Unary
from bpstep.session import parsing
from bpstep.session.reports import Asserted, Side
from bpstep.session.scope import Scope

if TYPE_CHECKING:
    from bpstep.session.session import Session

COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")


def asserted(session: Session, text: str, offset: int = 0) -> Asserted:
    """Hold a condition against the run at the session's position.

    Of tensors every element must satisfy a comparison; one that needs a gradient which has not
    arrived does not hold. Raises CommandError where the condition cannot be evaluated.
    """
    parsed = parsing.expression(text, offset)
    judge = _Judge(session, text, offset)
    return Asserted(text, judge.holds(parsed), tuple(judge.sides))


class _Judge:
    """Evaluates a condition, keeping the comparisons that it meets."""

    def __init__(self, session: Session, text: str, offset: int) -> None:
        self.session = session
        self.text = text
        self.offset = offset
        self.sides: list[Side] = []

    def holds(self, condition: Expr) -> bool:
        """Whether every element satisfies it; all comparisons are evaluated, in order."""
        match condition:
            case Binary(symbol="and" | "or" as symbol, left=left, right=right):
                both = self.holds(left), self.holds(right)
                return all(both) if symbol == "and" else any(both)
            case Unary(symbol="not", operand=operand):
                return not self.holds(operand)
            case Binary(symbol=symbol) if symbol in COMPARISONS:
                self.sides.append(self._side(condition))
                return self.sides[-1].held
            case _:
                return _every(self._value(condition))

    def _side(self, comparison: Binary) -> Side:
        compared = self._value(comparison)
        return Side(
            text=self.text[comparison.start : comparison.end],
            symbol=comparison.symbol,
            left=self._value(comparison.left),
            right=self._value(comparison.right),
            held=_every(compared),
            failing=_failing(compared),
        )

    def _value(self, expr: Expr) -> Found:
        scope = Scope(self.session.view, self.session.step_in_pass)
        return parsing.value(expr, scope, self.offset)


def _failing(compared: Found) -> tuple[tuple[int, ...], ...]:
    if not isinstance(compared, np.ndarray):
        return ()
    return tuple(tuple(map(int, index)) for index in np.argwhere(compared == 0))


def _every(value: Found) -> bool:
    if value is None or isinstance(value, str):
        return bool(value)
    return bool(np.all(np.asarray(value) != 0))
