"""A session and what is done in it as a stream of lines: what `replay` prints, `export` saves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from bpstep.session import trace
from bpstep.session.commands import execute
from bpstep.session.reports import Stop

if TYPE_CHECKING:
    from bpstep.render.writers import Line, Writer
    from bpstep.session.reports import Report
    from bpstep.session.session import Session


def whole(session: Session, writer: Writer) -> Iterator[Line]:
    """Everything that happens, from the first statement to the result, and what is asked of it."""
    yield from writer.events(session, trace.events(session))
    for command in asked(session):
        yield from writer.command(command)
        reports = execute(session.at(session.total), command).reports
        yield from reported(reports, session.scenario.dtype, writer)


def asked(session: Session) -> Iterator[str]:
    """What `checks` and `updates` of a scenario ask for; nothing where the run ends in an error."""
    if session.run.error is None and session.run.passes:
        if session.scenario.checks:
            yield "check"
        if session.scenario.updates:
            yield "update"


def opening(session: Session, writer: Writer) -> Iterator[Line]:
    """What comes before the first step; all there is, if there is no step."""
    stop = 0 if session.total else None
    yield from writer.events(session, trace.events(session, None, stop))


def reported(reports: Iterable[Report], dtype: str, writer: Writer) -> Iterator[Line]:
    """What a command did: on a way forward the steps taken, then its reports."""
    for report in reports:
        if isinstance(report, Stop):
            yield from _taken(report, writer)
        yield from writer.report(report, dtype)


def _taken(stop: Stop, writer: Writer) -> Iterator[Line]:
    """The steps of a motion, and the result where it reached the end. None on a way back."""
    session, reached = stop.session, stop.place.position
    if reached > stop.before:
        end = None if reached == session.total else reached
        yield from writer.events(session, trace.events(session, stop.before, end))


def transcript(session: Session, writer: Writer) -> Iterator[Line]:
    """The opening and every command so far, as a replay with these commands would print it."""
    dtype = session.scenario.dtype
    yield from opening(session.restart(), writer)
    for entry in session.transcript:
        yield from writer.command(entry.line)
        yield from reported(entry.reports, dtype, writer)
    yield from writer.close()
