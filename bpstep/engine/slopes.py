"""Parts of the table that take more than a line: local derivatives, and the points without one.

The functions say by their parameters' names what they read, as ``ops.py`` explains. A ``Kink`` is a
point where a rule has no derivative: which convention decides there, and which values are legal.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from bpstep.engine import arithmetic as m
from bpstep.engine import tensors as t
from bpstep.engine.operation import Kink

LN_2 = math.log(2.0)
_ROOT_2 = math.sqrt(2.0)
_SLOPE_OF_ERF = 2.0 / math.sqrt(math.pi)
_DENSITY = 1.0 / math.sqrt(2.0 * math.pi)

# ---- local derivatives ----


def pow_base(a: Any, b: Any) -> Any:
    """b·a**(b−1); 0 for the exponent 0, whatever the base."""
    return m.where(b == 0, 0.0, b * m.power(a, b - 1.0))


def pow_exponent(a: Any, b: Any) -> Any:
    """a**b·log(a); 0 for the base 0, where the power does not move."""
    return m.where(m.both(a == 0, b >= 0), 0.0, m.power(a, b) * m.log(a))


def leaky_relu(a: Any, slope: float) -> Any:
    """1 above 0, ``slope`` below."""
    return m.where(a > 0, 1.0, slope)


def absolute(a: Any) -> Any:
    """The sign of a. As torch's sgn, that of nan is 0: no nan arises in the rule itself."""
    return m.where(a > 0, 1.0, m.where(a < 0, -1.0, 0.0))


def clamp(a: Any, min: float | None, max: float | None) -> Any:
    """The forward function: a cut to the bounds that are given."""
    low, high = _bounds(min, max)
    return m.minimum(m.maximum(a, low), high)


def inside(a: Any, min: float | None, max: float | None) -> Any:
    """1 between the bounds and on them, 0 outside."""
    low, high = _bounds(min, max)
    return m.where(m.both(a >= low, a <= high), 1.0, 0.0)


def _bounds(min: float | None, max: float | None) -> tuple[float, float]:
    return (-math.inf if min is None else min), (math.inf if max is None else max)


def silu(a: Any) -> Any:
    """s·(1 + a·(1 − s)), s being the sigmoid of a."""
    s = m.sigmoid(a)
    return s * (1 + a * (1 - s))


def normal_cdf(a: Any) -> Any:
    """Φ, the distribution function of the standard normal."""
    return 0.5 * (1 + m.erf(a / _ROOT_2))


def gelu(a: Any) -> Any:
    """Φ(a) + a·φ(a)."""
    return normal_cdf(a) + a * (_DENSITY * m.exp(-0.5 * (a * a)))


def erf(a: Any) -> Any:
    """2/√π·exp(−a²)."""
    return _SLOPE_OF_ERF * m.exp(-(a * a))


def mean(shape: tuple[int, ...], axis: t.Axis) -> Any:
    """One over the number of elements that each mean is of."""
    return m.quotient(1.0, t.reduced_size(shape, axis))


def logsumexp(a: Any, y: Any, axis: t.Axis, keepdims: bool, shape: tuple[int, ...]) -> Any:
    """The softmax of a, as exp(a − y)."""
    return m.exp(a - t.expand(y, axis, keepdims, shape))


# ---- points without a derivative ----


def _between(low: float, high: float) -> Callable[[], tuple[float, float]]:
    return lambda: (low, high)


def _several_winners(a: Any, y: Any, axis: t.Axis, keepdims: bool) -> Any:
    if isinstance(a, float):
        return False
    won = t.winners(a, y, axis, keepdims)
    axes = t.reduced_axes(axis, a.ndim)
    return won & (np.sum(won, axis=axes, keepdims=True) > 1)


def _on_bound(a: Any, min: float | None, max: float | None) -> Any:
    return (a == (math.nan if min is None else min)) | (a == (math.nan if max is None else max))


_SHARE = _between(0.0, 1.0)

RELU = Kink("relu", lambda a: a == 0, _SHARE)
LEAKY_RELU = Kink("leaky_relu", lambda a: a == 0, lambda slope: (min(slope, 1.0), max(slope, 1.0)))
ABS = Kink("abs", lambda a: a == 0, _between(-1.0, 1.0))
MAXIMUM = Kink("maximum", lambda a, b: a == b, _SHARE)
MINIMUM = Kink("minimum", lambda a, b: a == b, _SHARE)
MAX = Kink("max", _several_winners, _SHARE)
MIN = Kink("min", _several_winners, _SHARE)
CLAMP = Kink("clamp", _on_bound, _SHARE)
NORM = Kink("norm", lambda y: y == 0, _between(-1.0, 1.0))
POW_BASE = Kink("pow_base", lambda a, b: m.both(a == 0, b == 0), _between(0.0, 0.0))
POW_EXPONENT = Kink("pow_exponent", lambda a: a < 0, lambda: None)
ATAN2 = Kink("atan2", lambda a, b: m.both(a == 0, b == 0), _between(-math.inf, math.inf))
