"""Which smooth piece of an operation an evaluation lies on, and whether it sits between two.

Like rules, these functions say by their parameters' names what they read: ``a b c`` the operands,
``y`` the result, ``moves`` which operands can change at all, ``axes`` the axes that the operation
reduces, anything else a keyword argument. They work on numbers, on tensors, and on tensors with a
leading batch axis (``axis`` and ``axes`` are shifted then).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from bpstep.engine import arithmetic as m
from bpstep.engine import tensors as t
from bpstep.engine.operation import Branch


def side(x: Any) -> Any:
    """1 above zero, −1 below, 0 at zero; also 0 for nan, so that codes can be compared."""
    return 1.0 * (x > 0) - 1.0 * (x < 0)


def _power_code(a: Any, b: Any, moves: tuple[bool, ...]) -> Any:
    whole = np.equal(m.floor(b), b)
    at_zero = m.where(np.equal(a, 0), side(b), m.where(np.less(a, 0) & whole, 1.0, 0.0))
    return m.where(_polynomial(b, moves), 1.0, 10.0 * side(a) + at_zero)


def _power_tied(a: Any, b: Any, moves: tuple[bool, ...]) -> Any:
    # Left of zero a power exists for whole exponents only: one that moves stands alone there.
    alone = np.less(a, 0) & np.equal(m.floor(b), b) & moves[1]
    return (np.equal(a, 0) | alone) & np.logical_not(_polynomial(b, moves))


def _polynomial(b: Any, moves: tuple[bool, ...]) -> Any:
    """A whole power from 0 up that stays one: nothing happens where its base changes sign."""
    return np.greater_equal(b, 0) & np.equal(m.floor(b), b) & (not moves[1])


def _atan2_code(a: Any, b: Any) -> Any:
    # The angle jumps across the negative half axis of b; the origin is a piece of its own.
    return m.where(b < 0, 3.0 + side(a), m.where(m.both(a == 0, b == 0), 0.0, 2.0))


def _bounds(min: float | None, max: float | None) -> tuple[float, float]:
    return -math.inf if min is None else min, math.inf if max is None else max


def _clamp_code(a: Any, min: float | None, max: float | None) -> Any:
    low, high = _bounds(min, max)
    return side(a - low) + side(a - high)


def _clamp_tied(a: Any, min: float | None, max: float | None) -> Any:
    low, high = _bounds(min, max)
    return np.equal(a, low) | np.equal(a, high)


def _several_win(a: Any, y: Any, axis: t.Axis, keepdims: bool) -> Any:
    won = t.winners(a, y, axis, keepdims)
    axes = t.reduced_axes(axis, np.ndim(a))
    return won & (np.sum(won, axis=axes, keepdims=True) > 1)


def _several_largest(a: Any, axes: tuple[int, ...]) -> Any:
    return np.sum(a == np.max(a, axis=axes, keepdims=True), axis=axes) > 1


SIGN = Branch(code=lambda a: side(a), tied=lambda a: np.equal(a, 0))
SIGN_OF_DIVISOR = Branch(code=lambda b: side(b), tied=lambda b: np.equal(b, 0))
ABOVE_MINUS_ONE = Branch(code=lambda a: side(a + 1.0), tied=lambda a: np.equal(a, -1))
ORDER = Branch(
    code=lambda a, b: 1.0 * (a > b) - 1.0 * (a < b),
    tied=lambda a, b: np.equal(a, b),
)
POWER = Branch(_power_code, _power_tied)
ANGLE = Branch(_atan2_code, lambda a, b: np.equal(a, 0) & np.less_equal(b, 0))
CLAMP = Branch(_clamp_code, _clamp_tied)
# Between two steps of a staircase the code lies between two whole numbers (floor), or is one.
FLOOR = Branch(
    code=lambda a, y: y + m.where(a == y, 0.0, 0.5),
    tied=lambda a, y: np.equal(a, y),
)
ROUND = Branch(
    code=lambda a: m.floor(a + 0.5) - m.where(a - m.floor(a) == 0.5, 0.5, 0.0),
    tied=lambda a: np.equal(a - m.floor(a), 0.5),
)
WINNERS = Branch(
    code=lambda a, y, axis, keepdims: 1.0 * t.winners(a, y, axis, keepdims),
    tied=_several_win,
)
LARGEST = Branch(code=lambda y: y, tied=_several_largest)
NORM = Branch(code=lambda y: side(y), tied=lambda y: np.equal(y, 0))
SELECTION = Branch(code=lambda a: m.where(a, 1.0, 0.0), tied=None)
OUTCOME = Branch(code=lambda y: y, tied=lambda y: np.zeros(np.shape(y), dtype=bool))
