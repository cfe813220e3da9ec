"""Where a session stands, as data: the step just taken and the one to come."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from bpstep.session.motion import pass_at
from bpstep.session.standing import Place, Upcoming

if TYPE_CHECKING:
    from bpstep.engine.program import Pass
    from bpstep.session.session import Session


@lru_cache(maxsize=4)
def place(session: Session) -> Place:
    """The place of a session: what its current step did, and what follows.

    Several panes ask for the same one, one after the other.
    """
    pass_, node, state = session.pass_, session.receiver, session.state
    if pass_ is None or node is None or state is None:
        return _nowhere(session)
    step = session.step_in_pass
    return Place(
        position=session.position,
        total=session.total,
        pass_number=pass_.number,
        passes=len(session.run.passes),
        step=step,
        steps=len(pass_.ledger),
        kind="start" if step == 0 else "seed" if step == 1 else "contribution",
        node=pass_.graph.label(node),
        grad=state.grad(node),
        arrived=state.arrived(node),
        expected=pass_.ledger.expected(node),
        complete=state.complete(node),
        contribution=session.contribution,
        upcoming=upcoming(session),
        error=session.run.error if session.end else None,
        after=_epilogue(session),
    )


def _epilogue(session: Session) -> str | None:
    last = session.run.epilogue if session.end else None
    return last.text if last else None


def _nowhere(session: Session) -> Place:
    return Place(
        position=0,
        total=0,
        pass_number=0,
        passes=0,
        step=0,
        steps=0,
        kind="start",
        node=None,
        grad=None,
        arrived=0,
        expected=0,
        complete=False,
        contribution=None,
        upcoming=None,
        error=session.run.error,
    )


def upcoming(session: Session) -> Upcoming | None:
    """The next step, in this pass or the next; None at the end."""
    step = session.position + 1
    if step > session.total:
        return None
    return _described(pass_at(session.run, step), step)


def _described(pass_: Pass, step: int) -> Upcoming:
    ledger, label = pass_.ledger, pass_.graph.label
    local = step - pass_.first
    node = label(ledger.receiver(local))
    if local == 1:
        return Upcoming(step, node, None, None)
    source, operand = int(ledger.sources[local - 2]), int(ledger.operands[local - 2])
    return Upcoming(step, node, label(source), operand)
