"""Finite differences against the gradient: the quotients at each step size, and the verdict."""

from __future__ import annotations

from collections.abc import Sequence

from bpstep.analysis.again import Again
from bpstep.analysis.elements import leaves_with_gradient, parse_target
from bpstep.analysis.finding import CheckResult, ElementCheck, StepRow
from bpstep.analysis.settling import relative_error
from bpstep.analysis.verdicts import DEFAULT_STEPS, judge
from bpstep.engine.graph import Graph
from bpstep.engine.ledger import Ledger

__all__ = [
    "DEFAULT_STEPS",
    "CheckResult",
    "ElementCheck",
    "StepRow",
    "check",
    "check_all",
    "check_each",
    "relative_error",
]


def check(
    graph: Graph,
    output: int,
    wrt: str,
    steps: Sequence[float] | None = None,
    ledger: Ledger | None = None,
    again: Again | None = None,
) -> CheckResult:
    """Compare the gradient of a scalar ``output`` with its differences, evaluated forward only.

    ``wrt`` is a node, or an element or a row of it (``W[0, 1]``, ``W[0]``). The gradient is what
    ``ledger`` alone produced (default: a reverse pass of the graph); ``again`` makes the same pass
    at other leaf values. Raises GraphError for a name or an index that does not exist, for a node
    that requires no gradient, and for a step that is not a positive number.
    """
    return check_each(graph, output, [wrt], steps, ledger, again)[0]


def check_all(
    graph: Graph,
    output: int,
    steps: Sequence[float] | None = None,
    ledger: Ledger | None = None,
    again: Again | None = None,
) -> tuple[CheckResult, ...]:
    """``check`` for every leaf that requires a gradient, in tape order."""
    return check_each(graph, output, leaves_with_gradient(graph), steps, ledger, again)


def check_each(
    graph: Graph,
    output: int,
    names: Sequence[str],
    steps: Sequence[float] | None = None,
    ledger: Ledger | None = None,
    again: Again | None = None,
) -> tuple[CheckResult, ...]:
    """``check`` for several at once, which share everything that can be shared."""
    targets = [parse_target(graph, name) for name in names]
    return judge(graph, output, targets, steps=steps, ledger=ledger, again=again)
