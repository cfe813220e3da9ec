"""Verdicts on gradients: finite differences of the output and an audit of the ledger must agree.

Both share nothing with the derivative rules. All elements are swept together; those that the sweep
does not settle are looked at one by one.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from bpstep.analysis.again import Again, recorder
from bpstep.analysis.course import Course, Judgement
from bpstep.analysis.elements import Target
from bpstep.analysis.extrapolation import Limit
from bpstep.analysis.finding import (
    Agrees,
    CheckResult,
    ElementCheck,
    Evidence,
    NearKink,
    Nonfinite,
    Rounding,
    StepRow,
)
from bpstep.analysis.judging import (
    judge_course,
    near_kink,
    with_detached,
    with_hidden,
)
from bpstep.analysis.kinks import Approach, nearest
from bpstep.analysis.origins import Origins, origins
from bpstep.analysis.point import Point
from bpstep.analysis.progress import breathing, counted
from bpstep.analysis.settling import (
    SMALLER,
    Quotients,
    approaches,
    quotients,
    settled,
    step_rows,
)
from bpstep.analysis.sweep import Element, Sweep
from bpstep.engine.errors import GraphError
from bpstep.engine.graph import Graph
from bpstep.engine.ledger import Ledger
from bpstep.engine.reverse import reverse

DEFAULT_STEPS = (1e-2, 1e-4, 1e-6)


def judge(
    graph: Graph,
    output: int,
    targets: Sequence[Target],
    *,
    steps: Sequence[float] | None = None,
    ledger: Ledger | None = None,
    again: Again | None = None,
) -> tuple[CheckResult, ...]:
    """The verdict on the gradient of a scalar ``output`` by each target, in their order.

    The gradient is what ``ledger`` alone produced (default: a reverse pass of the graph); ``again``
    makes the same pass at other leaf values (default: on a copy of the tape, with the ledger's
    fault). Steps that are given are kept to: where rounding rules at them, that is the verdict. The
    default ones are extended where the case needs it. Raises GraphError for a step that is not a
    positive number, and for a target that requires no gradient.
    """
    for target in targets:
        _check_target(graph, target)
    sizes = _valid(DEFAULT_STEPS if steps is None else steps)
    ledger = reverse(graph, output) if ledger is None else ledger
    again = recorder(graph, output, ledger.fault) if again is None else again
    point = Point(graph, ledger, again)
    checks: dict[int, _Check] = {}
    for group in _apart(graph, targets):
        together = _Check(point, _places(group), sizes, given=steps is not None)
        checks.update((target.node, together) for target in group)
    return tuple(checks[target.node].result(target) for target in targets)


def _apart(graph: Graph, targets: Sequence[Target]) -> Iterable[Sequence[Target]]:
    """The targets in groups that may be moved on one tape: all leaves, each operation alone.

    What moves is not evaluated again, and an operation may be computed from another target.
    """
    groups: dict[int | None, list[Target]] = {}
    for target in targets:
        is_leaf = graph.operation(target.node) is None
        groups.setdefault(None if is_leaf else target.node, []).append(target)
    return groups.values()


def _places(targets: Sequence[Target]) -> tuple[Element, ...]:
    """All their elements, each once."""
    places = (Element(it.node, index) for it in targets for index in breathing(it.elements))
    return tuple(dict.fromkeys(places))


def _valid(steps: object) -> tuple[float, ...]:
    """The step sizes, all positive and finite."""
    sizes = tuple(steps) if isinstance(steps, Iterable) else (steps,)
    for step in sizes:
        if not isinstance(step, (int, float, np.number)) or not 0 < step < math.inf:
            raise GraphError(f"a step size is a positive number, not {step!r}", "argument")
    if not sizes:
        raise GraphError("a check needs a step size", "argument")
    return sizes


def _check_target(graph: Graph, target: Target) -> None:
    if not graph.requires_grad(target.node):
        raise GraphError(
            f"{target.text} requires no gradient: there is nothing to check", "no-gradient"
        )


@dataclass(frozen=True)
class _Smooth:
    """The slope of an element that a sweep has settled, and the kinks to look for beyond it."""

    slope: Limit
    searches: tuple[Approach, ...]


@dataclass(frozen=True, eq=False)
class _Check:
    """All elements that are checked at one point, with what they share."""

    point: Point
    places: tuple[Element, ...]
    steps: tuple[float, ...]
    given: bool

    @property
    def reach(self) -> float:
        """The largest step: a kink beyond it is not near."""
        return max(self.steps)

    def result(self, target: Target) -> CheckResult:
        """The elements of one target, and a direction through all of them."""
        places = [Element(target.node, index) for index in target.elements]
        checks = tuple(self._checked(place) for place in breathing(places))
        several = len(places) > 1
        return CheckResult(target.text, checks, self._direction(target) if several else None)

    def _checked(self, place: Element) -> ElementCheck:
        row = self._row_of[place]
        found, gradient = self._judgements[row], self.point.element(place)
        rows = step_rows(self._shown, row, 0.0 if gradient is None else gradient)
        return ElementCheck(
            place.index,
            gradient,
            rows,
            found.left,
            found.right,
            found.central,
            self._told(found.evidence, rows, place.node),
        )

    def _told(self, evidence: Evidence, rows: Sequence[StepRow], node: int) -> Evidence:
        """The evidence with what only whoever reads it needs."""
        if isinstance(evidence, Rounding):
            return _with_errors(evidence, rows)
        if isinstance(evidence, Nonfinite):
            if node not in self._origins:
                self._origins[node] = origins(self.point.ledger, node)
            return replace(evidence, origins=self._origins[node])
        return evidence

    @cached_property
    def _origins(self) -> dict[int, Origins | None]:
        """Where what is not finite at a node comes from, looked for once."""
        return {}

    def _direction(self, target: Target) -> ElementCheck | None:
        """Whether elements that pass alone are wrong together."""
        random = np.random.default_rng(0)
        direction = np.zeros(self.point.graph.shape(target.node))
        for index in target.elements:
            direction[index] = random.uniform(0.5, 1.5)
        course = Course.along(self.point, {target.node: direction})
        found = judge_course(course, self.reach)
        return ElementCheck(
            None, course.gradient, (), found.left, found.right, found.central, found.evidence
        )

    @cached_property
    def _row_of(self) -> Mapping[Element, int]:
        return {place: row for row, place in enumerate(self.places)}

    @cached_property
    def _sweep(self) -> Sweep:
        return Sweep(self.point.tape, self.places)

    @cached_property
    def _swept(self) -> Quotients:
        """The output at the steps asked for, detached values held."""
        return quotients(self._sweep, self.places, self.steps)

    @cached_property
    def _shown(self) -> Quotients:
        """The same with detached values rebuilt."""
        if self.point.rebuilt is self.point.tape:
            return self._swept
        return quotients(Sweep(self.point.rebuilt, self.places), self.places, self.steps)

    @cached_property
    def _gradients(self) -> list[float]:
        found = [self.point.element(place) for place in self.places]
        return [0.0 if gradient is None else gradient for gradient in found]

    @cached_property
    def _judgements(self) -> list[Judgement]:
        """The verdict on every element: by the sweep, by more steps, one by one."""
        smooth = self._smooth() if math.isfinite(self.point.tape.loss) else {}
        near = self._near_kinks(smooth)
        count = len(self.places)
        return [
            self._confirmed(k, smooth[k].slope, near.get(k)) if k in smooth else self._alone(k)
            for k in counted(range(count), count, "verdicts")
        ]

    def _smooth(self) -> dict[int, _Smooth]:
        """The elements whose gradient a sweep confirms, at the steps asked for or smaller ones."""
        found = self._settled(self._swept, range(len(self.places)))
        smooth = self._swept.smooth()
        cut = [k for k in range(len(self.places)) if k not in found and not smooth[k]]
        if cut:
            places = [self.places[k] for k in cut]
            found |= self._settled(quotients(self._sweep, places, (*self.steps, *SMALLER)), cut)
        return found

    def _settled(self, swept: Quotients, of: Sequence[int]) -> dict[int, _Smooth]:
        """Those of the elements whose gradient a sweep confirms, and where to look for kinks."""
        gradients = np.array([self._gradients[k] for k in of])
        rows = np.flatnonzero(settled(swept, gradients, self.point.accuracy)).tolist()
        found = {}
        for row in breathing(rows):
            slope, place = swept.limit(row), self.places[of[row]]
            searches = approaches(swept, row, place, self.reach, slope.value)
            found[of[row]] = _Smooth(slope, tuple(searches))
        return found

    def _near_kinks(self, smooth: Mapping[int, _Smooth]) -> Mapping[int, NearKink]:
        """What the larger steps of these elements lie beyond, all searched at once."""
        owners = [k for k, found in smooth.items() for _ in found.searches]
        searches = [search for found in smooth.values() for search in found.searches]
        bends = nearest(self._sweep, searches, self.reach) if searches else []
        kinks = {}
        for k in dict.fromkeys(owners):
            own = [bend for owner, bend in zip(owners, bends, strict=True) if owner == k]
            nearby = near_kink(own, smooth[k].slope)
            if nearby is not None:
                kinks[k] = nearby
        return kinks

    def _confirmed(self, k: int, slope: Limit, near: NearKink | None) -> Judgement:
        """An element whose gradient agrees with its slope, detached values held."""
        course = Course.of(self.point, self.places[k])
        judged = Judgement.smooth(near or Agrees(slope), slope)
        return with_hidden(course, with_detached(course, judged))

    def _alone(self, k: int) -> Judgement:
        """One element that no sweep settles."""
        found = judge_course(Course.of(self.point, self.places[k]), self.reach)
        if self.given and isinstance(found.evidence, Agrees) and self._drowned(k):
            noise = float(self._swept.noise[k])
            return Judgement(
                Rounding(Limit(self._swept.limit(k).value, noise)),
                found.left,
                found.right,
                found.central,
            )
        return found

    def _drowned(self, k: int) -> bool:
        """Whether the steps that were given are all too small for the rounding of the output."""
        if not math.isfinite(self.point.tape.loss) or not self._swept.smooth()[k]:
            return False
        noise = Limit(self._gradients[k], float(self._swept.noise[k]))
        return not self.point.accuracy.trusted(self._gradients[k], noise)


def _with_errors(evidence: Rounding, rows: Sequence[StepRow]) -> Rounding:
    """Rounding shows the error of every step, and which is best."""
    errors = [(row.h, row.abs_error) for row in rows if math.isfinite(row.abs_error)]
    best = min(errors, key=lambda it: it[1], default=(None, math.nan))[0]
    return replace(evidence, errors=tuple(errors), best_step=best)
