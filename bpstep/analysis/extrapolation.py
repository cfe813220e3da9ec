"""The limits of sequences of difference quotients as the step goes to zero, with error bounds.

Neville's scheme on a tableau (Ridders, "Accurate computation of F'(x) and F'(x)F''(x)", 1982;
Press et al., Numerical Recipes, section 5.7): each entry removes one more power of the step from
the error of two entries of the column before it. Every entry gets a bound, and the one with the
smallest bound is the answer. Rows are problems of their own, extrapolated all at once.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bpstep.analysis.progress import breathing

Floats = NDArray[np.float64]

LADDER = 0.25 * 4.0 ** -np.arange(27)
"""The steps on each side of a point, times its size: a quarter, down to the rounding of 1.0."""

ORDER = 5
"""Columns of the tableau after the first: powers of the step that are removed at most."""

NOISE_MULTIPLES = (1.0, 10.0, 100.0, 1e3, 1e4, 1e5, 1e6)
"""How far the noise may have been underestimated: a cancellation inside the function is unseen."""

DIVERGING_STEPS = 8
"""Quotients in a row that must grow before they are said to have no finite limit."""

DIVERGING_GROWTH = 1.05
"""The least growth of a quotient from one step to the next, a quarter of it, to count."""

SETTLING = 0.02
"""Steps above this part of the largest are too coarse to tell whether a quotient settles."""

CLEAR = 4.0
"""How many times its noise a change must come to, to say something."""

NOT_SHRINKING = 0.85
"""A smooth quotient's changes shrink as the step does, to a quarter; a logarithm's stay equal."""

UNSETTLED_STEPS = 4
"""Changes in a row that must not shrink."""


@dataclass(frozen=True)
class Limit:
    """An extrapolated limit and a bound of its error; nan with an infinite bound if none is seen.

    A quotient that grows without end has the limit inf or -inf, with a bound of 0.
    """

    value: float
    bound: float


NO_LIMIT = Limit(math.nan, math.inf)


class RowLimits(NamedTuple):
    """A limit and a bound of its error for each row, shape (m,); nan and inf where none is seen."""

    values: Floats
    bounds: Floats


class _Column(NamedTuple):
    """A column of the tableaus: estimates, their noise, their distance from their parents."""

    estimates: Floats
    noise: Floats
    distance: Floats


def extrapolate_rows(
    steps: Floats,
    quotients: Floats,
    noise: Floats,
    power: int,
    multiples: Sequence[float] = NOISE_MULTIPLES,
) -> RowLimits:
    """The limits of quotients q(h) = D + c1 h**p + c2 h**2p + … as h goes to 0, one for each row.

    ``steps`` (decreasing along a row), ``quotients`` and ``noise`` (what rounding may have put into
    each quotient) have shape (m, n); ``power`` is p: 1 for one-sided, 2 for central quotients. A
    quotient that is nan is left out. ``multiples`` are the factors by which noise is tried: where
    it was underestimated, a larger one gives the smaller bound.
    """
    limits = RowLimits(np.full(len(quotients), np.nan), np.full(len(quotients), np.inf))
    with np.errstate(all="ignore"):
        columns = tuple(_tableau(steps**power, quotients, noise))
        for multiple in multiples:
            for column in breathing(columns, 1):
                _improve(limits, column, multiple)
    return limits


def extrapolate(steps: Floats, quotients: Floats, noise: Floats, power: int) -> Limit:
    """One limit of quotients of shape (n,), inf or -inf where they grow without end.

    Quotients that are not finite are left out, with everything at larger steps than theirs.
    """
    first = _first_finite(quotients)
    steps, quotients, noise = steps[first:], quotients[first:], noise[first:]
    if not len(quotients):
        return NO_LIMIT
    with np.errstate(all="ignore"):
        if (infinite := _diverging(steps, quotients, noise)) is not None:
            return Limit(infinite, 0.0)
    (value,), (bound,) = extrapolate_rows(steps[None], quotients[None], noise[None], power)
    return Limit(float(value), float(bound))


def agreed(values: Floats, bounds: Floats) -> RowLimits:
    """Several estimates of the same limits, shape (k, m): the best, its bound widened to the rest.

    An estimate that lies further from the best one than its own bound allows says that one of
    both bounds is too small, and the best bound grows until it reaches the other.
    """
    bounds = np.where(np.isfinite(values) & np.isfinite(bounds), bounds, np.inf)
    best, column = bounds.argmin(axis=0), np.arange(values.shape[1])
    value, bound = values[best, column], bounds[best, column]
    with np.errstate(all="ignore"):
        gap = np.where(np.isfinite(bounds), np.abs(values - value) - bounds, 0.0)
    return RowLimits(value, np.maximum(bound, gap.max(axis=0)))


def diverges(steps: Floats, quotients: Floats, noise: Floats) -> NDArray[np.bool_]:
    """Which rows do not settle as the step falls (a logarithm, a root): shape (m,).

    Their changes from step to step, where they stand out of the noise, do not shrink.
    """
    with np.errstate(all="ignore"):
        change = np.abs(np.diff(quotients, axis=1))
        small = steps[:, :-1] <= SETTLING * np.nanmax(steps, axis=1, initial=0.0)[:, None]
        clear = (change > CLEAR * noise[:, 1:]) & small
        slow = change[:, 1:] > NOT_SHRINKING * change[:, :-1]
    both = clear[:, 1:] & clear[:, :-1]
    found: NDArray[np.bool_] = (both.sum(axis=1) >= UNSETTLED_STEPS) & (slow | ~both).all(axis=1)
    return found


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
    """The columns of Neville's tableaus; ``scale`` is the step to the power that is removed."""
    unknown = np.full((len(quotients), 1), np.inf)
    yield _Column(quotients, noise, np.concatenate([unknown, np.abs(np.diff(quotients))], axis=1))
    for k in range(1, min(ORDER, scale.shape[1] - 1) + 1):
        ratio = scale[:, :-k] / scale[:, k:]
        coarse, fine = quotients[:, :-1], quotients[:, 1:]
        estimates = fine + (fine - coarse) / (ratio - 1)
        noise = (ratio * noise[:, 1:] + noise[:, :-1]) / (ratio - 1)
        distance = np.maximum(np.abs(estimates - fine), np.abs(estimates - coarse))
        yield _Column(estimates, noise, distance)
        quotients = estimates


