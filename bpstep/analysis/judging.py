"""The verdict on one direction: its rays, what the audit says of its gradient, and nearby points.

Decided in this order: what is not finite, jumps, one-sided limits, the gradient against the slope
with detached values held, how good the slope is, and what lies near.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from bpstep.analysis.accuracy import BOUNDS
from bpstep.analysis.audit import WrongEdge
from bpstep.analysis.course import Course, Judgement
from bpstep.analysis.extrapolation import NO_LIMIT, Limit, extrapolate_rows
from bpstep.analysis.finding import (
    Agrees,
    Convention,
    Detached,
    Evidence,
    Jump,
    Kink,
    Mismatch,
    NearKink,
    Nonfinite,
    OffPoint,
    Rounding,
    SideName,
    mean_of,
)
from bpstep.analysis.kinks import Approach, Bend, nearest
from bpstep.analysis.line import Line
from bpstep.analysis.rays import Probe, Side, probe
from bpstep.analysis.sweep import Sweep

COARSEST = (1e-3, 1e-5, 1e-7)
"""Step sizes, relative to the point, below which a staircase is not looked at."""


def judge_course(course: Course, reach: float) -> Judgement:
    """The verdict on a direction; kinks within ``reach`` are reported."""
    seen = look(course)
    found = seen.judgement
    if isinstance(found.evidence, (Jump, Kink, Convention)):
        return replace(found, evidence=at_tie(course, found.evidence))
    if isinstance(found.evidence, Agrees):
        near = _near_kink(course, seen, reach)
        found = replace(found, evidence=near or found.evidence)
        found = with_detached(course, found)
    if isinstance(found.evidence, (Agrees, NearKink, Detached, Rounding)):
        return with_hidden(course, found)
    return found


@dataclass(frozen=True, eq=False)
class Seen:
    """What the rays say, and the verdict they lead to before anything else is looked at."""

    judgement: Judgement
    probe: Probe | None = None


def look(course: Course) -> Seen:
    """Follow both rays and decide by them alone, with the audit's word on a difference."""
    point, gradient = course.point, course.gradient
    if not (math.isfinite(gradient) and math.isfinite(point.tape.loss)):
        evidence: Evidence = Nonfinite(gradient, point.tape.loss)
        if not math.isfinite(point.tape.loss):
            return Seen(Judgement(evidence))
        rays = probe(Line(point.tape, course.direction))
        return Seen(_with_limits(evidence, rays), rays)
    rays = probe(Line(point.tape, course.direction))
    evidence = _first_of(
        lambda: _nonfinite(course, rays),
        lambda: _jump(rays),
        lambda: _kink(course, rays),
    ) or _by_slope(course, rays)
    return Seen(_with_limits(evidence, rays), rays)


def _first_of(*questions: Callable[[], Evidence | None]) -> Evidence | None:
    return next((found for ask in questions if (found := ask()) is not None), None)


def _with_limits(evidence: Evidence, rays: Probe) -> Judgement:
    left, right = rays.left.limit, rays.right.limit
    if isinstance(evidence, Kink):
        return Judgement(evidence, left, right, mean_of(left, right))
    return Judgement(evidence, left, right, rays.best)


def _sides(rays: Probe) -> tuple[tuple[SideName, Side], tuple[SideName, Side]]:
    return ("left", rays.left), ("right", rays.right)


def _nonfinite(course: Course, rays: Probe) -> Evidence | None:
    """The output, or its slope, is not finite next to the point."""
    sides = [side for _, side in _sides(rays)]
    gone = all(side.absent for side in sides) or any(side.infinite for side in sides)
    if gone or any(side.absent and side.reaches_infinity for side in sides):
        return Nonfinite(course.gradient, course.point.tape.loss)
    return None


def _jump(rays: Probe) -> Evidence | None:
    jumps: tuple[SideName, ...] = tuple(name for name, side in _sides(rays) if side.jump)
    return Jump(jumps) if jumps else None


