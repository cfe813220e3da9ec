"""Scripts: what separates commands, and what `source` does with a file."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpstep.session import reports
from bpstep.session.commands import execute, split_script
from bpstep.session.errors import CommandError


@pytest.mark.parametrize(
    ("text", "commands"),
    [
        ("step ; next", ["step", "next"]),
        ("step; next", ["step", "next"]),
        ("step\nnext\r\nlist", ["step", "next", "list"]),
        ("; step ;; next ;", ["step", "next"]),
        ("# all of it; step", []),
        ("  # indented", []),
        ("step # go ; next", ["step"]),
        ("goto (e**2)#2 ; step", ["goto (e**2)#2", "step"]),
        ("export a;b.md", ["export a;b.md"]),
        ("step\n\n\n  \nnext", ["step", "next"]),
        ("", []),
    ],
)
def test_splitting(text, commands):
    assert split_script(text) == commands


@given(st.text(alphabet="s ;#\n()'", max_size=30))
def test_commands_are_never_empty_and_splitting_again_changes_nothing(text):
    commands = split_script(text)
    assert all(command == command.strip() != "" for command in commands)
    assert [again for command in commands for again in split_script(command)] == commands


@pytest.fixture
def script(tmp_path):
    def write(text, name="script.bp"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return write


def test_source_runs_the_commands_of_a_file(full, script):
    path = script("break p\ncontinue\n\n# where are we?\nprint grad(p); assert grad(p) == 16\n")
    outcome = execute(full, f"source {path}")
    assert outcome.session.position == 10
    assert [type(report) for report in outcome.reports] == [
        reports.BreakpointSet,
        reports.Stop,
        reports.Printed,
        reports.Asserted,
        reports.Sourced,
    ]
    assert outcome.reports[-1].commands == 4
    assert [(entry.line, entry.after) for entry in outcome.session.transcript] == [
        (f"source {path}", 0),
        ("break p", 0),
        ("continue", 10),
        ("print grad(p)", 10),
        ("assert grad(p) == 16", 10),
    ]


def test_an_empty_line_after_a_script_repeats_its_last_motion(full, script):
    session = execute(full, f"source {script('step 2')}").session
    assert execute(session, "").session.position == 4


def test_scripts_may_read_scripts_but_not_themselves(full, script):
    inner = script("step 3\n", "inner.bp")
    outer = script(f"source {inner}\nsource {inner}\n", "outer.bp")
    assert execute(full, f"source {outer}").session.position == 6
    script(f"step\nsource {outer}\n", "inner.bp")
    with pytest.raises(CommandError, match="reads itself") as caught:
        execute(full, f"source {outer}")
    assert (caught.value.source, caught.value.source_line) == (str(inner), 2)
    assert caught.value.done.session.position == 1


def test_a_mistake_in_a_script_names_its_line_and_keeps_what_was_done(full, script):
    path = script("step 2\n# fine so far\nstep ; gooto 5\nstep\n")
    with pytest.raises(CommandError) as caught:
        execute(full, f"step; source {path}; step")
    error = caught.value
    assert str(error).startswith(f"{path}:3: no command is called 'gooto'; did you mean 'goto'?")
    assert (error.line, error.start, error.end) == ("gooto 5", 0, 5)
    assert error.done.session.position == 4
    assert [type(report) for report in error.done.reports] == [reports.Stop] * 3


def test_quit_in_a_script_quits(full, script):
    outcome = execute(full, f"source {script('step; quit; step')}; step")
    assert outcome.quit
    assert outcome.session.position == 1


def test_export_in_a_script_is_asked_for(full, script):
    outcome = execute(full, f"source {script('export notes.md')}; step")
    assert [export.path.name for export in outcome.exports] == ["notes.md"]


def test_a_script_that_is_no_text(full, tmp_path):
    path = tmp_path / "binary"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(CommandError, match="not UTF-8"):
        execute(full, f"source {path}")
    path.write_text("step\n" * 300_000)
    with pytest.raises(CommandError, match="longer than 1000000 characters"):
        execute(full, f"source {path}")
    with pytest.raises(CommandError, match=r"cannot read .*directory"):
        execute(full, f"source {tmp_path}")
