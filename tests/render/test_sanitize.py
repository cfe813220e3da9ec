import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bpstep.render.sanitize import visible, visible_block


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain text, p = w * x", "plain text, p = w * x"),
        ("ŷ − τ ½ 漢字", "ŷ − τ ½ 漢字"),
        ("\x1b[31mred", "␛[31mred"),
        ("a\nb\tc\x00", "a␊b␉c␀"),
        ("\x7f", "␡"),
        ("\x9b31m", "\\u009b31m"),
        ("abc\u202edef", "abc\\u202edef"),
        ("a\u2066b\u200bc\u2028", "a\\u2066b\\u200bc\\u2028"),
        ("file\udcff.yaml", "file\\udcff.yaml"),
        ("\U000e0041", "\\U000e0041"),
    ],
)
def test_visible(text, shown):
    assert visible(text) == shown


def test_a_block_keeps_its_lines():
    assert visible_block("one\r\n\ttwo\x1b[2J\n") == "one\n    two␛[2J\n"


@given(st.text())
@settings(max_examples=100)
def test_nothing_unprintable_is_left(text):
    shown = visible(text)
    assert visible(shown) == shown
    assert not {unicodedata.category(c) for c in shown} & {"Cc", "Cf", "Cs", "Zl", "Zp"}
    shown.encode()