def _kink(course: Course, rays: Probe) -> Evidence | None:
    """One-sided limits that differ, or one that cannot be had."""
    if not rays.broken or rays.left.absent or rays.right.absent:
        return None
    left, right = rays.left.limit, rays.right.limit
    size = max(abs(left.value), abs(right.value))
    allowed = BOUNDS * (left.bound + right.bound) + course.point.accuracy.relative * size
    if not math.isfinite(allowed):
        return Rounding(NO_LIMIT)
    if not abs(left.value - right.value) > allowed:
        return None
    low, high = sorted((left.value, right.value))
    inside = low - allowed <= course.gradient <= high + allowed
    return Kink(left, right, inside)


def _only_side(rays: Probe) -> SideName | None:
    """The side on which the output exists, where it does on one only."""
    if rays.left.absent:
        return "right"
    return "left" if rays.right.absent else None


def slope_of(rays: Probe) -> Limit:
    """The slope that the gradient is held against."""
    only = _only_side(rays)
    if only is None:
        return rays.best
    return rays.left.limit if only == "left" else rays.right.limit


def _by_slope(course: Course, rays: Probe) -> Evidence:
    """The gradient against the slope of a function without a break here."""
    point, gradient, slope = course.point, course.gradient, slope_of(rays)
    only, coarse = _only_side(rays), False
    if not math.isfinite(slope.bound):
        return Rounding(slope)
    if point.accuracy.differs(gradient, slope):
        if point.tied and not point.is_aside:
            return Convention(slope, ())
        wrong = None if _beyond_resolution(course, rays) else point.blame(course.nodes)
        if wrong is not None:
            return mismatch(course, wrong, slope)
        slope, coarse = _coarse(course, rays), True
        confirmed = math.isfinite(slope.bound) and not point.accuracy.differs(gradient, slope)
        if not (confirmed and point.accuracy.trusted(gradient, slope)):
            return Rounding(slope_of(rays), staircase=True)
    if gradient == slope.value == 0 or point.accuracy.trusted(gradient, slope):
        return Agrees(slope, only, coarse)
    return Rounding(slope)


def _beyond_resolution(course: Course, rays: Probe) -> bool:
    """Whether the gradient says that the output changes from one float to the next by its size.

    Then what is evaluated is no smooth function any more (tan at 1e20), and its differences say
    nothing, unless they settle all the same.
    """
    slope, tape = slope_of(rays), course.point.tape
    losses = np.concatenate([rays.left.losses, rays.right.losses])
    losses = losses[np.isfinite(losses)]
    largest = max(abs(tape.loss), float(np.max(np.abs(losses), initial=0.0)))
    spacing = tape.epsilon * Line(tape, course.direction).scale
    known = course.point.accuracy.trusted(slope.value, slope)
    return abs(course.gradient) * spacing > largest and not known


def _coarse(course: Course, rays: Probe) -> Limit:
    """The slope by larger steps alone, where rounding has made the output a staircase."""
    left, right, tape = rays.left, rays.right, course.point.tape
    best = NO_LIMIT
    size = Line(tape, course.direction).scale
    with np.errstate(all="ignore"):
        width = left.steps + right.steps
        quotients = (right.losses - left.losses) / width
        losses = 2 * abs(tape.loss) + np.abs(right.losses) + np.abs(left.losses)
        noise = tape.epsilon * losses / width
    for least in COARSEST:
        used = left.used & right.used & (width / 2 > least * size)
        if used.sum() > 2:
            (value,), (bound,) = extrapolate_rows(
                width[used][None] / 2, quotients[used][None], noise[used][None], 2
            )
            best = min(best, Limit(float(value), float(bound)), key=lambda it: it.bound)
    return best


# ---- at points without a derivative ----


def at_tie(course: Course, found: Jump | Kink | Convention) -> Evidence:
    """A kink, a jump or conventions, unless the reverse pass is wrong here or beside the point."""
    point, slope = course.point, found.estimate if isinstance(found, Convention) else NO_LIMIT
    wrong = point.blame(course.nodes)
    if wrong is not None:
        return mismatch(course, wrong, slope)
    agreeing = 0
    for aside in point.aside:
        there = look(course.beside(aside)).judgement.evidence
        if isinstance(there, Mismatch):
            return replace(there, off_point=True)
        agreeing += isinstance(there, (Agrees, NearKink))
    if isinstance(found, Convention) and not agreeing:
        return Rounding(slope, staircase=True)
    off_point = OffPoint(agreeing, len(point.aside))
    if isinstance(found, Jump):
        return replace(found, off_point=off_point)
    return replace(found, off_point=off_point, conventions=point.conventions(course.nodes))


