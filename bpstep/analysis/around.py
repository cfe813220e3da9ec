"""The output around a recorded point, for a plot: along one element, or along the gradient.

Evaluated forward only, detached copies rebuilt, as the differences of a check are. The range is
chosen so that a kink within reach is inside.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from bpstep.analysis.elements import parse_target
from bpstep.analysis.extrapolation import Floats
from bpstep.analysis.finding import CheckResult, Jump, Kink
from bpstep.analysis.kinks import Approach, What, nearest
from bpstep.analysis.line import Line, element_line
from bpstep.analysis.sweep import Element, Sweep
from bpstep.analysis.tape import Tape
from bpstep.engine.ledger import Ledger

POINTS = 160
"""So many steps are evaluated, half of them on each side."""

SEARCHED = 3.7 * 2.0 ** -np.arange(22.0)
"""Where changes of branches are looked for, relative to the size of what moves: off round numbers,
at which people put kinks."""

USUAL, MOST = 0.5, 1.5
"""The range without kinks, relative to that size; how far beyond a kink it goes, relative to it."""

CLOSE, ZOOM = 0.1, 3.0
"""A kink nearer than this is looked at more closely: the range is so many times its distance."""

FEWEST_SPACINGS = 1e4
"""The range is at least so many spacings of floats."""


@dataclass(frozen=True)
class Break:
    """Where the output bends, jumps or ends: the step to there, from the point."""

    step: float
    what: What


@dataclass(frozen=True, eq=False)
class Around:
    """The output at steps along a line through the point.

    ``steps`` rise and hold 0, ``losses`` are the output there (nan in the middle of a jump), both
    of shape (n,). ``name`` is what moves; ``start`` is its value at the point, None where a whole
    tensor moves along its gradient. ``loss`` is the output at the point, ``slope`` what the
    gradient says of it, None where nothing arrives.
    """

    name: str
    start: float | None
    steps: Floats
    losses: Floats
    loss: float
    slope: float | None
    breaks: tuple[Break, ...]


def around(ledger: Ledger, result: CheckResult, points: int = POINTS) -> Around:
    """The output around the point of a check: along the element that speaks for the result.

    A tensor that agrees is moved along its gradient, all elements at once.
    """
    target = parse_target(ledger.graph, result.wrt)
    tape = Tape(ledger.graph, ledger.output, held=False)
    gradient = ledger.own_grad(target.node)
    whole = len(target.elements) > 1 and result.verdict == "agrees" and result.element is not None
    if whole and gradient is not None:
        along = _masked(np.asarray(gradient, dtype=np.float64), target.elements)
        norm = float(np.linalg.norm(along))
        if math.isfinite(norm) and norm > 0:
            line = Line(tape, {target.node: along / norm})
            steps = _steps(line, (), USUAL * line.scale, points)
            losses = _losses(line, steps)
            return Around(result.wrt, None, steps, losses, tape.loss, norm, ())
    index = result.worst.index
    place = Element(target.node, target.elements[0] if index is None else index)
    return _along(tape, place, result, points)


def _masked(gradient: Floats, elements: Sequence[tuple[int, ...]]) -> Floats:
    """The gradient of those elements, 0 in the others."""
    if len(elements) == gradient.size:
        return gradient
    along = np.zeros_like(gradient)
    for index in elements:
        along[index] = gradient[index]
    return along


def _along(tape: Tape, place: Element, result: CheckResult, points: int) -> Around:
    """One element alone."""
    line = element_line(tape, place)
    name = result.wrt if result.element is None else f"{_node(result.wrt)}{result.element}"
    start = float(np.asarray(tape.values[place.node])[place.index])
    if not (math.isfinite(start) and tape.depends_on(place.node)):
        steps = np.linspace(-USUAL, USUAL, points + 1)
        flat = np.full(len(steps), tape.loss)
        return Around(name, start, steps, flat, tape.loss, result.analytic, ())
    breaks = (*_here(result), *_near_by(tape, line, place, result))
    steps = _steps(line, breaks, _radius(line, breaks), points)
    return Around(
        name, start, steps, _losses(line, steps, breaks), tape.loss, result.analytic, breaks
    )


def _node(wrt: str) -> str:
    """The node of a target: ``W`` of ``W[0]``."""
    return wrt.split("[", 1)[0].strip() if wrt.endswith("]") else wrt


def _here(result: CheckResult) -> tuple[Break, ...]:
    """A break at the point itself."""
    if isinstance(result.evidence, Kink):
        return (Break(0.0, "kink"),)
    return (Break(0.0, "jump"),) if isinstance(result.evidence, Jump) else ()


def _near_by(tape: Tape, line: Line, place: Element, result: CheckResult) -> Iterable[Break]:
    """The nearest break on either side, within reach."""
    if line.room < 2 * len(SEARCHED):
        return ()
    steps = SEARCHED * line.scale
    searches = []
    for sign, limit in ((1, result.right), (-1, result.left)):
        codes = line.at(sign * steps).codes
        left = np.flatnonzero((codes != codes[-1:]).any(axis=1))
        if len(left):
            last = int(left[-1])
            slope = sign * limit.value
            inside, outside = float(steps[last + 1]), float(steps[last])
            searches.append(Approach(place, sign, inside, outside, slope))
    if not searches:
        return ()
    bends = nearest(Sweep(tape, [place]), searches, float(steps[0]))
    return [Break(bend.sign * bend.distance, bend.what) for bend in bends if bend is not None]


def _radius(line: Line, breaks: Sequence[Break]) -> float:
    """How far the plot goes to either side."""
    usual, least = USUAL * line.scale, FEWEST_SPACINGS * line.tape.epsilon * line.scale
    away = [abs(it.step) for it in breaks if it.step != 0]
    if not away:
        return usual
    near = min(away)
    return max(least, ZOOM * near if near < CLOSE * line.scale else max(usual, MOST * near))


def _steps(line: Line, breaks: Sequence[Break], radius: float, points: int) -> Floats:
    """Evenly spread steps, and those to the breaks inside."""
    even = np.linspace(-radius, radius, 2 * (points // 2) + 1)
    even[len(even) // 2] = 0.0
    inside = [it.step for it in breaks if abs(it.step) <= radius]
    return np.unique(np.concatenate([even, inside]))


def _losses(line: Line, steps: Floats, breaks: Sequence[Break] = ()) -> Floats:
    """The output at every step, as many at once as the memory is to hold."""
    room = max(1, line.room)
    parts = [line.at(steps[k : k + room]).losses for k in range(0, len(steps), room)]
    losses = np.concatenate(parts)
    for jump in (it.step for it in breaks if it.what == "jump"):
        losses[np.argmin(np.abs(steps - jump))] = math.nan
    return losses
