"""When an estimate of a derivative differs from a gradient, and when it supports a verdict."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from bpstep.analysis.extrapolation import Floats, Limit
from bpstep.analysis.tape import Flags

BOUNDS = 5.0
"""How many error bounds two numbers must lie apart to be different."""

RESOLVED = 1e-7
"""An estimate this good, relative to the gradient, would have seen what a wrong edge does."""

RESOLVED_OF_LOSS = 1e-8
"""The same relative to the output: what is less, its rounding may hide."""


@dataclass(frozen=True)
class Accuracy:
    """What a number type lets be said.

    Below ``relative`` no difference is one: the gradient was rounded as well. An estimate worse
    than ``trust`` relative to the gradient supports no verdict but ``rounding``, unless it is
    better than ``floor`` absolutely.
    """

    epsilon: float
    relative: float
    trust: float
    floor: float

    def differs(self, gradient: float, estimate: Limit) -> bool:
        """Whether an estimate says that the gradient is another."""
        size = max(abs(gradient), abs(estimate.value))
        allowed = BOUNDS * estimate.bound + self.relative * size
        return abs(gradient - estimate.value) > allowed

    def trusted(self, gradient: float, estimate: Limit) -> bool:
        """Whether an estimate is good enough to say anything."""
        size = max(abs(gradient), abs(estimate.value))
        return BOUNDS * estimate.bound <= max(self.trust * size, self.floor)

    def resolves(self, gradient: float, estimate: Limit, loss: float) -> bool:
        """Whether an estimate is so good that an error in the gradient would have been seen."""
        size = max(abs(gradient), abs(estimate.value))
        return BOUNDS * estimate.bound <= max(RESOLVED * size, RESOLVED_OF_LOSS * abs(loss))

    def agree(self, gradients: Floats, values: Floats, bounds: Floats) -> Flags:
        """``trusted and not differs`` for many at once, all of shape (m,)."""
        with np.errstate(all="ignore"):
            size = np.maximum(np.abs(gradients), np.abs(values))
            near = np.abs(gradients - values) <= BOUNDS * bounds + self.relative * size
            good: Flags = BOUNDS * bounds <= np.maximum(self.trust * size, self.floor)
        return near & good & np.isfinite(bounds)


_DOUBLE = Accuracy(float(np.finfo(np.float64).eps), 1e-8, 1e-5, 1e-7)
_SINGLE = Accuracy(float(np.finfo(np.float32).eps), 3e-4, 1e-2, 1e-3)


def accuracy(dtype: Any) -> Accuracy:
    """What can be said of gradients in float64 or float32."""
    return _DOUBLE if dtype == np.float64 else _SINGLE
