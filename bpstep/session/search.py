"""The steps that satisfy breakpoints, found forward or backward from a position.

Node, edge and non-finite breakpoints are looked up in the ledger's arrays; an operation or a
condition is tried step by step, no further than the nearest hit of the others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from bpstep.session import motion
from bpstep.session.breakpoints import (
    AtCondition,
    AtEdge,
    AtNode,
    AtNonfinite,
    AtOperation,
    Breakpoint,
    Trigger,
)
from bpstep.session.conditions import first_that_holds
from bpstep.session.edges import index_of, sent_by
from bpstep.session.scope import View

if TYPE_CHECKING:
    from bpstep.engine.ledger import Ledger
    from bpstep.engine.program import Pass, Run


def next_hit(run: Run, position: int, breakpoints: Sequence[Breakpoint]) -> int:
    """The first position after this one that satisfies a breakpoint, or the end."""
    return _hit(motion.ahead(run, position), breakpoints, run.steps)


def previous_hit(run: Run, position: int, breakpoints: Sequence[Breakpoint]) -> int:
    """The last position before this one that satisfies a breakpoint, or the start."""
    return _hit(motion.behind(run, position), breakpoints, 0)


def hits_at(run: Run, position: int, breakpoints: Sequence[Breakpoint]) -> tuple[Breakpoint, ...]:
    """The breakpoints that the step just taken satisfies."""
    if position == 0:
        return ()
    pass_ = motion.pass_at(run, position)
    step = position - pass_.first
    only = range(step, step + 1)
    return tuple(stop for stop in breakpoints if _find(stop.trigger, pass_, only) is not None)


def _hit(
    stretches: Iterator[tuple[Pass, range]], breakpoints: Sequence[Breakpoint], otherwise: int
) -> int:
    for pass_, steps in stretches:
        nearest = _nearest(pass_, steps, breakpoints)
        if nearest is not None:
            return pass_.first + nearest
    return otherwise


def _nearest(pass_: Pass, steps: range, breakpoints: Sequence[Breakpoint]) -> int | None:
    nearest = None
    for stop in sorted(breakpoints, key=lambda stop: _COST[type(stop.trigger)]):
        found = _find(stop.trigger, pass_, steps)
        if found is not None:
            nearest = found
            steps = steps[: steps.index(found)]
    return nearest


_COST = {AtNode: 0, AtEdge: 0, AtNonfinite: 1, AtOperation: 2, AtCondition: 3}


def _find(trigger: Trigger, pass_: Pass, steps: range) -> int | None:
    """The first of these steps of a pass, in the order given, that satisfies a trigger."""
    match trigger:
        case AtNode(node):
            return _among(_completion(pass_, node), steps)
        case AtEdge(source, target):
            return _among(_sendings(pass_, source, target), steps)
        case AtOperation(operation):
            return _first_of_operation(pass_, operation, steps)
        case AtNonfinite():
            return _first_nonfinite(pass_, steps)
        case AtCondition(condition):
            return first_that_holds(condition, View(pass_.graph, pass_), steps)


def _among(candidates: Iterable[int], steps: range) -> int | None:
    fitting = [step for step in candidates if step in steps]
    return min(fitting, key=steps.index, default=None)


def _completion(pass_: Pass, name: str) -> tuple[int, ...]:
    node = index_of(pass_.graph, name)
    step = None if node is None else pass_.ledger.completion(node)
    return () if step is None else (step,)


def _sendings(pass_: Pass, source_name: str, target_name: str) -> list[int]:
    source, target = index_of(pass_.graph, source_name), index_of(pass_.graph, target_name)
    if source is None or target is None:
        return []
    targets = pass_.ledger.targets
    return [step for step in sent_by(pass_.ledger, source) if targets[step - 2] == target]


def _first_of_operation(pass_: Pass, operation: str, steps: range) -> int | None:
    sources = pass_.ledger.sources
    for step in steps:
        made_by = pass_.graph.operation(sources[step - 2]) if step > 1 else None
        if made_by is not None and made_by.name == operation:
            return step
    return None


def _first_nonfinite(pass_: Pass, steps: range) -> int | None:
    if pass_.graph.is_plain:
        return _among(_nonfinite_steps(pass_.ledger), steps)
    return next((step for step in steps if not _finite(pass_.ledger, step)), None)


def _nonfinite_steps(ledger: Ledger) -> list[int]:
    columns = ledger.arrays()
    finite = np.isfinite(columns["value"]) & np.isfinite(columns["running"])
    return (np.flatnonzero(~finite) + 2).tolist()


def _finite(ledger: Ledger, step: int) -> bool:
    if step < 2:
        return True
    entry = ledger.contribution(step)
    return bool(np.isfinite(entry.value).all() and np.isfinite(entry.running).all())
