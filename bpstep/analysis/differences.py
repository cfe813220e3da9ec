"""Finite differences against the gradient: left, right and central, at each step size."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from bpstep.analysis.elements import (
    Index,
    Target,
    element,
    leaves_with_gradient,
    moved,
    parse_target,
)
from bpstep.analysis.forward import Replay
from bpstep.engine.errors import GraphError
from bpstep.engine.graph import Graph
from bpstep.engine.ledger import Ledger
from bpstep.engine.reverse import reverse

DEFAULT_STEPS = (1e-2, 1e-4, 1e-6)


@dataclass(frozen=True)
class StepRow:
    """The difference quotients at one step size, and the error of the central one."""

    h: float
    left: float
    right: float
    central: float
    abs_error: float
    rel_error: float


@dataclass(frozen=True)
class ElementCheck:
    """One element: its gradient (None where nothing arrives) and the differences at each step."""

    index: Index
    analytic: float | None
    rows: tuple[StepRow, ...]

    @property
    def error(self) -> float:
        """The smallest relative error over the step sizes; inf where none is a number."""
        errors = [row.rel_error for row in self.rows if not math.isnan(row.rel_error)]
        return min(errors, default=math.inf)


@dataclass(frozen=True)
class CheckResult:
    """Every element that was checked; of a tensor the worst one speaks for all."""

    wrt: str
    node: int
    elements: tuple[ElementCheck, ...]

    @property
    def worst(self) -> ElementCheck:
        """The element whose best step size leaves the largest error; the first of equals."""
        return max(self.elements, key=lambda it: it.error)

    @property
    def element(self) -> str | None:
        """The worst element of the node, ``[0, 1]``; None where only one was checked."""
        several = len(self.elements) > 1
        return f"[{', '.join(map(str, self.worst.index))}]" if several else None

    @property
    def analytic(self) -> float | None:
        """The gradient of the worst element; None where nothing arrives."""
        return self.worst.analytic

    @property
    def rows(self) -> tuple[StepRow, ...]:
        """The differences of the worst element, one row a step size."""
        return self.worst.rows


def check(
    graph: Graph,
    output: int,
    wrt: str,
    steps: Sequence[float] | None = None,
    ledger: Ledger | None = None,
) -> CheckResult:
    """Compare the gradient of a scalar ``output`` with its differences, evaluated forward only.

    ``wrt`` is a node, or an element or a row of it (``W[0, 1]``, ``W[0]``). The gradient is what
    ``ledger`` alone produced (default: a reverse pass of the graph). Raises GraphError for a name
    or an index that does not exist, and for a step that is not a positive number.
    """
    target = parse_target(graph, wrt)
    ledger = reverse(graph, output) if ledger is None else ledger
    return _check(graph, output, target, _valid(steps), ledger)


def check_all(
    graph: Graph,
    output: int,
    steps: Sequence[float] | None = None,
    ledger: Ledger | None = None,
) -> tuple[CheckResult, ...]:
    """``check`` for every leaf that requires a gradient, in tape order."""
    ledger = reverse(graph, output) if ledger is None else ledger
    targets = [parse_target(graph, name) for name in leaves_with_gradient(graph)]
    return tuple(_check(graph, output, target, _valid(steps), ledger) for target in targets)


def relative_error(analytic: float, estimate: float) -> float:
    """|analytic − estimate| / max(1, |analytic|, |estimate|)."""
    return abs(analytic - estimate) / max(1.0, abs(analytic), abs(estimate))


def _valid(steps: Sequence[float] | None) -> Sequence[float]:
    """The step sizes, all positive and finite."""
    steps = DEFAULT_STEPS if steps is None else steps
    for step in steps:
        if not 0 < step < math.inf:
            raise GraphError(f"a step size is a positive number, not {step!r}", "argument")
    return steps


def _check(
    graph: Graph, output: int, target: Target, steps: Sequence[float], ledger: Ledger
) -> CheckResult:
    """Every element of a target at every step size."""
    replay = Replay(graph, (target.node,), output)
    gradient = ledger.own_grad(target.node)
    base = float(graph.recorded(output))

    def loss(index: Index, step: float) -> float:
        return float(replay.values({target.node: moved(graph, target.node, index, step)})[output])

    def row(index: Index, h: float, analytic: float | None) -> StepRow:
        return _row(h, loss(index, -h), base, loss(index, h), 0.0 if analytic is None else analytic)

    checked = []
    for index in target.elements:
        analytic = None if gradient is None else element(gradient, index)
        rows = tuple(row(index, h, analytic) for h in steps)
        checked.append(ElementCheck(index, analytic, rows))
    return CheckResult(target.text, target.node, tuple(checked))


def _row(h: float, below: float, base: float, above: float, analytic: float) -> StepRow:
    """The textbook quotients from three values of the output."""
    central = (above - below) / (2 * h)
    return StepRow(
        h=h,
        left=(base - below) / h,
        right=(above - base) / h,
        central=central,
        abs_error=abs(analytic - central),
        rel_error=relative_error(analytic, central),
    )
