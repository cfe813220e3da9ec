"""The command language: from a line to what it does. One language for the app and for scripts."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from bpstep.engine.errors import BpstepError
from bpstep.session.command import Call, Command, Outcome
from bpstep.session.errors import LISTS, CommandError, hint
from bpstep.session.script import commands_in, split_script
from bpstep.session.session import Entry, Session
from bpstep.session.table import COMMANDS

__all__ = ["COMMANDS", "Call", "Command", "Outcome", "execute", "find_command", "split_script"]

SEPARATED = "';' between commands stands after a space"

_CALL = re.compile(r"\s*(?P<name>[\w-]*)\s*(?P<text>.*?)\s*", re.DOTALL)


def execute(session: Session, line: str, scripts: tuple[Path, ...] = ()) -> Outcome:
    """Carry out the commands of a line; an empty one repeats the last motion.

    ``scripts`` are the scripts being read, which ``source`` may not read again. Raises
    CommandError, with the commands before the wrong one as its ``done``.
    """
    outcome = Outcome(session)
    commands = commands_in(line)
    if not line.strip() and session.last_motion:
        commands = (session.last_motion,)
    for text in commands:
        try:
            outcome = outcome.then(_carried_out(outcome.session, text, scripts))
        except CommandError as error:
            raise _after(outcome, error) from None
        if outcome.quit:
            break
    return outcome


def _after(outcome: Outcome, error: CommandError) -> CommandError:
    error.done = outcome.then(error.done) if error.done else outcome
    return error


def _carried_out(session: Session, line: str, scripts: tuple[Path, ...]) -> Outcome:
    try:
        call = parse_call(line, scripts)
        if call.text.startswith(";"):
            raise CommandError(SEPARATED, start=call.offset)
        command = find_command(call.name)
        outcome = command.run(session, replace(call, name=command.name))
    except CommandError as error:
        error.line = error.line or line
        if ";" in line and error.source is None and error.message != SEPARATED:
            error.message += f"; {SEPARATED}"
        raise
    except BpstepError as error:
        raise _told(error, line) from error
    after = outcome.session
    if command.motion:
        after = replace(after, last_motion=line)
    if not command.records_itself:
        entry = Entry(line, session.position, after.position, outcome.reports)
        after = replace(after, transcript=(*session.transcript, entry))
    return replace(outcome, session=after)


def _told(error: BpstepError, line: str) -> CommandError:
    """A mistake found deeper down (a shape, a name) as a mistake in this command."""
    told = CommandError(str(error), code=error.code)
    told.line = line
    return told


def parse_call(line: str, scripts: tuple[Path, ...] = ()) -> Call:
    """A command line as the name of a command and the text after it."""
    match = _CALL.fullmatch(line)
    assert match is not None, "the pattern fits any line"
    return Call(line, match["name"], match["text"], match.start("text"), scripts)


def find_command(name: str) -> Command:
    """A command by name, alias or unambiguous beginning; raises CommandError with the choices."""
    for command in COMMANDS:
        if name in (command.name, command.alias):
            return command
    matching = [command for command in COMMANDS if name and command.name.startswith(name)]
    if len(matching) == 1:
        return matching[0]
    names = [command.name for command in matching or COMMANDS]
    if matching:
        message = f"{name!r} could be {', '.join(names)}"
    else:
        message = f"no command is called {name!r}{hint(name, names, LISTS['command'])}"
    raise CommandError(message, start=0, end=max(len(name), 1), choices=names)
