"""`bpstep replay`: scenarios without a screen, step by step or as commands ask.

A file or command that is wrong is reported, and what can still be done is done.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from bpstep.cli.console import Output, complain, note
from bpstep.cli.loading import ScriptCommand, load
from bpstep.cli.progress import telling
from bpstep.cli.status import FAILED, FINE, WRONG
from bpstep.engine.errors import BpstepError
from bpstep.render.errors import error_text, run_error_text, unwritten
from bpstep.render.replay import opening, reported, whole
from bpstep.render.sanitize import visible
from bpstep.render.writers import WRITERS, Writer
from bpstep.scenario import Scenario
from bpstep.session.commands import Outcome, execute, find_command, parse_call
from bpstep.session.errors import CommandError
from bpstep.session.reports import Asserted
from bpstep.session.session import Session

if TYPE_CHECKING:
    from bpstep.render.writers import Line
    from bpstep.session.reports import Report
    from bpstep.session.trace import Event


def replay(
    names: Sequence[str], script: Sequence[ScriptCommand] | None, form: str, output: Output
) -> int:
    """Replay scenarios one after another, each with the whole script, or step by step.

    Commands that do not exist are told before anything is run; those before the first are run.
    """
    writer, status = WRITERS.get(form, Silent)(), FINE
    if script is not None and (slips := _unknown(script)):
        for slip in slips.values():
            complain(slip)
        script, status = script[: min(slips)], WRONG
    return max(status, *(_replay_one(name, script, form, writer, output) for name in names))


def _unknown(script: Sequence[ScriptCommand]) -> dict[int, str]:
    """What is said about the commands of a script that do not exist, by their place in it."""
    said = {}
    for number, command in enumerate(script):
        try:
            find_command(parse_call(command.text).name)
        except CommandError as error:
            error.line = command.text
            said[number] = error_text(error, command.place)
    return said


class Silent:
    """The writer of what is drawn only when all is done: nothing is written before."""

    def events(self, session: Session, events: Iterable[Event]) -> Iterator[Line]:
        """Nothing."""
        yield from ()

    def command(self, line: str) -> Iterator[Line]:
        """Nothing."""
        yield from ()

    def report(self, report: Report, dtype: str) -> Iterator[Line]:
        """Nothing."""
        yield from ()

    def close(self) -> Iterator[Line]:
        """Nothing."""
        yield from ()


def _replay_one(
    name: str,
    script: Sequence[ScriptCommand] | None,
    form: str,
    writer: Writer,
    output: Output,
) -> int:
    try:
        scenario = load(name)
        session = Session.open(scenario)
    except BpstepError as error:
        complain(error_text(error))
        return WRONG
    if script is None:
        replayed = _whole(session, form, writer, output)
    else:
        output.write(opening(session, writer))
        replayed = _carried_out(_Replay(session, FINE), script, writer, output)
        output.write(_drawn(replayed.session, form))
    output.write(writer.close())
    return max(replayed.status, _ending(scenario, replayed.session))


def _whole(session: Session, form: str, writer: Writer, output: Output) -> _Replay:
    """Every step, and the checks and updates that the scenario asks for."""
    try:
        if form in WRITERS:
            with telling() as told:
                output.write(told.before(whole(session, writer)))
        output.write(_drawn(session, form, entire=True))
    except CommandError as error:
        complain(error_text(error, session.scenario.path))
        return _Replay(session, WRONG)
    return _Replay(session, FINE)


def _drawn(session: Session, form: str, *, entire: bool = False) -> Iterator[str]:
    """A picture, where the form is one: in one piece."""
    if form not in WRITERS:
        from bpstep.render.export import exported

        yield exported(session, f".{form}", entire=entire).removesuffix("\n")


@dataclass(frozen=True, eq=False)
class _Replay:
    """How far a script has come."""

    session: Session
    status: int
    over: bool = False

    def after(self, outcome: Outcome, status: int) -> _Replay:
        return _Replay(outcome.session, max(self.status, status), outcome.quit)


def _carried_out(
    replayed: _Replay, script: Sequence[ScriptCommand], writer: Writer, output: Output
) -> _Replay:
    """Every command in turn, up to one that is wrong or ends the replay."""
    for command in script:
        output.write(writer.command(command.text))
        try:
            with telling():
                outcome = execute(replayed.session, command.text)
            replayed = replayed.after(outcome, _shown(outcome, writer, output))
        except CommandError as error:
            done = error.done or Outcome(replayed.session)
            _shown(done, writer, output)
            complain(error_text(error, command.place))
            return replayed.after(done, WRONG)
        if replayed.over:
            break
    return replayed


def _shown(outcome: Outcome, writer: Writer, output: Output) -> int:
    """Write what a command did; FAILED where an assertion does not hold."""
    output.write(reported(outcome.reports, outcome.session.scenario.dtype, writer))
    for export in outcome.exports:
        _export(export.session, export.path)
    broken = any(isinstance(one, Asserted) and not one.held for one in outcome.reports)
    return FAILED if broken else FINE


def _export(session: Session, path: Path) -> None:
    """Save the transcript; raises CommandError where the file cannot be written."""
    from bpstep.render.export import exported

    try:
        path.write_text(exported(session, path.suffix), encoding="utf-8", newline="\n")
    except (OSError, ValueError) as error:
        raise CommandError(unwritten(path, error)) from None
    note(f"wrote {visible(str(path))}")


def _ending(scenario: Scenario, session: Session) -> int:
    """FAILED where the run ends in an error that its scenario does not expect."""
    error = session.run.error
    if error is None or error.code == scenario.expect.error:
        return FINE
    complain(run_error_text(scenario.path, error))
    return FAILED
