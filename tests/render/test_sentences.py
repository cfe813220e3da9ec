"""Sentences as lines, and in one again."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bpstep.render.lines import WIDTH, line, unwrapped, wrapped

SENTENCES = st.lists(st.text("abcxyz.,-", min_size=1, max_size=30), max_size=60).map(" ".join)


@given(SENTENCES, SENTENCES)
def test_wrapped_sentences_are_no_longer_than_agreed_and_come_together_again(
    one: str, other: str
) -> None:
    lines = [line("> head"), *wrapped(one), line("  table  row"), *wrapped(other, indent=4)]
    assert all(each.cell_len <= WIDTH + 4 for each in lines)
    told = [each.plain.strip() for each in unwrapped(lines)]
    assert told == [each for each in ("> head", one, "table  row", other) if each]


def test_a_sentence_keeps_its_indent_and_what_a_terminal_would_obey_is_seen() -> None:
    (whole,) = unwrapped(wrapped("a\x1b[31m " * 40))
    assert whole.plain.startswith("  a")
    assert "\x1b" not in whole.plain
