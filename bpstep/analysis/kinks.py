"""How far it is to the nearest kink or jump of the output, as one element moves.

A change of branches is where a kink can be. It is found by cutting the interval that holds it
again and again, for many elements at once. Then the output itself is looked at on both sides: a
tie inside a smooth function (the maximum of a log-sum-exp) bends nothing, and the search goes on
behind it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from bpstep.analysis.accuracy import BOUNDS
from bpstep.analysis.extrapolation import LADDER, NO_LIMIT, Floats, Limit, extrapolate_rows
from bpstep.analysis.progress import advance
from bpstep.analysis.sweep import HERE, Element, Sweep
from bpstep.analysis.tape import Flags

What = Literal["kink", "jump", "edge"]

NEAR_BY = "kinks near by"
"""What the progress of a search is told as."""

WALKS = 4
"""How many changes of branches that bend nothing are passed before the search is given up."""

LARGE = 100_000
"""From this many operations to evaluate for one point of each search, less is evaluated."""

_TINIEST = 1e-300


@dataclass(frozen=True)
class Bend:
    """A kink or jump of the output, or an edge of its domain, and the distance to it."""

    distance: float
    sign: int
    what: What


@dataclass(frozen=True)
class Approach:
    """A search: an element that moves up (``sign`` 1) or down (−1).

    At the step ``inside`` the branches are those next to the point, at ``outside`` no longer.
    ``slope`` is the output's at the point, away from it.
    """

    element: Element
    sign: int
    inside: float
    outside: float
    slope: float


@dataclass(frozen=True)
class _Effort:
    """How closely is looked: cuts of the interval, points a cut, steps of the slopes beside it.

    A ``quick`` one looks for the change only at operations that were seen to change.
    """

    cuts: int
    points: int
    ladder: Floats
    quick: bool

    def steps(self, distance: float, size: float) -> Floats:
        """The steps beside a change of branches at a distance from a point of some size."""
        return self.ladder * (distance if self.quick else size)

    def same(self, sweep: Sweep, elements: Sequence[Element], offsets: Floats) -> Flags:
        """Which offsets of each element are on the piece of its first one."""
        compared = [0] * offsets.shape[1]
        if self.quick:
            return sweep.same(elements, offsets, compared)
        return sweep.at(elements, offsets, compared).same


_CLOSE_LOOK = _Effort(6, 24, LADDER.astype(np.float64), quick=False)
_QUICK_LOOK = _Effort(3, 24, np.array([0.5, 0.125, 0.03125]), quick=True)


@dataclass(frozen=True)
class _Walk:
    """How far a search has come: its interval, and the last piece long enough to have a slope.

    ``start`` lies on the piece that the interval begins on.
    """

    approach: Approach
    start: float
    low: float
    high: float
    slope: Limit = NO_LIMIT
    until: float = 0.0
    loss: float = math.nan
    first: float = 0.0
    found: Bend | None = None
    ended: bool = False


@dataclass(frozen=True)
class _Brink:
    """What was seen at a change of branches: the output just before and just behind it."""

    inner_loss: float
    outer_loss: float
    inner: Limit
    outer: Limit
    beyond: tuple[float, float] | None


def nearest(sweep: Sweep, approaches: Sequence[Approach], reach: float) -> list[Bend | None]:
    """The nearest bend of each search within ``reach``; None where there is none."""
    work = len(approaches) * sweep.operations
    effort = _QUICK_LOOK if work > LARGE else _CLOSE_LOOK
    walks = [_Walk(it, it.inside, it.inside, it.outside) for it in approaches]
    for _ in range(WALKS):
        going = [k for k, walk in enumerate(walks) if not walk.ended]
        if not going:
            break
        cut = _cut(sweep, [walks[k] for k in going], effort)
        brinks = _brinks(sweep, cut, effort)
        for k, walk, brink in zip(going, cut, brinks, strict=True):
            walks[k] = _judged(walk, brink, sweep, reach)
    return [walk.found for walk in walks]


def _cut(sweep: Sweep, walks: Sequence[_Walk], effort: _Effort) -> list[_Walk]:
    """Each walk with the interval around its nearest change of branches made small."""
    elements = [walk.approach.element for walk in walks]
    signs = np.array([[float(walk.approach.sign)] for walk in walks])
    starts = np.array([[walk.start] for walk in walks])
    low = np.array([walk.low for walk in walks])
    high = np.array([walk.high for walk in walks])
    rows = np.arange(len(walks))
    for k in range(effort.cuts):
        advance(k, effort.cuts, NEAR_BY)
        grid = (_spread if k == 0 else np.linspace)(low, high, effort.points).T
        offsets = signs * np.concatenate([starts, grid], axis=1)
        same = effort.same(sweep, elements, offsets)[:, 1:]
        last = np.where(same.all(axis=1), effort.points - 1, np.argmin(same, axis=1))
        low = np.where(last > 0, grid[rows, np.maximum(last - 1, 0)], low)
        high = grid[rows, last]
    return [
        replace(walk, low=float(a), high=float(b))
        for walk, a, b in zip(walks, low, high, strict=True)
    ]


def _spread(low: Floats, high: Floats, points: int) -> Floats:
    """Points from low to high at equal ratios."""
    start = np.maximum(np.maximum(low, high * 1e-8), _TINIEST)
    return np.geomspace(start, high, points)


def _brinks(sweep: Sweep, walks: Sequence[_Walk], effort: _Effort) -> list[_Brink]:
    """The output and its slopes on both sides of the interval of every walk."""
    elements = [walk.approach.element for walk in walks]
    signs = np.array([[float(walk.approach.sign)] for walk in walks])
    low = np.array([[walk.low] for walk in walks])
    high = np.array([[walk.high] for walk in walks])
    steps = np.stack([effort.steps(w.high, sweep.size(w.approach.element)) for w in walks])
    offsets = signs * np.concatenate([low, high, low - steps, high + steps], axis=1)
    count = steps.shape[1]
    points = sweep.at(elements, offsets, [HERE, HERE, *(0,) * count, *(1,) * count])
    made, losses = signs * points.offsets, points.losses
    noise = sweep.tape.epsilon * abs(points.here) * 2

    def part(first: int, of: int, steps: Floats, sign: int) -> list[_Slope]:
        columns = slice(first, first + count)
        rays = _Rays(
            steps, losses[:, columns], points.same[:, columns], losses[:, of : of + 1], sign
        )
        return _slopes(rays, noise, sweep.tape.epsilon)

    inner = part(2, 0, made[:, 0:1] - made[:, 2 : 2 + count], -1)
    outer = part(2 + count, 1, made[:, 2 + count :] - made[:, 1:2], 1)
    return [
        _Brink(float(at[0]), float(at[1]), before.limit, behind.limit, behind.beyond)
        for at, before, behind in zip(losses, inner, outer, strict=True)
    ]


@dataclass(frozen=True, eq=False)
class _Rays:
    """The output at falling steps away from several points, where it is ``origin``."""

    steps: Floats
    losses: Floats
    same: Flags
    origin: Floats
    sign: int


@dataclass(frozen=True)
class _Slope:
    """A slope, and the first interval beyond the piece that it belongs to."""

    limit: Limit
    beyond: tuple[float, float] | None


def _slopes(rays: _Rays, noise: float, epsilon: float) -> list[_Slope]:
    """The slopes in the direction of the walk at the points that the rays begin at."""
    reached = np.logical_and.accumulate(rays.same[:, ::-1], axis=1)[:, ::-1] & (rays.steps > 0)
    with np.errstate(all="ignore"):
        change = np.where(reached, rays.losses - rays.origin, np.nan)
        quotients = rays.sign * change / rays.steps
        rounding = (noise + 2 * epsilon * np.abs(rays.losses)) / rays.steps
        quotients[~np.isfinite(quotients)] = np.nan
    values, bounds = extrapolate_rows(rays.steps, quotients, rounding, 1)
    return [
        _Slope(Limit(float(value), float(bound)), _beyond(steps, inside))
        for value, bound, steps, inside in zip(values, bounds, rays.steps, reached, strict=True)
    ]


def _beyond(steps: Floats, inside: Flags) -> tuple[float, float] | None:
    """The last step on the piece and the first beyond it; beyond the last step all is open."""
    outside = np.flatnonzero(~inside & (steps > 0))
    if not len(outside):
        return float(steps.max()), math.inf
    last = int(outside[-1])
    return float(steps[last + 1]) if last + 1 < len(steps) else 0.0, float(steps[last])


def _judged(walk: _Walk, brink: _Brink, sweep: Sweep, reach: float) -> _Walk:
    """What the output does at the change of branches that was found, and where to go on."""
    approach, high = walk.approach, walk.high
    if high > reach:
        return replace(walk, ended=True)
    if not math.isfinite(brink.outer_loss):
        return replace(walk, ended=True, found=Bend(high, approach.sign, "edge"))
    walk = _with_slope(walk, brink)
    what = _bend(walk, brink, sweep)
    if what is not None:
        return replace(walk, ended=True, found=Bend(walk.first, approach.sign, what))
    if brink.beyond is None or high + brink.beyond[0] > reach:
        return replace(walk, ended=True)
    low, end = high + brink.beyond[0], min(high + brink.beyond[1], 2 * reach)
    return replace(walk, start=high, low=low, high=end)


def _with_slope(walk: _Walk, brink: _Brink) -> _Walk:
    """The walk with the slope of the piece it has come over, if that was long enough for one."""
    bound = walk.slope.bound
    if math.isfinite(brink.inner.bound) and not brink.inner.bound > 10 * bound:
        return replace(
            walk, slope=brink.inner, until=walk.low, loss=brink.inner_loss, first=walk.high
        )
    return walk if walk.first else replace(walk, first=walk.high)


def _bend(walk: _Walk, brink: _Brink, sweep: Sweep) -> What | None:
    """Whether the output jumps or bends between the two pieces."""
    before, behind = walk.slope, brink.outer
    if not (math.isfinite(before.bound) and math.isfinite(behind.bound)):
        return None
    epsilon, slope = sweep.tape.epsilon, walk.approach.slope
    width = walk.high - walk.until
    steepest = max(abs(before.value), abs(behind.value))
    rounding = epsilon * (2 * abs(sweep.tape.loss) + abs(walk.loss) + abs(brink.outer_loss))
    allowed = (abs(before.value) + abs(behind.value)) * width * (1 + 1e-6)
    if abs(brink.outer_loss - walk.loss) - allowed > 1e3 * rounding:
        return "jump"
    curved = 4 * abs(before.value - slope) / walk.first * width
    noise = BOUNDS * (before.bound + behind.bound)
    allowed = noise + 1e-6 * max(steepest, abs(slope)) + curved
    return "kink" if abs(before.value - behind.value) > allowed else None
