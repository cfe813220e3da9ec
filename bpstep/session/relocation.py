"""The same place in another run: the same pass and contribution, or else the nearest position."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from bpstep.session.edges import index_of, sent_by
from bpstep.session.motion import pass_at

if TYPE_CHECKING:
    from bpstep.engine.program import Pass, Run


class Located(NamedTuple):
    """A position, and whether it is the same step."""

    position: int
    same: bool


def relocate(before: Run, position: int, after: Run) -> Located:
    """The position in ``after`` that ``position`` is in ``before``."""
    if position == 0 or not before.passes:
        return Located(0, True)
    old = pass_at(before, position)
    new = next((pass_ for pass_ in after.passes if pass_.number == old.number), None)
    if new is None:
        return Located(min(position, after.steps), False)
    step = position - old.first
    found = min(1, len(new.ledger)) if step == 1 else _same_contribution(old, step, new)
    if found:
        return Located(new.first + found, True)
    return Located(new.first + min(step, len(new.ledger)), False)


def _same_contribution(old: Pass, step: int, new: Pass) -> int | None:
    contribution = old.ledger.contribution(step)
    source = index_of(new.graph, contribution.source)
    target = index_of(new.graph, contribution.target)
    if source is None or target is None:
        return None
    for candidate in sent_by(new.ledger, source):
        same_operand = new.ledger.operands[candidate - 2] == contribution.operand
        if same_operand and new.ledger.targets[candidate - 2] == target:
            return candidate
    return None
