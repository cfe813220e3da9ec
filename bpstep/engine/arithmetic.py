"""IEEE 754 arithmetic for Python floats: ±inf or nan where ``math`` raises, never a complex number.

Every function takes floats or NumPy arrays. For floats the result is that of ``math``; where
``math`` refuses (overflow, a domain error, a division by zero) NumPy's answer is taken, which is
the one of IEEE 754. For arrays the result is NumPy's. Shapes broadcast as NumPy's do.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[Any]
Value: TypeAlias = float | Array

Function: TypeAlias = Callable[..., Any]


def ieee(scalar: Function, array: Function) -> Function:
    """One function of one operand: ``scalar`` for floats, ``array`` beyond its domain."""

    def function(x: Any) -> Any:
        if type(x) is not float:
            return array(x)
        try:
            return scalar(x)
        except (OverflowError, ValueError):
            return _beyond(array, x)

    return function


def ieee2(scalar: Function, array: Function) -> Function:
    """The same for two operands."""

    def function(x: Any, y: Any) -> Any:
        if type(x) is not float or type(y) is not float:
            return array(x, y)
        try:
            return scalar(x, y)
        except (OverflowError, ValueError):
            return _beyond(array, x, y)

    return function


def _beyond(array: Function, *values: float) -> float:
    with np.errstate(all="ignore"):
        return float(array(*values))


def divide(a: float, b: float) -> float:
    """The quotient of two floats, 1/0 being inf."""
    try:
        return a / b
    except ZeroDivisionError:
        if a != a or a == 0.0:
            return math.nan
        return math.copysign(math.inf, a) * math.copysign(1.0, b)


def _stable_sigmoid(x: Any) -> Any:
    small = np.exp(-np.abs(x))
    return np.where(np.asarray(x) >= 0, 1 / (1 + small), small / (1 + small))


def _sigmoid(x: float) -> float:
    if x >= 0:
        return 1.0 / (1.0 + math.exp(-x))
    small = math.exp(x)
    return small / (1.0 + small)


def _softplus(x: float) -> float:
    if x != x:
        return x
    return max(x, 0.0) + math.log1p(math.exp(-abs(x)))


def _sign(x: float) -> float:
    return float((x > 0.0) - (x < 0.0)) if x == x else x


_erf_each = np.frompyfunc(math.erf, 1, 1)


def _erf_array(x: Any) -> Any:
    return np.asarray(_erf_each(x), dtype=np.asarray(x).dtype)


def where(condition: Any, a: Any, b: Any) -> Any:
    """``a`` where the condition is not zero, else ``b``."""
    if isinstance(condition, (bool, float)) and type(a) is float and type(b) is float:
        return a if condition else b
    return np.where(np.asarray(condition, dtype=bool), a, b)


def both(a: Any, b: Any) -> Any:
    """Two conditions at once, for bools and for arrays of them."""
    return a and b if isinstance(a, bool) and isinstance(b, bool) else np.logical_and(a, b)


def _maximum(a: float, b: float) -> float:
    return a if a != a or a >= b else b


def _minimum(a: float, b: float) -> float:
    return a if a != a or a <= b else b


power = ieee2(math.pow, np.power)
quotient = ieee2(divide, np.true_divide)
exp = ieee(math.exp, np.exp)
log = ieee(math.log, np.log)
log1p = ieee(math.log1p, np.log1p)
log2 = ieee(math.log2, np.log2)
sqrt = ieee(math.sqrt, np.sqrt)
sin = ieee(math.sin, np.sin)
cos = ieee(math.cos, np.cos)
tan = ieee(math.tan, np.tan)
tanh = ieee(math.tanh, np.tanh)
atan2 = ieee2(math.atan2, np.arctan2)
sigmoid = ieee(_sigmoid, _stable_sigmoid)
softplus = ieee(_softplus, lambda x: np.logaddexp(x, 0))
erf = ieee(math.erf, _erf_array)
sign = ieee(_sign, np.sign)
maximum = ieee2(_maximum, np.maximum)
minimum = ieee2(_minimum, np.minimum)
# NumPy's rounding keeps -0.0 and inf, which Python's own functions turn into integers or errors.
floor = ieee(lambda x: float(np.floor(x)), np.floor)
round_half_even = ieee(lambda x: float(np.rint(x)), np.rint)
