"""What a call names: scenarios and scripts, from files, by name, or from standard input."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from bpstep.engine.errors import BpstepError

if TYPE_CHECKING:
    from bpstep.scenario import Scenario

STDIN = "-"


@dataclass(frozen=True)
class ScriptCommand:
    """A command to carry out, and where it stands: "steps.txt:3", "-c"."""

    text: str
    place: str


def load(name: str) -> Scenario:
    """A scenario from a file, by its name, or from standard input; raises ScenarioError."""
    from bpstep import scenario
    from bpstep.scenario.files import decoded

    if name == STDIN:
        return scenario.loads(decoded(STDIN, _standard_input()).text, STDIN)
    return scenario.load(name)


def commands_of(text: str, place: str) -> Iterator[ScriptCommand]:
    """The commands of a text that was given with -c."""
    from bpstep.session.script import split_script

    for command in split_script(text):
        yield ScriptCommand(command, place)


def commands_in(script: str) -> Iterator[ScriptCommand]:
    """The commands of a script's file; raises BpstepError for what cannot be read."""
    from bpstep.session.script import script_lines

    for line in script_lines(_script(script)):
        yield ScriptCommand(line.text, f"{script}:{line.number}")


def _script(name: str) -> str:
    try:
        raw = _standard_input() if name == STDIN else Path(name).read_bytes()
        return raw.decode("utf-8")
    except OSError as error:
        raise BpstepError(f"cannot read {name}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise BpstepError(f"cannot read {name}: it is not UTF-8 text") from None


def _standard_input() -> bytes:
    """All of standard input, up to one byte more than a scenario may have."""
    from bpstep.scenario.files import MAX_BYTES

    return sys.stdin.buffer.read(MAX_BYTES + 1)
