"""Difference quotients of many elements at once, and which of them settle the matter.

Nearly every gradient is settled by the step sizes that were asked for: all points of a sweep lie
on one smooth piece, and an extrapolation of the central quotients agrees with the gradient. Where
a kink lies within the larger steps, the smaller ones on the piece that holds the point count, and
smaller ones still are added.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from bpstep.analysis.accuracy import Accuracy
from bpstep.analysis.extrapolation import Floats, Limit, extrapolate_rows
from bpstep.analysis.finding import StepRow
from bpstep.analysis.kinks import Approach
from bpstep.analysis.sweep import Element, Sweep
from bpstep.analysis.tape import Flags

SMALLER = (1e-3, 1e-5, 1e-7)
"""The steps that are added where the given ones are not all on one piece."""

DIFFERENCES = "differences"
"""What a sweep's progress is told as."""

KNOWN_NOISE = (1.0,)
"""A sweep is too short to tell whether its rounding was underestimated."""


class Quotients(NamedTuple):
    """A sweep of elements, each moved both ways by falling step sizes.

    ``steps`` are the sizes (n,); ``left``, ``right``, ``central`` the textbook quotients and
    ``inside`` whether each side is on the piece that holds the point: (elements, n), the latter
    (elements, 2, n), right first. ``limits`` are the slopes extrapolated from the steps that are
    inside on both sides; ``noise`` is the least rounding of a central quotient, (elements,).
    """

    steps: Floats
    left: Floats
    right: Floats
    central: Floats
    inside: Flags
    values: Floats
    bounds: Floats
    noise: Floats

    def limit(self, row: int) -> Limit:
        """The slope of one element."""
        return Limit(float(self.values[row]), float(self.bounds[row]))

    def smooth(self) -> Flags:
        """Whether every step of an element is on the piece that holds the point."""
        return np.asarray(self.inside.all(axis=(1, 2)))


def quotients(sweep: Sweep, elements: Sequence[Element], steps: Sequence[float]) -> Quotients:
    """Move every element by every step, both ways."""
    sizes = np.array(sorted(steps, reverse=True))
    offsets = np.tile(np.concatenate([sizes, -sizes]), (len(elements), 1))
    points = sweep.at(elements, offsets, what=DIFFERENCES)
    sides = (len(elements), 2, len(sizes))
    losses, moved = points.losses.reshape(sides), np.abs(points.offsets).reshape(sides)
    inside = _from_the_point(points.same.reshape(sides))
    here, (above, below) = points.here, losses.transpose(1, 0, 2)
    both = inside.all(axis=1)
    with np.errstate(all="ignore"):
        width = moved.sum(axis=1)
        made = np.where(both, (above - below) / width, np.nan)
        rounding = sweep.tape.epsilon * (2 * abs(here) + np.abs(above) + np.abs(below)) / width
        limits = extrapolate_rows(width / 2, made, rounding, 2, KNOWN_NOISE)
        return Quotients(
            sizes,
            (here - below) / sizes,
            (above - here) / sizes,
            (above - below) / (2 * sizes),
            inside,
            limits.values,
            limits.bounds,
            rounding.min(axis=1),
        )


def _from_the_point(same: Flags) -> Flags:
    """True up to the first step that is not, counted from the smallest."""
    found: Flags = np.logical_and.accumulate(same[..., ::-1], axis=-1)[..., ::-1]
    return found


def settled(found: Quotients, gradients: Floats, accuracy: Accuracy) -> Flags:
    """For which elements the gradient is confirmed."""
    return accuracy.agree(gradients, found.values, found.bounds)


def approaches(
    found: Quotients, row: int, element: Element, reach: float, slope: float
) -> list[Approach]:
    """Where to look for the kinks that the larger steps of an element lie beyond."""
    searches = []
    for side, sign in ((0, 1), (1, -1)):
        outside = np.flatnonzero(~found.inside[row, side] & (found.steps <= reach))
        if len(outside):
            last = int(outside[-1])
            inside = float(found.steps[last + 1]) if last + 1 < len(found.steps) else 0.0
            far = float(found.steps[last])
            searches.append(Approach(element, sign, inside, far, sign * slope))
    return searches


def step_rows(found: Quotients, row: int, gradient: float) -> tuple[StepRow, ...]:
    """What is shown of a sweep, one row a step size, largest first."""
    rows = []
    for k, step in enumerate(found.steps.tolist()):
        left, right, central = (
            float(column[row, k]) for column in (found.left, found.right, found.central)
        )
        rows.append(
            StepRow(
                h=step,
                # Adding 0.0 turns -0.0, the quotient of a flat side, into 0.0.
                left=left + 0.0,
                right=right + 0.0,
                central=central + 0.0,
                abs_error=abs(gradient - central),
                rel_error=relative_error(gradient, central),
            )
        )
    return tuple(rows)


def relative_error(analytic: float, estimate: float) -> float:
    """|analytic − estimate| / max(1, |analytic|, |estimate|)."""
    return abs(analytic - estimate) / max(1.0, abs(analytic), abs(estimate))