# ---- wrong edges ----


def mismatch(
    course: Course, wrong: WrongEdge, slope: Limit, *, unresolved: bool = False
) -> Mismatch:
    """A wrong edge as the reason for a wrong gradient."""
    point, label = course.point, course.point.graph.label
    others = {label(it.node): None for it in point.errors_above(course.nodes)}
    others.pop(label(wrong.node), None)
    return Mismatch(
        label(wrong.node),
        label(wrong.cause),
        wrong.reason,
        wrong.expected,
        wrong.found,
        slope,
        point.between(wrong.node, course.nodes),
        tuple(others),
        unresolved=unresolved,
    )


def with_hidden(course: Course, found: Judgement) -> Judgement:
    """Agreement within noise does not clear a wrong edge on the way.

    Unless the differences know the gradient well enough to have seen what it does.
    """
    slope, gradient, point = _estimate(found.evidence), course.gradient, course.point
    # An output that stays the same to the bit may have swallowed the element in rounding: then it
    # shows nothing of what any edge does.
    swallowed = slope.value == gradient == 0 and point.swallows
    if point.accuracy.resolves(gradient, slope, point.tape.loss) and not swallowed:
        return found
    floor = point.accuracy.relative * abs(gradient)
    effects = [
        (wrong, math.nan if wrong.expected is None else point.effect(wrong, course.direction))
        for wrong in point.errors_above(course.nodes)
    ]
    effects = [(wrong, effect) for wrong, effect in effects if not abs(effect) <= floor]
    total = sum(effect for _, effect in effects)
    if not effects or (abs(total) > BOUNDS * slope.bound + floor and not swallowed):
        return found
    return replace(found, evidence=mismatch(course, effects[0][0], slope, unresolved=True))


def _estimate(evidence: Evidence) -> Limit:
    if isinstance(evidence, Detached):
        return evidence.held
    assert isinstance(evidence, (Agrees, NearKink, Rounding)), "asked of what may hide an error"
    return evidence.estimate


# ---- detached values, kinks near by ----


def with_detached(course: Course, found: Judgement) -> Judgement:
    """Agreement that is due to detached values being held: with them rebuilt there is none."""
    point = course.point
    detaches = {i for node in course.nodes for i in point.detaches_of(node)}
    if not detaches:
        return found
    rays = probe(Line(point.rebuilt, course.direction))
    left, right, rebuilt = rays.left.limit, rays.right.limit, rays.best
    apart = abs(left.value - right.value) > BOUNDS * (left.bound + right.bound)
    differs = math.isfinite(rebuilt.bound) and point.accuracy.differs(course.gradient, rebuilt)
    if not (rays.left.jump or rays.right.jump or (rays.broken and apart) or differs):
        return found
    if rays.broken and apart:
        rebuilt = mean_of(left, right)
    names = tuple(point.graph.label(i) for i in sorted(detaches))
    held = _estimate(found.evidence)
    return Judgement(Detached(course.gradient, held, rebuilt, names), left, right, rebuilt)


def _near_kink(course: Course, seen: Seen, reach: float) -> NearKink | None:
    """The nearest kink within the larger steps, where the point itself is smooth."""
    if course.element is None or seen.probe is None:
        return None
    slope = slope_of(seen.probe)
    searches = [
        Approach(course.element, sign, *side.beyond, sign * slope.value)
        for sign, side in ((1, seen.probe.right), (-1, seen.probe.left))
        if side.beyond is not None and side.beyond[0] <= reach
    ]
    if not searches:
        return None
    bends = nearest(Sweep(course.point.tape, [course.element]), searches, reach)
    return near_kink(bends, slope)


def near_kink(bends: list[Bend | None], slope: Limit) -> NearKink | None:
    """The nearest of the bends that were found."""
    found = min((it for it in bends if it is not None), key=lambda it: it.distance, default=None)
    if found is None:
        return None
    return NearKink(found.distance, "right" if found.sign > 0 else "left", found.what, slope)
