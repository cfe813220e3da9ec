"""The slopes of one operation alone, from its forward function, with bounds of their error.

The operands are moved along a direction by a ladder of steps to both sides; the quotients on the
piece next to the point are extrapolated to their limit. Where an element of the result sits at a
tie, both one-sided slopes are given instead.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from bpstep.analysis.extrapolation import (
    LADDER,
    Floats,
    RowLimits,
    agreed,
    diverges,
    extrapolate_rows,
)
from bpstep.analysis.motions import Motion, alike, group
from bpstep.analysis.moved import SIGNED, Flags, Side, Sides, both_sides
from bpstep.analysis.progress import breathing
from bpstep.engine.arithmetic import Value
from bpstep.engine.graph import Graph

JUMP_NOISE = 1e3
"""How many spacings of floats a result must change by at the smallest step to have jumped."""

JUMP_KEPT = 0.7
"""What is left of a jump when the step falls to a sixteenth; of a slope it is a sixteenth."""

CHUNK = 300_000
"""How many numbers an array may hold: few enough to stay in a processor's cache, 2.4 MB."""

TRUSTED_NOISE = (1.0,)
"""The rounding of one operation is known: it is not tried whether it was underestimated."""


@dataclass(frozen=True, eq=False)
class Slopes:
    """Slopes of an operation's result along m directions, all of shape (m, \\*result).

    Where an element is ``tied`` its slopes lie between ``low`` and ``high``, the one-sided ones
    (infinite where it jumps, and where no slope was found); elsewhere both are equal. ``bound`` is
    the error of either, inf where none was found.
    """

    low: Floats
    high: Floats
    bound: Floats
    tied: Flags

    def rows(self, rows: slice) -> Slopes:
        """Those along some of the directions."""
        return Slopes(self.low[rows], self.high[rows], self.bound[rows], self.tied[rows])

    def reshaped(self, shape: tuple[int, ...]) -> Slopes:
        """The same numbers in another shape."""
        low, high, bound = (each.reshape(shape) for each in (self.low, self.high, self.bound))
        return Slopes(low, high, bound, self.tied.reshape(shape))


def slopes(graph: Graph, values: Sequence[Value], motions: Sequence[Motion]) -> list[Slopes]:
    """The slopes of every motion at the given values of all nodes, in the order of ``motions``."""
    groups = list(alike(graph, motions))
    parts: list[list[Slopes]] = [[] for _ in groups]
    with np.errstate(all="ignore"):
        for number, part in _measured(graph, values, motions, groups):
            parts[number].append(part)
    found: dict[int, Slopes] = {}
    for members, pieces in zip(groups, parts, strict=True):
        joined, start = _joined(pieces), 0
        for k in breathing(members):
            found[k] = joined.rows(slice(start, start + len(motions[k])))
            start += len(motions[k])
    return [found[k] for k in range(len(motions))]


def _joined(parts: list[Slopes]) -> Slopes:
    """The parts of a group, one after the other."""
    if len(parts) == 1:
        return parts[0]
    columns = ((part.low, part.high, part.bound, part.tied) for part in parts)
    return Slopes(*(np.concatenate(column) for column in zip(*columns, strict=True)))