def _improve(limits: RowLimits, column: _Column, multiple: float) -> None:
    """Put a column's best entries where their bounds are smaller than those found so far."""
    estimates, rows = column.estimates, np.arange(len(column.estimates))
    bounds = _bounds(estimates, multiple * column.noise, column.distance)
    best = bounds.argmin(axis=1)
    better = bounds[rows, best] < limits.bounds
    limits.values[better] = estimates[rows, best][better]
    limits.bounds[better] = bounds[rows, best][better]


def _bounds(estimates: Floats, noise: Floats, distance: Floats) -> Floats:
    """The error bound of every entry of a column.

    An entry must also explain every finer entry beyond that one's noise, so that a coarse step,
    which may lie beyond a kink, cannot win by chance.
    """
    bounds = distance + noise
    if estimates.shape[1] > 1:
        seen = np.isfinite(estimates)
        lowest = _from_the_end(np.maximum, np.where(seen, estimates - noise, -np.inf))
        highest = _from_the_end(np.minimum, np.where(seen, estimates + noise, np.inf))
        coarse = estimates[:, :-1]
        unexplained = np.maximum(lowest - coarse, coarse - highest)
        bounds[:, :-1] = np.maximum(bounds[:, :-1], unexplained)
    return np.where(np.isfinite(estimates) & np.isfinite(bounds), bounds, np.inf)


def _from_the_end(extreme: np.ufunc, entries: Floats) -> Floats:
    """The largest (or smallest) of all finer entries, for every entry but the last."""
    found: Floats = extreme.accumulate(entries[:, ::-1], axis=1)[:, ::-1][:, 1:]
    return found
