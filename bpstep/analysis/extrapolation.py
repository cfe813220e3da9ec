"""The limit of a sequence of difference quotients as the step goes to zero, with an error bound.

Neville's scheme on a tableau (Ridders, "Accurate computation of F'(x) and F'(x)F''(x)", 1982;
Press et al., Numerical Recipes, section 5.7): each entry removes one more power of the step from
the error of two entries of the column before it. Every entry gets a bound, and the one with the
smallest bound is the answer.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

ORDER = 5
"""Columns of the tableau after the first: powers of the step that are removed at most."""

NOISE_MULTIPLES = (1.0, 10.0, 100.0, 1e3, 1e4, 1e5, 1e6)
"""How far the noise may have been underestimated: a cancellation inside the function is unseen."""

DIVERGING_STEPS = 8
"""Quotients in a row that must grow before they are said to have no finite limit."""

DIVERGING_GROWTH = 1.05
"""The least growth of a quotient from one step to the next, a quarter of it, to count."""


@dataclass(frozen=True)
class Limit:
    """An extrapolated limit and a bound of its error; nan with an infinite bound if none is seen.

    A quotient that grows without end has the limit inf or -inf, with a bound of 0.
    """

    value: float
    bound: float


NO_LIMIT = Limit(math.nan, math.inf)


@dataclass(frozen=True, eq=False)
class _Column:
    """A column of the tableau: estimates, their noise, their distance from their parents."""

    estimates: Floats
    noise: Floats
    distance: Floats


def extrapolate(steps: Floats, quotients: Floats, noise: Floats, power: int) -> Limit:
    """The limit of quotients q(h) = D + c1 h**p + c2 h**2p + … as h goes to 0.

    ``steps`` (all positive, decreasing), ``quotients`` and ``noise`` (what rounding may have put
    into each quotient) have shape (n,); ``power`` is p: 1 for one-sided, 2 for central quotients.
    Quotients that are not finite are left out, with everything at larger steps than theirs.
    """
    first = _first_finite(quotients)
    steps, quotients, noise = steps[first:], quotients[first:], noise[first:]
    if not len(quotients):
        return NO_LIMIT
    with np.errstate(all="ignore"):
        if (infinite := _diverging(steps, quotients, noise)) is not None:
            return Limit(infinite, 0.0)
        columns = tuple(_tableau(steps**power, quotients, noise))
        return min(
            (_best(column, multiple) for multiple in NOISE_MULTIPLES for column in columns),
            key=lambda limit: limit.bound,
        )


def _first_finite(quotients: Floats) -> int:
    """Where the finite tail of a sequence begins."""
    broken = np.flatnonzero(~np.isfinite(quotients))
    return int(broken[-1]) + 1 if len(broken) else 0


def _diverging(steps: Floats, quotients: Floats, noise: Floats) -> float | None:
    """inf or -inf where the quotients that stand out of the noise grow to the last, else None."""
    size = np.abs(quotients)
    clear = np.flatnonzero(size > 1e3 * noise)[-DIVERGING_STEPS - 1 :]
    tail, signs = size[clear], np.sign(quotients[clear])
    if len(tail) <= DIVERGING_STEPS or np.any(signs != signs[-1]):
        return None
    if np.any(tail[1:] < DIVERGING_GROWTH * tail[:-1]) or steps[clear[-1]] > 1e-4 * steps[0]:
        return None
    return math.copysign(math.inf, float(signs[-1]))


def _tableau(scale: Floats, quotients: Floats, noise: Floats) -> Iterator[_Column]:
    """The columns of Neville's tableau; ``scale`` is the step to the power that is removed."""
    change = np.abs(np.diff(quotients))
    yield _Column(quotients, noise, np.concatenate([[np.inf], change]))
    for k in range(1, min(ORDER, len(quotients) - 1) + 1):
        ratio = scale[:-k] / scale[k:]
        coarse, fine = quotients[:-1], quotients[1:]
        estimates = fine + (fine - coarse) / (ratio - 1)
        noise = (ratio * noise[1:] + noise[:-1]) / (ratio - 1)
        distance = np.maximum(np.abs(estimates - fine), np.abs(estimates - coarse))
        yield _Column(estimates, noise, distance)
        quotients = estimates


def _best(column: _Column, multiple: float) -> Limit:
    """The entry of a column with the smallest bound, the noise taken ``multiple`` times.

    An entry must also explain every finer entry beyond that one's noise, so that a coarse step,
    which may lie beyond a kink, cannot win by chance.
    """
    estimates, noise = column.estimates, multiple * column.noise
    bound = column.distance + noise
    if len(estimates) > 1:
        lowest = np.fmax.accumulate((estimates - noise)[::-1])[::-1][1:]
        highest = np.fmin.accumulate((estimates + noise)[::-1])[::-1][1:]
        unexplained = np.fmax(lowest - estimates[:-1], estimates[:-1] - highest)
        bound[:-1] = np.fmax(bound[:-1], unexplained)
    bound = np.where(np.isfinite(estimates) & np.isfinite(bound), bound, np.inf)
    best = int(np.argmin(bound))
    if math.isinf(bound[best]):
        return NO_LIMIT
    return Limit(float(estimates[best]), float(bound[best]))
