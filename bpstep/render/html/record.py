"""What was done and reported, as sections of HTML: of a session, or of a whole run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape
from typing import TYPE_CHECKING

from bpstep.render.bounded import limited
from bpstep.render.html.result import result_table
from bpstep.render.html.spans import html_block
from bpstep.render.lines import cut
from bpstep.render.replay import asked, opening, reported
from bpstep.render.textwriter import TextWriter
from bpstep.session.commands import execute

if TYPE_CHECKING:
    from bpstep.render.writers import Line
    from bpstep.session.session import Session

MOST_LINES = 300
"""A section has no more than so many lines."""

MOST_COMMANDS = 200
"""No more than so many commands, the last ones, have a section."""

LONGEST = 300


def of_session(session: Session) -> Iterator[str]:
    """What is evaluated, then every command with its reports."""
    writer, dtype = TextWriter(), session.scenario.dtype
    yield _section("What is evaluated", opening(session.restart(), writer))
    dropped = len(session.transcript) - MOST_COMMANDS
    if dropped > 0:
        yield f"<p>The first {dropped} commands are left out here.</p>"
    for entry in session.transcript[-MOST_COMMANDS:]:
        yield _section(f"> {entry.line}", reported(entry.reports, dtype, writer))


def of_run(session: Session) -> Iterator[str]:
    """What is evaluated, the result, and what the scenario asks for: checks and updates.

    Raises CommandError where a check or an update cannot be made.
    """
    writer, dtype, end = TextWriter(), session.scenario.dtype, session.at(session.total)
    yield _section("What is evaluated", opening(session, writer))
    if session.run.error is None:
        yield result_table(session)
    for command in asked(session):
        yield _section(f"> {command}", reported(execute(end, command).reports, dtype, writer))


def _section(title: str, lines: Iterable[Line]) -> str:
    texts = list(limited(lines, MOST_LINES))
    while texts and not texts[0].plain:
        del texts[0]
    head = f"<h3>{escape(cut(title, LONGEST))}</h3>"
    body = f'<pre class="scroll" tabindex="0">{html_block(texts)}</pre>' if texts else ""
    return f"<section>{head}{body}</section>"
