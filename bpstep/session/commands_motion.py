"""Commands that move: they end in a stop, which tells where and why."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from bpstep.session import motion
from bpstep.session.arguments import count, required
from bpstep.session.command import Call, Outcome
from bpstep.session.errors import CommandError
from bpstep.session.parsing import node_index
from bpstep.session.places import place
from bpstep.session.reports import Reason, Stop
from bpstep.session.session import Session
from bpstep.session.watching import watched

if TYPE_CHECKING:
    from bpstep.session.breakpoints import Breakpoint

Move = Callable[[Session, int], Session]


def stopped(before: Session, after: Session, hits: tuple[Breakpoint, ...] = ()) -> Outcome:
    """The outcome of a motion from one position to another."""
    report = Stop(
        session=replace(after, transcript=()),
        place=place(after),
        reason=_reason(after, hits),
        before=before.position,
        hits=hits,
        watches=watched(after),
    )
    return Outcome(after, (report,))


def _reason(session: Session, hits: tuple[Breakpoint, ...]) -> Reason:
    if hits:
        return "breakpoint"
    if session.position == session.total:
        return "error" if session.run.error else "end"
    return "start" if session.position == 0 else "moved"


def counted(move: Move) -> Callable[[Session, Call], Outcome]:
    """A command that repeats a motion N times."""

    def run(session: Session, call: Call) -> Outcome:
        return stopped(session, move(session, count(call)))

    return run


def to_breakpoint(move: Move) -> Callable[[Session, Call], Outcome]:
    """A command that repeats N times a motion that breakpoints stop."""

    def run(session: Session, call: Call) -> Outcome:
        after = move(session, count(call))
        moved = after.position != session.position
        return stopped(session, after, after.hits() if moved else ())

    return run


step = counted(Session.step)
reverse_step = counted(Session.back)
next_ = counted(Session.next)
reverse_next = counted(Session.reverse_next)
next_pass = counted(Session.next_pass)
continue_ = to_breakpoint(Session.run_on)
reverse_continue = to_breakpoint(Session.run_back)


def goto(session: Session, call: Call) -> Outcome:
    """To a step's number, to where a node is complete, to the start or the end."""
    target = required(call, "a step, a node, start or end")
    if target in ("start", "end"):
        return stopped(session, session.at(0 if target == "start" else session.total))
    if target.lstrip("-").isdecimal():
        return stopped(session, session.at(_step(session, call, int(target[:20]))))
    return stopped(session, session.at(_completion(session, call)))


def _step(session: Session, call: Call, step: int) -> int:
    if not 0 <= step <= session.total:
        raise _at_argument(call, f"there is no step {step}: this run has 0 to {session.total}")
    return step


def _completion(session: Session, call: Call) -> int:
    graph = session.view.graph
    name = graph.label(node_index(graph, call.text, call.offset))
    found = motion.completion(session.run, session.position, name)
    if found is None:
        raise _at_argument(call, f"nothing arrives at {name}: it is never complete")
    return found


def _at_argument(call: Call, message: str) -> CommandError:
    return CommandError(message, start=call.offset, end=call.offset + len(call.text))