def _measured(
    graph: Graph, values: Sequence[Value], motions: Sequence[Motion], groups: list[list[int]]
) -> Iterator[tuple[int, Slopes]]:
    """The slopes of every part of every group, with the group's number.

    Groups are moved one by one and extrapolated together, as many as the memory is to hold.
    """
    epsilon = float(np.finfo(graph.dtype).eps)
    waiting: list[tuple[int, tuple[int, ...], Sides]] = []
    rows = 0
    for number, members in enumerate(groups):
        whole = group(graph, values, [motions[k] for k in members])
        for part in breathing(whole.chunks(CHUNK // len(SIGNED)), 1):
            waiting.append((number, (len(part), *part.result), both_sides(part)))
            rows += len(waiting[-1][2].tied)
            if rows * len(LADDER) > CHUNK:
                yield from _extrapolated(waiting, epsilon)
                waiting, rows = [], 0
    if waiting:
        yield from _extrapolated(waiting, epsilon)


def _extrapolated(
    waiting: list[tuple[int, tuple[int, ...], Sides]], epsilon: float
) -> Iterator[tuple[int, Slopes]]:
    """Extrapolate several groups at once and give each its own."""
    sides = Sides.joined([each for _, _, each in waiting])
    whole = Slopes(*_limits(sides, epsilon), sides.tied)
    start = 0
    for number, shape, each in waiting:
        rows = whole.rows(slice(start, start + len(each.tied)))
        start += len(each.tied)
        yield number, rows.reshaped(shape)


@dataclass(frozen=True, eq=False)
class _Ends:
    """What one side says about each element of the result (R): its slope, or why it has none."""

    limits: RowLimits
    absent: Flags
    jumps: Flags

    @property
    def seen(self) -> Flags:
        """Where there is a slope."""
        return np.isfinite(self.limits.bounds)


def _limits(sides: Sides, epsilon: float) -> tuple[Floats, Floats, Floats]:
    """The lowest slope, the highest one and their bound, for each element of the result (R)."""
    ends = _ends(sides.right, epsilon), _ends(sides.left, epsilon)
    estimates = (*(end.limits for end in ends), _central(sides, epsilon))
    smooth = agreed(*(np.stack(column) for column in zip(*estimates, strict=True)))
    low, high, bound = _between(*ends)
    return (
        np.where(sides.tied, low, smooth.values),
        np.where(sides.tied, high, smooth.values),
        np.where(sides.tied, bound, smooth.bounds),
    )


def _between(right: _Ends, left: _Ends) -> tuple[Floats, Floats, Floats]:
    """At a tie: all slopes between both sides' are right, and any where nothing can be said."""
    a, b = right.limits.values, left.limits.values
    # Outside of its domain a side has no slope: the other one decides.
    one_sided = (right.seen & left.absent) | (left.seen & right.absent)
    alone = np.where(right.seen, a, b)
    unknown = right.jumps | left.jumps | ~((right.seen & left.seen) | one_sided)
    low = np.where(unknown, -np.inf, np.where(one_sided, alone, np.minimum(a, b)))
    high = np.where(unknown, np.inf, np.where(one_sided, alone, np.maximum(a, b)))
    bounds = (np.where(end.seen, end.limits.bounds, 0.0) for end in (right, left))
    return low, high, sum(bounds, start=np.zeros(len(a)))


def _ends(side: Side, epsilon: float) -> _Ends:
    """Extrapolate one side."""
    usable = side.kept & np.isfinite(side.change)
    quotients = np.where(usable, side.sign * side.change / side.steps, np.nan)
    noise = 2 * epsilon * side.size / side.steps
    return _Ends(
        extrapolate_rows(side.steps, quotients, noise, 1, TRUSTED_NOISE),
        absent=np.asarray(side.kept.any(axis=1) & ~usable.any(axis=1)),
        jumps=_jumped(side, epsilon) | diverges(side.steps, quotients, noise),
    )


def _jumped(side: Side, epsilon: float) -> Flags:
    """Where the change does not shrink with the step."""
    rows = np.arange(len(side.kept))
    finest = np.where(side.kept, np.arange(side.kept.shape[1]), 0).max(axis=1)
    coarser = np.maximum(finest - 2, 0)
    change, before = np.abs(side.change[rows, finest]), np.abs(side.change[rows, coarser])
    noise = JUMP_NOISE * epsilon * (1 + side.size[rows, finest])
    stays: Flags = np.logical_and(change > noise, change > JUMP_KEPT * before)
    seen: Flags = np.logical_and(side.kept[rows, coarser], finest >= 2)
    return stays & seen


def _central(sides: Sides, epsilon: float) -> RowLimits:
    """Extrapolate over both sides at once, where they lie on one piece."""
    right, left = sides.right, sides.left
    width = right.steps + left.steps
    usable = right.kept & left.kept & sides.one_piece[:, None]
    change = np.where(usable, right.change - left.change, np.nan)
    noise = 2 * epsilon * (right.size + left.size) / width
    return extrapolate_rows(width / 2, change / width, noise, 2, TRUSTED_NOISE)
