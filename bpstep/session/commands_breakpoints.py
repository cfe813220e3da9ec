"""Commands that set, list and remove breakpoints."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Protocol, TypeVar

from bpstep.session.arguments import at, nothing, required, whole, words
from bpstep.session.command import Call, Outcome
from bpstep.session.errors import CommandError
from bpstep.session.reports import BreakpointDeleted, BreakpointList, BreakpointSet

if TYPE_CHECKING:
    from bpstep.session.session import Session


class Numbered(Protocol):
    """A thing that is removed by its number."""

    @property
    def number(self) -> int:
        """Its number."""


T = TypeVar("T", bound=Numbered)


def break_(session: Session, call: Call) -> Outcome:
    """Set a breakpoint."""
    text = required(call, "a node, A -> B, op OP, a condition, or nonfinite")
    session = session.add_breakpoint(text, call.offset)
    return Outcome(session, (BreakpointSet(session.breakpoints[-1]),))


def breakpoints(session: Session, call: Call) -> Outcome:
    """List the breakpoints."""
    nothing(call)
    return Outcome(session, (BreakpointList(session.breakpoints),))


def delete(session: Session, call: Call) -> Outcome:
    """Remove one breakpoint, or all."""
    gone, kept = removed("breakpoint", session.breakpoints, call)
    return Outcome(replace(session, breakpoints=kept), (BreakpointDeleted(gone),))


def removed(what: str, items: tuple[T, ...], call: Call) -> tuple[tuple[T, ...], tuple[T, ...]]:
    """Split ``items`` into those whose numbers are given (all, if none are) and the others.

    Raises CommandError for a number that none of them has.
    """
    given = words(call)
    numbers = {whole(call, word) for word in given}
    known = {item.number for item in items}
    for word in given:
        if int(word.text) not in known:
            raise _no_such(what, items, at(word, f"there is no {what} {word.text}"))
    gone = tuple(item for item in items if not given or item.number in numbers)
    return gone, tuple(item for item in items if item not in gone)


def _no_such(what: str, items: tuple[T, ...], error: CommandError) -> CommandError:
    error.choices = tuple(str(item.number) for item in items)
    return error
