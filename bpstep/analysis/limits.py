"""One-sided and central derivatives at a point, as limits: forward evaluations only."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from bpstep.analysis.elements import Index, element, moved
from bpstep.analysis.extrapolation import LADDER, NO_LIMIT, Floats, Limit, extrapolate
from bpstep.analysis.forward import Replay
from bpstep.engine.graph import Graph

DIFFERENT = 5.0
"""How many error bounds two one-sided limits must lie apart to be different."""

_SMALLEST = 6
_AMPLIFIED = 64.0


@dataclass(frozen=True)
class Limits:
    """The derivative of the output by one element, from the left, from the right, and central.

    At a kink the central one is the mean of both sides.
    """

    left: Limit
    right: Limit
    central: Limit


@dataclass(frozen=True, eq=False)
class _Ray:
    """The output along one side of the point, at decreasing distances; all of shape (n,)."""

    steps: Floats
    losses: Floats


@dataclass(frozen=True)
class _Rounding:
    """The spacing of floats at 1, and the most that rounding inside the function may come to."""

    epsilon: float
    ceiling: float


def limits(graph: Graph, output: int, node: int, index: Index = ()) -> Limits:
    """Extrapolate difference quotients of the scalar ``output`` by one element of ``node``.

    Good to 1e-6 relative in float64 where each side is smooth near the point. The error bounds say
    when it is worse. Evaluates the tape 54 times.
    """
    start, base = element(graph.recorded(node), index), float(graph.recorded(output))
    if not (math.isfinite(start) and math.isfinite(base)):
        return Limits(NO_LIMIT, NO_LIMIT, NO_LIMIT)
    replay = Replay(graph, (node,), output)
    epsilon = float(np.finfo(graph.dtype).eps)
    rounding = _Rounding(epsilon, _AMPLIFIED * epsilon * replay.largest)
    right = _ray(graph, replay, output, node, index, 1)
    left = _ray(graph, replay, output, node, index, -1)
    from_left = _one_sided(left, base, rounding, -1)
    from_right = _one_sided(right, base, rounding, 1)
    return Limits(from_left, from_right, _central(left, right, from_left, from_right, rounding))


def _ray(graph: Graph, replay: Replay, output: int, node: int, index: Index, sign: int) -> _Ray:
    """Evaluate one side. A step is the distance that was moved, after rounding."""
    start = element(graph.recorded(node), index)
    steps, losses = [], []
    for step in LADDER * max(1.0, abs(start)):
        value = moved(graph, node, index, sign * float(step))
        steps.append(abs(element(value, index) - start))
        losses.append(float(replay.values({node: value})[output]))
    moving = np.array(steps) > 0
    return _Ray(np.array(steps)[moving], np.array(losses)[moving])


def _one_sided(ray: _Ray, base: float, rounding: _Rounding, sign: int) -> Limit:
    """The limit of the quotients of one side."""
    with np.errstate(all="ignore"):
        change = ray.losses - base
        # Adding 0.0 turns -0.0, the quotient of a flat left side, into 0.0.
        quotients = sign * change / ray.steps + 0.0
        noise = 2 * rounding.epsilon * (abs(base) + np.abs(ray.losses))
        hidden = min(_staircase(ray.steps, change), rounding.ceiling)
    return extrapolate(ray.steps, quotients, np.maximum(noise, hidden) / ray.steps, power=1)


def _staircase(steps: Floats, change: Floats) -> float:
    """The rounding inside the function, which its result does not show, from the smallest changes.

    There a smooth function is a line, and what two changes deviate from one is rounding.
    """
    pairs = np.flatnonzero(np.isfinite(change[:-1]) & (change[:-1] != 0))[-_SMALLEST:]
    deviation = np.abs(change[pairs] - change[pairs + 1] * steps[pairs] / steps[pairs + 1])
    return float(np.max(deviation, initial=0.0, where=np.isfinite(deviation)))


def _central(
    left: _Ray, right: _Ray, from_left: Limit, from_right: Limit, rounding: _Rounding
) -> Limit:
    """The mean of both sides; sharper, by even powers of the step, where the sides agree."""
    bound = from_left.bound + from_right.bound
    mean = Limit((from_left.value + from_right.value) / 2, bound / 2)
    if abs(from_left.value - from_right.value) <= DIFFERENT * bound:
        return min(mean, _symmetric(left, right, rounding, power=2), key=lambda it: it.bound)
    if math.isfinite(mean.value):
        return mean
    return _symmetric(left, right, rounding, power=1)


def _symmetric(left: _Ray, right: _Ray, rounding: _Rounding, power: int) -> Limit:
    """The limit of the quotients over both sides at once."""
    n = min(len(left.steps), len(right.steps))
    width = left.steps[:n] + right.steps[:n]
    with np.errstate(all="ignore"):
        quotients = (right.losses[:n] - left.losses[:n]) / width
        noise = 2 * rounding.epsilon * (np.abs(left.losses[:n]) + np.abs(right.losses[:n]))
        hidden = min(_staircase(width, quotients * width), rounding.ceiling)
    return extrapolate(width / 2, quotients, np.maximum(noise, hidden) / width, power)
