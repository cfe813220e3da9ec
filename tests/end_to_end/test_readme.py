"""What the README claims: its examples are run, its lists are held against the program's."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from bpstep.engine import ops
from bpstep.engine.conventions import KEYS
from bpstep.scenario import loads
from bpstep.scenario.schema import File
from bpstep.session.commands import COMMANDS
from bpstep.tui.keys import DEBUG_KEYS

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", README, flags=re.MULTILINE | re.DOTALL)
CODE = re.findall(r"`([^`\n]+)`", README)
TRANSCRIPTS = [text for language, text in BLOCKS if text.startswith("$ bpstep ")]


def block(language: str, beginning: str) -> str:
    """The one block of a language that begins like this."""
    (found,) = (text for kind, text in BLOCKS if kind == language and text.startswith(beginning))
    return found


def test_there_are_transcripts() -> None:
    assert TRANSCRIPTS


@pytest.mark.parametrize("transcript", TRANSCRIPTS, ids=lambda text: text.partition("\n")[0][2:])
def test_a_transcript_is_what_the_program_prints(transcript: str) -> None:
    call, _, expected = transcript.partition("\n")
    arguments = shlex.split(call)[2:]
    done = subprocess.run(
        [sys.executable, "-m", "bpstep", *arguments], capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    for part in expected.split("…\n"):
        assert part in done.stdout


def test_the_python_example_runs(capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, object] = {}
    exec(block("python", "import bpstep"), names)
    ledger = names["ledger"]
    assert ledger.grad("w") == 32.0
    assert ledger.at(step=6).grad("p") == 4.0
    assert capsys.readouterr().out.splitlines()[0] == "y 1 4.0 1.0 4.0 4.0"


def test_the_example_scenario_comes_out_as_it_is_expected_to() -> None:
    expected = block("yaml", "expect:")
    assert "p: 16, w: 32" in expected
    run = loads(block("yaml", "bpstep: 1"), "README.md").run()
    assert (run.grad("p"), run.grad("w"), run.grad("target")) == (16.0, 32.0, None)


def test_the_example_of_an_operation_is_a_row_of_the_table() -> None:
    text = block("python", "Operation(").rstrip().removesuffix(",")
    row = eval(text, vars(ops).copy())
    step = 1e-6
    slope = (row.forward(1.5 + step) - row.forward(1.5 - step)) / (2 * step)
    assert row.rule(0).function(1.5) == pytest.approx(slope, rel=1e-8)
    assert row.name not in ops.OPERATIONS


@pytest.mark.parametrize("name", sorted(command.name for command in COMMANDS))
def test_every_command_is_described(name: str) -> None:
    assert any(text.split()[0] == name for text in CODE)


@pytest.mark.parametrize("alias", sorted(each.alias for each in COMMANDS if each.alias))
def test_every_alias_is_named(alias: str) -> None:
    assert alias in CODE


@pytest.mark.parametrize("name", sorted(row.name for row in ops.TABLE if row.callable))
def test_every_operation_is_listed(name: str) -> None:
    assert any(name in re.findall(r"\w+", text) for text in CODE)


@pytest.mark.parametrize("name", [*sorted(File.model_fields), *KEYS])
def test_every_key_and_convention_is_listed(name: str) -> None:
    assert name in CODE


@pytest.mark.parametrize("key", sorted({sign for key in DEBUG_KEYS for sign in key.shown}))
def test_every_key_is_listed(key: str) -> None:
    assert key in CODE
