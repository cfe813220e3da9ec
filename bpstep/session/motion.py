"""Where a motion leads: from a run and a position to a position. Nothing here is undone or redone.

Positions count steps through all passes; 0 is before the first, ``run.steps`` after the last.
Every motion ends at one of these two where it would lead beyond.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from bpstep.engine.program import Pass, Run


def pass_at(run: Run, position: int) -> Pass:
    """The pass of the step that ends at a position (at 0 the first), in a run that has any."""
    found = run.pass_at(position)
    assert found is not None, "the run has passes"
    return found


def ahead(run: Run, position: int) -> Iterator[tuple[Pass, range]]:
    """The steps after ``position``, forward: each pass with a range of its own step numbers."""
    for pass_ in run.passes:
        if position < pass_.last:
            yield pass_, range(max(position - pass_.first, 0) + 1, len(pass_.ledger) + 1)


def behind(run: Run, position: int) -> Iterator[tuple[Pass, range]]:
    """The steps before the one of ``position``, backward: the same ranges, descending."""
    for pass_ in reversed(run.passes):
        if pass_.first + 1 < position:
            yield pass_, range(min(position - 1 - pass_.first, len(pass_.ledger)), 0, -1)


def next_complete(run: Run, position: int) -> int:
    """The next position at which a node is complete."""
    for pass_ in run.passes:
        if position < pass_.last:
            done = pass_.ledger.completions
            index = int(np.searchsorted(done, position - pass_.first, side="right"))
            if index < len(done):
                return pass_.first + int(done[index])
    return run.steps


def previous_complete(run: Run, position: int) -> int:
    """The last position before this one at which a node is complete."""
    for pass_ in reversed(run.passes):
        if pass_.first < position:
            done = pass_.ledger.completions
            index = int(np.searchsorted(done, position - pass_.first, side="left"))
            if index:
                return pass_.first + int(done[index - 1])
    return 0


def next_pass(run: Run, position: int) -> int:
    """The seed of the next pass, or the end in the last one."""
    later = [pass_ for pass_ in run.passes if pass_.first >= max(position, 1) and len(pass_.ledger)]
    return later[0].first + 1 if later else run.steps


def completion(run: Run, position: int, name: str) -> int | None:
    """The position at which a node is complete: in this pass, else in the next that completes it,
    else in the last before; None where no pass does.

    Raises GraphError (``unknown-name``) for a name that no pass knows.
    """
    if not run.passes:
        return None
    current = pass_at(run, position).number
    later = [pass_ for pass_ in run.passes if pass_.number >= current]
    earlier = [pass_ for pass_ in reversed(run.passes) if pass_.number < current]
    for pass_ in later + earlier:
        step = pass_.ledger.completion(pass_.graph.find(name))
        if step is not None:
            return pass_.first + step
    return None
