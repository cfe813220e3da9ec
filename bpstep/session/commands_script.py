"""Commands about commands: reading a script, helping. They know the table only when they run."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from bpstep.session.arguments import required, words
from bpstep.session.command import Call, Outcome
from bpstep.session.errors import CommandError
from bpstep.session.reports import HelpReport, Sourced
from bpstep.session.script import script_lines
from bpstep.session.session import Entry

if TYPE_CHECKING:
    from bpstep.session.session import Session

LONGEST = 1_000_000
"""The most characters of a script: beyond, it is no script, and a device may have no end."""


def source(session: Session, call: Call) -> Outcome:
    """Run the commands of a file.

    Raises CommandError where it cannot be read, reads itself, or a command in it is wrong: then
    with the script's name and line, and what was done before.
    """
    from bpstep.session.commands import execute

    path = Path(os.path.expanduser(required(call, "a script")))
    entry = Entry(call.line, session.position, session.position, ())
    outcome = Outcome(replace(session, transcript=(*session.transcript, entry)))
    commands = 0
    for line in script_lines(_read(path, call)):
        try:
            step = execute(outcome.session, line.text, (*call.scripts, path.resolve()))
        except CommandError as error:
            raise _located(error, outcome, str(path), line.number) from None
        outcome, commands = outcome.then(step), commands + 1
        if outcome.quit:
            break
    return outcome.then(Outcome(outcome.session, (Sourced(path, commands),), quit=outcome.quit))


def _read(path: Path, call: Call) -> str:
    if path.resolve() in call.scripts:
        raise _at_path(call, f"{path} reads itself")
    try:
        with path.open(encoding="utf-8") as file:
            text = file.read(LONGEST + 1)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise _at_path(call, f"cannot read {path}: {reason}") from None
    except UnicodeDecodeError:
        raise _at_path(call, f"cannot read {path}: it is not UTF-8 text") from None
    if len(text) > LONGEST:
        raise _at_path(call, f"{path} is longer than {LONGEST} characters")
    return text


def _at_path(call: Call, message: str) -> CommandError:
    return CommandError(message, start=call.offset, end=len(call.line))


def _located(error: CommandError, done: Outcome, source: str, line: int) -> CommandError:
    if error.source is None:
        error.source, error.source_line = source, line
    error.done = done.then(error.done) if error.done else done
    return error


def help_(session: Session, call: Call) -> Outcome:
    """All commands in a line each, or one in full."""
    from bpstep.session.commands import COMMANDS, find_command

    given = words(call)
    if not given:
        return Outcome(session, (HelpReport(COMMANDS, details=False),))
    try:
        found = tuple(find_command(word.text) for word in given)
    except CommandError as error:
        error.start, error.end = call.offset, len(call.line)
        raise
    return Outcome(session, (HelpReport(found, details=True),))
