"""Everything that is drawn has an ASCII form of the same width."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.text import Text

import bpstep
from bpstep.render.ascii import ASCII_SIGNS, ascii_character, ascii_text, to_ascii

PACKAGE = Path(bpstep.__file__).parent
DRAWN = sorted(
    {c for path in PACKAGE.rglob("*.py") for c in path.read_text("utf-8") if not c.isascii()}
)


def test_signs_are_one_column_each() -> None:
    assert all(len(shown) == 1 and shown.isascii() for shown in ASCII_SIGNS.values())


def test_signs_of_state_stay_apart() -> None:
    states = "●◐○∅✂⊥!▶◆"
    assert len({ascii_character(sign) for sign in states}) == len(states)


@pytest.mark.parametrize("character", DRAWN)
def test_everything_in_the_program_has_a_form_of_its_own_width(character: str) -> None:
    shown = ascii_character(character)
    assert shown.isascii()
    assert len(shown) == cell_len(character)


@given(st.text())
def test_any_text_keeps_its_width(text: str) -> None:
    shown = ascii_text(text)
    assert shown.isascii()
    assert cell_len(shown) == sum(map(cell_len, text))


def test_spans_follow_their_characters() -> None:
    text = Text.assemble("数 ", ("∂ 4", "green"), " ", ("e\u0301 ◐", "bold"))
    changed = to_ascii(text)
    assert changed.plain == "?? d 4 e %"
    assert [(changed.plain[s.start : s.end], s.style) for s in changed.spans] == [
        ("d 4", "green"),
        ("e %", "bold"),
    ]
    assert changed.cell_len == text.cell_len


def test_lines_and_blocks() -> None:
    assert ascii_text("┌─┬┐│╭╮╰╯┼━┃┿◉") == "+-++|..''+=|+@"
    assert ascii_text("█▁⠁⣿ é") == "#..# e"
