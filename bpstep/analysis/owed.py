"""What a consumer owes its operand: its final adjoint times the slopes of its operation."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bpstep.analysis.extrapolation import Floats
from bpstep.analysis.moved import Flags
from bpstep.analysis.slopes import Slopes
from bpstep.engine.arithmetic import Array

BOUNDS = 5.0
"""How many error bounds a contribution must lie outside of what is owed to be wrong."""

SUM_ROUNDINGS = 64.0
"""How many roundings of all that arrived a node's adjoint may differ from its sum by."""

_TINY = 1e-300
"""Where all that is owed is zero."""


@dataclass(frozen=True, eq=False)
class Owed:
    """What a consumer owes along each direction (m): between ``low`` and ``high``."""

    low: Floats
    high: Floats
    bound: Floats
    size: Floats

    @classmethod
    def of(cls, local: Slopes, upstream: Array) -> Owed:
        """Upstream gradient times slope, summed over the consumer's elements.

        ``upstream`` has the consumer's shape, or for numbers one entry a direction.
        """
        with np.errstate(all="ignore"):
            ends = [_times(upstream, slope) for slope in (local.low, local.high)]
            bound = _times(np.abs(upstream), local.bound)
            low, high = np.minimum(*ends), np.maximum(*ends)
            size = np.abs(np.where(np.isfinite(ends[0]), ends[0], 0.0))
            return cls(*(x.reshape(len(x), -1).sum(axis=1) for x in (low, high, bound, size)))

    def excludes(self, found: Floats, allowance: Floats) -> Flags:
        """Along which directions something else than what is owed was found."""
        with np.errstate(all="ignore"):
            slack = BOUNDS * self.bound + allowance + _TINY
            outside: Flags = (found < self.low - slack) | (found > self.high + slack)
        return outside


def _times(upstream: Array, slope: Floats) -> Floats:
    """A product in which a zero upstream gradient owes nothing, whatever the slope."""
    return np.where(upstream == 0, 0.0, upstream * slope)
