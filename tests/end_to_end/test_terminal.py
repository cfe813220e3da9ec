"""The app in a real terminal: opened, stepped, left, and nothing of it stays behind."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from terminal import PROGRAM, Terminal


@pytest.fixture(params=[(80, 24), (120, 36)], ids=["80x24", "120x36"])
def full(request: pytest.FixtureRequest) -> Iterator[Terminal]:
    columns, rows = request.param
    terminal = Terminal(*PROGRAM, "full", columns=columns, rows=rows)
    yield terminal
    terminal.program.close(force=True)


def test_step_into_the_middle_of_a_sum_and_back_and_to_the_end(full: Terminal) -> None:
    full.wait_for("step 0 of 13", "q quit")
    full.type("6s")
    full.wait_for("step 6 of 13", "◐ p has 1 of 2", "gradient so far 4", "awaited")
    full.type("4s")
    full.wait_for("step 10 of 13", "● p is complete", "gradient 16")
    full.type("4S")
    full.wait_for("step 6 of 13", "◐ p has 1 of 2", "gradient so far 4")
    full.type("G")
    full.wait_for("step 13 of 13", "● x is complete")
    full.type(":goto p\r")
    full.wait_for("step 10 of 13", "gradient 16")
    full.type("q")
    assert full.ended() == 0
    assert full.received.count(b"\x1b[?1049h") == full.received.count(b"\x1b[?1049l") == 1
    assert full.received.rindex(b"\x1b[?25h") > full.received.rindex(b"\x1b[?25l")
    for mode in (b"1000", b"1003", b"1006", b"2004"):
        asked, undone = b"\x1b[?" + mode + b"h", b"\x1b[?" + mode + b"l"
        assert full.received.rfind(undone) >= full.received.rfind(asked)


def test_a_resize_is_harmless(full: Terminal) -> None:
    full.wait_for("step 0 of 13")
    for columns, rows in ((40, 12), (200, 60), (20, 5), (80, 24)):
        full.program.setwinsize(rows, columns)
        full.screen.resize(rows, columns)
    full.type("6s")
    full.wait_for("step 6 of 13", "◐ p has 1 of 2")
    full.type("q")
    assert full.ended() == 0


def test_a_wrong_file_shows_its_line_and_ends_in_status_2(tmp_path: Path) -> None:
    file = tmp_path / "wrong.yaml"
    file.write_text("bpstep: 1\ntitle: Wrong\nparams: {w: 1}\ngraph: {loss: w * ww}\n")
    terminal = Terminal(*PROGRAM, str(file))
    terminal.wait_for("wrong.yaml", "4 | graph: {loss: w * ww}", "^^", "q quit")
    terminal.type("q")
    assert terminal.ended() == 2


def test_a_scenario_from_standard_input_takes_its_keys_from_the_terminal(tmp_path: Path) -> None:
    file = tmp_path / "square.yaml"
    file.write_text("bpstep: 1\ntitle: A square\nparams: {w: 3}\ngraph: {loss: w * w}\n")
    terminal = Terminal("/bin/sh", "-c", f"'{sys.executable}' -m bpstep - < '{file}'")
    terminal.wait_for("A square", "step 0 of 3")
    terminal.type("2s")
    terminal.wait_for("◐ w has 1 of 2")
    terminal.type("q")
    assert terminal.ended() == 0


COLOUR = re.compile(rb"\x1b\[(?:[0-9;]*;)?(?:3[0-8]|4[0-8]|9[0-7]|10[0-7])[;m]")


@pytest.mark.parametrize("no_color", ["", "1"])
def test_no_color_is_obeyed_and_loses_nothing(no_color: str) -> None:
    variables = {"NO_COLOR": no_color} if no_color else {}
    terminal = Terminal(*PROGRAM, "full", **variables)
    terminal.wait_for("step 0 of 13", "q quit")
    terminal.type("6skkb")
    terminal.wait_for("◐ p has 1 of 2", "›◆○ x", "▶ ◐ p")
    terminal.type("q")
    assert terminal.ended() == 0
    assert bool(COLOUR.search(terminal.received)) is not bool(no_color)
