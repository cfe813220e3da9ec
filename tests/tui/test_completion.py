import pytest

from bpstep.session.commands import COMMANDS as TABLE
from bpstep.tui.completion import candidates, completed, word_start
from bpstep.tui.draw.choices import choices_line

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


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("", COMMANDS),
        ("p", ["print", "paths"]),
        ("print", ["print"]),
        ("print ", ["p", "h2", "hidden", "(e**2)"]),
        ("print p", ["p"]),
        ("print h", ["h2", "hidden"]),
        ("print g", ["grad("]),
        ("print l", ["local("]),
        ("print grad(e", ["e**2)"]),
        ("goto (", ["p", "h2", "hidden", "e**2)"]),
        ("print grad(p)/gr", ["grad("]),
        ("step; pa", ["paths"]),
        ("goto zz", []),
    ],
)
def test_every_candidate_is_offered_the_shortest_name_first(line: str, words: list[str]) -> None:
    start = word_start(line)
    assert [each[start:] for each in candidates(line, COMMANDS, NAMES)] == words


def test_an_exact_command_comes_before_longer_ones() -> None:
    names = [command.name for command in TABLE]
    assert candidates("bre", names, ()) == ["break", "breakpoints"]


def test_the_list_of_candidates_keeps_the_taken_one_in_sight() -> None:
    words = [f"word{number}" for number in range(40)]
    for taken in (0, 5, 39):
        shown = choices_line(words, taken, 30)
        assert f"word{taken}" in shown.plain.split()
        assert shown.cell_len <= 30
