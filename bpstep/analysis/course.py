"""What is judged, a direction from a point, and what a judgement is."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bpstep.analysis.extrapolation import NO_LIMIT, Limit
from bpstep.analysis.finding import Evidence
from bpstep.analysis.point import Point
from bpstep.analysis.sweep import Element
from bpstep.engine.arithmetic import Array


@dataclass(frozen=True)
class Judgement:
    """The evidence for a verdict, and the limits of the difference quotients."""

    evidence: Evidence
    left: Limit = NO_LIMIT
    right: Limit = NO_LIMIT
    central: Limit = NO_LIMIT

    @classmethod
    def smooth(cls, evidence: Evidence, slope: Limit) -> Judgement:
        """At a point where all limits are one."""
        return cls(evidence, slope, slope, slope)


@dataclass(frozen=True, eq=False)
class Course:
    """What is judged: a direction from a point (of one element, if ``element`` is given)."""

    point: Point
    direction: dict[int, Array]
    gradient: float
    element: Element | None = None

    @classmethod
    def along(
        cls, point: Point, direction: dict[int, Array], element: Element | None = None
    ) -> Course:
        """A direction with what the gradient says of it."""
        return cls(point, direction, point.slope(direction), element)

    @classmethod
    def of(cls, point: Point, place: Element) -> Course:
        """One element alone."""
        direction = np.zeros(point.graph.shape(place.node))
        direction[place.index] = 1.0
        return cls.along(point, {place.node: direction}, place)

    @property
    def nodes(self) -> tuple[int, ...]:
        """The nodes that move."""
        return tuple(self.direction)

    def beside(self, point: Point) -> Course:
        """The same direction from another point."""
        return Course.along(point, self.direction, self.element)
