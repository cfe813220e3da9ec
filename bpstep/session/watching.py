"""Expressions that are printed once, or watched at every stop."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bpstep.session import parsing
from bpstep.session.errors import CommandError
from bpstep.session.scope import Scope
from bpstep.session.standing import Printed, Watch, Watched

if TYPE_CHECKING:
    from bpstep.session.session import Session


def printed(session: Session, text: str, offset: int = 0) -> Printed:
    """The value of an expression at the session's position.

    ``offset`` is where it starts in its line. Raises CommandError where it cannot be evaluated.
    """
    scope = Scope(session.view, session.step_in_pass)
    parsed = parsing.expression(text, offset)
    value = parsing.value(parsed, scope, offset)
    if value is None:
        parsing.check_names(parsed, scope, offset)
    return Printed(text, value, scope.missing if value is None else None)


def watched(session: Session) -> tuple[Watched, ...]:
    """All watches, as they are at the session's position."""
    return tuple(_watched(session, watch) for watch in session.watches)


def _watched(session: Session, watch: Watch) -> Watched:
    try:
        return Watched(watch.number, printed(session, watch.text))
    except CommandError as error:
        return Watched(watch.number, Printed(watch.text, None), fault=error.message)
