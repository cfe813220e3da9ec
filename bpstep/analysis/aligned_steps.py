"""Two runs aligned step by step: which steps both have, which differ, where they part."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from bpstep.analysis.aligned_nodes import NOWHERE, places_in
from bpstep.analysis.equality import equal
from bpstep.engine.arithmetic import Array
from bpstep.engine.ledger import Ledger
from bpstep.engine.run import Pass, Run


@dataclass(frozen=True, eq=False)
class Steps:
    """The positions of two runs aligned.

    ``there`` has for every position of the left run that of the same step in the right one (the
    same pass, consumer, operand and target), NOWHERE where there is none. ``differ`` are the left
    positions whose step the right run has not, or has with another contribution; ``differ_there``
    the right positions of which that is true the other way round. ``parting`` is the first
    position at which the runs, step for step, are not the same; None where they are to their ends.
    """

    there: Array
    differ: Array
    differ_there: Array
    parting: int | None

    @cached_property
    def _last_common(self) -> Array:
        common = np.where(self.there == NOWHERE, 0, np.arange(len(self.there)))
        return np.maximum.accumulate(common)

    def last_common(self, position: int) -> int:
        """The last left position up to this one that the right run has too."""
        return int(self._last_common[position])

    def standing(self, position: int) -> int:
        """Where the right run stands while the left one is at a position."""
        return int(self.there[self.last_common(position)])

    def next_difference(self, position: int) -> int | None:
        """The next left position whose step differs."""
        after = int(np.searchsorted(self.differ, position, side="right"))
        return int(self.differ[after]) if after < len(self.differ) else None

    def previous_difference(self, position: int) -> int | None:
        """The last left position before this one whose step differs."""
        before = int(np.searchsorted(self.differ, position, side="left"))
        return int(self.differ[before - 1]) if before else None


@lru_cache(maxsize=8)
def align_steps(left: Run, right: Run) -> Steps:
    """Align the steps of two runs."""
    there = np.full(left.steps + 1, NOWHERE)
    there[0] = 0
    equal_here = np.zeros(left.steps + 1, bool)
    equal_there = np.zeros(right.steps + 1, bool)
    equal_here[0] = equal_there[0] = True
    numbered = {pass_.number: pass_ for pass_ in right.passes}
    for ours in left.passes:
        theirs = numbered.get(ours.number)
        if theirs is not None:
            found = matched(ours, theirs)
            here = ours.first + np.flatnonzero(found != NOWHERE) + 1
            with_it = theirs.first + found[found != NOWHERE]
            there[here] = with_it
            alike = equal_values(ours, here - ours.first, theirs, with_it - theirs.first)
            equal_here[here[alike]] = True
            equal_there[with_it[alike]] = True
            if not same_output(ours, theirs):
                equal_here[ours.first + 1] = equal_there[theirs.first + 1] = False
    return Steps(
        there, np.flatnonzero(~equal_here), np.flatnonzero(~equal_there), parting(left, right)
    )


def same_output(ours: Pass, theirs: Pass) -> bool:
    """Whether two passes begin at the same node."""
    label = theirs.graph.label(theirs.ledger.output)
    return ours.graph.label(ours.ledger.output) == label


def matched(ours: Pass, theirs: Pass) -> Array:
    """For each step of a pass (its seed first) the same step of another, NOWHERE without one."""
    found = np.full(len(ours.ledger), NOWHERE)
    found[0] = 1
    here, there = _edges(ours.ledger), _edges(theirs.ledger, places_in(theirs.graph, ours.graph))
    widest = 1 + max(int(column.max(initial=0)) for column in (here[1], there[1]))
    mine, other = _numbered(here[0] * widest + here[1], there[0] * widest + there[1])
    order = np.argsort(other, kind="stable")
    places = np.searchsorted(other[order], mine)
    inside = places < len(order)
    candidates = order[places[inside]]
    # A node that the left graph has not is nowhere, and nothing there is the same step.
    same = (
        (other[candidates] == mine[inside])
        & (there[0][candidates] != NOWHERE)
        & (there[2][candidates] == here[2][inside])
    )
    found[1:][np.flatnonzero(inside)[same]] = candidates[same] + 2
    return found


def _edges(ledger: Ledger, places: Array | None = None) -> tuple[Array, Array, Array]:
    """Consumer, operand position and target of each contribution, as nodes of the left graph."""
    columns = ledger.sources, ledger.operands, ledger.targets
    sources, operands, targets = (np.asarray(column, dtype=np.int64) for column in columns)
    if places is None:
        return sources, operands, targets
    return places[sources], operands, places[targets]


def _numbered(mine: Array, other: Array) -> tuple[Array, Array]:
    """Keys of two passes, told apart by their turns where one comes several times in a pass, as a
    wrong pass may send twice.
    """
    turns = _turns(mine), _turns(other)
    most = 1 + max(int(column.max(initial=0)) for column in turns)
    return mine * most + turns[0], other * most + turns[1]


def _turns(keys: Array) -> Array:
    """How often each key has come before."""
    order = np.argsort(keys, kind="stable")
    ascending = keys[order]
    turns = np.zeros(len(keys), dtype=np.int64)
    turns[order] = np.arange(len(keys)) - np.searchsorted(ascending, ascending, side="left")
    return turns


def equal_values(ours: Pass, here: Array, theirs: Pass, there: Array) -> Array:
    """Whether steps of two passes add the same."""
    if not (ours.graph.is_plain and theirs.graph.is_plain):
        pairs = zip(here.tolist(), there.tolist(), strict=True)
        one_by_one = [equal(ours.ledger.value(a), theirs.ledger.value(b)) for a, b in pairs]
        return np.array(one_by_one, dtype=bool)
    one, other = _sizes(ours.ledger)[here - 1], _sizes(theirs.ledger)[there - 1]
    alike: Array = (one == other) | (np.isnan(one) & np.isnan(other))
    return alike


def _sizes(ledger: Ledger) -> Array:
    """What each step of a scalar pass adds, the seed's 1 first."""
    return np.concatenate([[1.0], ledger.arrays()["value"]])


def parting(left: Run, right: Run) -> int | None:
    """The first position at which two runs, step for step, do not do the same; None without one."""
    for ours, theirs in zip(left.passes, right.passes, strict=False):
        step = _first_unlike(ours, theirs)
        if step is not None:
            return ours.first + step
    return None if left.steps == right.steps else min(left.steps, right.steps) + 1


def _first_unlike(ours: Pass, theirs: Pass) -> int | None:
    """The first step of two passes, counted within them, that is not the same in both."""
    if not same_output(ours, theirs):
        return 1
    places = places_in(theirs.graph, ours.graph)
    shared = min(len(ours.ledger), len(theirs.ledger)) - 1
    here, there = _edges(ours.ledger), _edges(theirs.ledger, places)
    unlike = [a[:shared] != b[:shared] for a, b in zip(here, there, strict=True)]
    elsewhere = np.flatnonzero(np.logical_or.reduce(unlike))
    alike = int(elsewhere[0]) if len(elsewhere) else shared
    steps = np.arange(2, alike + 2)
    other = np.flatnonzero(~equal_values(ours, steps, theirs, steps))
    if len(other):
        return int(other[0]) + 2
    longer = max(len(ours.ledger), len(theirs.ledger)) > alike + 1
    return alike + 2 if longer else None
