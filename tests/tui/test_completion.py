import pytest

from bpstep.tui.completion import completed

COMMANDS = ["step", "reverse-step", "print", "paths", "goto", "next-pass"]
NAMES = ["p", "hidden", "(e**2)", "h2"]


@pytest.mark.parametrize(
    ("line", "whole"),
    [
        ("", None),
        ("st", "step"),
        ("p", "print"),
        ("next-", "next-pass"),
        ("step", None),
        ("print hid", "print hidden"),
        ("print grad(hi", "print grad(hidden"),
        ("print p*hi", "print p*hidden"),
        ("goto zz", None),
        ("goto ", None),
        ("step; pr", "step; print"),
        ("step; print hi", "step; print hidden"),
    ],
)
def test_the_last_word_is_completed(line: str, whole: str | None) -> None:
    assert completed(line, COMMANDS, NAMES) == whole
