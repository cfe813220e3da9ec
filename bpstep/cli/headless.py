"""What the program does without a screen: replays and checks, file after file, to an exit status.

A file or command that is wrong is reported, and what can still be done is done.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from bpstep.cli.console import Output, complain, standard_input
from bpstep.engine.errors import BpstepError
from bpstep.render.errors import error_text, run_error_text

if TYPE_CHECKING:
    from bpstep.render.checkreport import Checked
    from bpstep.render.writers import Writer
    from bpstep.scenario import Scenario
    from bpstep.session.command import Outcome
    from bpstep.session.session import Session

FINE, FAILED, WRONG = 0, 1, 2
"""Exit statuses; of several files the greatest counts."""

STDIN = "-"
ENDINGS = (".yaml", ".yml")


@dataclass(frozen=True)
class ScriptCommand:
    """A command to carry out, and where it stands: "steps.txt:3", "-c"."""

    text: str
    place: str


def read_script(name: str) -> str:
    """The text of a script, `-` being standard input; raises BpstepError for what is no text."""
    try:
        raw = standard_input() if name == STDIN else Path(name).read_bytes()
        return raw.decode()
    except OSError as error:
        raise BpstepError(f"cannot read {name}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise BpstepError(f"cannot read {name}: it is not UTF-8 text") from None


def script_commands(text: str, place: str) -> Iterator[ScriptCommand]:
    """The commands of a script (`place` is its file) or of one -c."""
    from bpstep.session.script import script_lines

    for line in script_lines(text):
        yield ScriptCommand(line.text, place if place == "-c" else f"{place}:{line.number}")


def load(name: str) -> Scenario:
    """A scenario from a file, by its name, or from standard input; raises ScenarioError."""
    from bpstep import scenario

    return scenario.loads(standard_input(), STDIN) if name == STDIN else scenario.load(name)


def replay(
    names: Sequence[str], script: Sequence[ScriptCommand] | None, form: str, output: Output
) -> int:
    """Replay scenarios one after another, each with the whole script, or step by step."""
    from bpstep.render.writers import WRITERS

    writer = WRITERS[form]()
    return max(_replay_one(name, script, writer, output) for name in names)


def _replay_one(
    name: str, script: Sequence[ScriptCommand] | None, writer: Writer, output: Output
) -> int:
    from bpstep.render.replay import opening, whole
    from bpstep.session.session import Session

    try:
        session = Session.open(load(name))
    except BpstepError as error:
        complain(error_text(error))
        return WRONG
    if script is not None:
        output.write(opening(session, writer))
        session, status = _carry_out(session, script, writer, output)
    else:
        output.write(whole(session, writer))
        status = FINE
    output.write(writer.close())
    return max(status, _ending(session))


def _carry_out(
    session: Session, script: Sequence[ScriptCommand], writer: Writer, output: Output
) -> tuple[Session, int]:
    """Every command in turn, up to one that is wrong."""
    from bpstep.session.commands import execute
    from bpstep.session.errors import CommandError

    status = FINE
    for command in script:
        output.write(writer.command(command.text))
        try:
            outcome = execute(session, command.text)
        except BpstepError as error:
            if isinstance(error, CommandError) and error.done is not None:
                session, status = error.done.session, max(status, _show(error.done, writer, output))
            complain(error_text(error, command.place))
            return session, WRONG
        session, status = outcome.session, max(status, _show(outcome, writer, output))
        if outcome.quit:
            break
    return session, status


def _show(outcome: Outcome, writer: Writer, output: Output) -> int:
    """Write what a command did; the status is FAILED where an assertion does not hold."""
    from bpstep.render.replay import reported
    from bpstep.session.reports import Asserted

    output.write(reported(outcome.reports, outcome.session.scenario.dtype, writer))
    if outcome.export is not None:
        _export(outcome.session, outcome.export)
    broken = any(isinstance(one, Asserted) and not one.held for one in outcome.reports)
    return FAILED if broken else FINE


def _export(session: Session, path: Path) -> None:
    """Save the transcript; raises OSError where the file cannot be written."""
    from bpstep.render.export import exported

    path.write_text(exported(session, path.suffix), encoding="utf-8", newline="\n")


def _ending(session: Session) -> int:
    """FAILED where the run ends in an error that its scenario does not expect."""
    error, expected = session.run.error, session.scenario.expect.error
    if error is None or error.code == expected:
        return FINE
    complain(run_error_text(session.scenario.path, error))
    return FAILED


def check(paths: Sequence[str], report: Callable[[Sequence[Checked]], str], output: Output) -> int:
    """Hold scenarios against what they expect, and write one report about all."""
    names, status = [], FINE
    for path in paths:
        found = list(_scenarios_in(path))
        if not found:
            complain(f"{path}: no scenario ({', '.join(ENDINGS)}) in this folder")
            status = WRONG
        names += found
    checked = [_check_one(name) for name in names]
    output.write(report(checked).splitlines())
    wrong = any(one.problem is not None for one in checked)
    failed = any(not one.ok for one in checked)
    return max(status, WRONG if wrong else FAILED if failed else FINE)


def _scenarios_in(path: str) -> Iterator[str]:
    """A folder's scenarios by name; anything else is itself."""
    folder = Path(path)
    if path == STDIN or not folder.is_dir():
        yield path
        return
    yield from (str(file) for file in sorted(folder.iterdir()) if file.suffix in ENDINGS)


def _check_one(name: str) -> Checked:
    from bpstep.render.checkreport import Checked
    from bpstep.session.expect import judge

    checked = Checked(file=name)
    try:
        scenario = load(name)
        checked = replace(checked, title=scenario.title, dtype=scenario.dtype)
        return replace(checked, judged=judge(scenario))
    except BpstepError as error:
        complain(error_text(error))
        return replace(checked, problem=str(error))


def list_library(output: Output) -> int:
    """The scenarios that come with the program, in teaching order, each with its title."""
    from bpstep.render.lines import columns
    from bpstep.scenario import library, short_name

    output.write(columns([[short_name(path), _title(path)] for path in library()], indent=0))
    return FINE


def _title(path: Path) -> str:
    try:
        return load(str(path)).title
    except BpstepError:
        return "(not a valid scenario)"


def print_schema(output: Output) -> int:
    """The JSON Schema of the scenario format."""
    import json

    from bpstep.scenario import json_schema

    output.write([json.dumps(json_schema(), indent=2)])
    return FINE
