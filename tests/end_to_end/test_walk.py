"""A walk through all views in a real terminal: only what the terminal can take is sent to it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from terminal import PROGRAM, Terminal

VIEWS = (
    ("\r", "Esc back"),
    ("q", "q quit"),
    ("?", "Esc back"),
    ("q", "q quit"),
    ("z:print grad(loss)", "Tab complete"),
    ("\r", "grad(loss) = 1"),
    (":nonsense\r", "no command is called"),
    ("\x1b", "q quit"),
    ("o", "l learn"),
    ("o", "s step"),
    ("x", "Esc back"),
    ("\x1b", "s step"),
    ("d", "Esc back"),
    ("\r", "m differs"),
    ("q", "s step"),
    ("r", "read again"),
    ("\x10", "Search"),
)
"""Keys, and what is on the screen then."""


def walked(terminal: Terminal, total: int) -> Terminal:
    """Step through all tabs, then go through all screens, and quit from the palette."""
    terminal.wait_for(f"step 0 of {total}", "q quit")
    for step in range(1, total + 1):
        terminal.type("st" if step < 8 else "s")
        terminal.wait_for(f"step {step} of {total}")
    for keys, shown in VIEWS:
        terminal.type(keys)
        terminal.wait_for(shown)
    terminal.type("\x1b")
    terminal.wait_while("Search")
    terminal.type("q")
    assert terminal.ended() == 0
    return terminal


@pytest.mark.parametrize(
    ("options", "variables"),
    [(("--ascii",), {}), ((), {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"})],
    ids=["--ascii", "LC_ALL=C"],
)
def test_in_ascii_nothing_else_is_sent(options: tuple[str, ...], variables: dict[str, str]) -> None:
    terminal = walked(Terminal(*PROGRAM, *options, "full", **variables), 13)
    assert terminal.received.isascii()


SGR = re.compile(rb"\x1b\[([0-9;:]*)m")
COLOURS = {*range(30, 39), *range(40, 49), *range(90, 98), *range(100, 108)}


def looks(terminal: Terminal) -> dict[tuple[int, int], tuple[str, bool, bool]]:
    """What stands where, whether reversed or bold."""
    lines = terminal.screen.buffer
    return {
        (x, y): (lines[y][x].data, lines[y][x].reverse, lines[y][x].bold)
        for y in range(1, 20)
        for x in range(80)
    }


def test_without_colour_none_is_sent_and_selection_and_focus_are_seen() -> None:
    terminal = Terminal(*PROGRAM, "full", NO_COLOR="1")
    terminal.wait_for("step 0 of 13", "q quit")
    before = looks(terminal)
    terminal.type("k")
    terminal.wait_for("held", "›")
    chosen = looks(terminal)
    changed = [chosen[at] for at in chosen if chosen[at] != before[at]]
    assert any(reverse or bold for _, reverse, bold in changed)
    assert "━ graph" not in terminal.text
    terminal.type("\t")
    terminal.wait_for("━ graph")
    terminal.type("\x1b")
    terminal.wait_while("━ graph")
    walked(terminal, 13)
    parameters = b";".join(SGR.findall(terminal.received)).split(b";")
    sent = {int(each) for each in parameters if each}
    assert sent & COLOURS == set()


def test_a_terminal_that_takes_lines_only_is_told_what_does_without() -> None:
    terminal = Terminal(*PROGRAM, "full", TERM="dumb")
    assert terminal.ended() == 2
    assert b"\x1b" not in terminal.received
    assert b"bpstep replay full" in terminal.received
    assert b"TERM=dumb" in terminal.received


FORBIDDEN = ("\x1b]0;evil", "evil\x07", "\u202e", "\u009b")


def test_hostile_names_and_texts_reach_no_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    name, wrong = "a\x1b]0;evil\x07\u202eb.yaml", "w\x1b]0;evil\x07\u009b31m.yaml"
    said = "[red]x[/] [/b] [@click=app.quit]"
    Path(name).write_text(
        f'bpstep: 1\ntitle: "{said}"\nabout: "{said}"\nparams: {{w: [1, 2]}}\n'
        f'graph: {{loss: sum(w * w)}}\nnotes: {{w: "{said}", loss: "{said}"}}\n'
    )
    # The file itself refuses control characters, and is quoted for it.
    Path(wrong).write_text(f'bpstep: 1\ntitle: "{FORBIDDEN[0]}{FORBIDDEN[2]} \\e]0;evil"\n')
    right = walked(Terminal(*PROGRAM, name), 4)
    refused = Terminal(*PROGRAM, wrong)
    refused.wait_for("cannot be opened", "q quit")
    refused.type("r")
    refused.wait_for("read again:")
    refused.type("q")
    assert refused.ended() == 2
    for terminal in (right, refused):
        for forbidden in FORBIDDEN:
            assert forbidden.encode() not in terminal.received
