from pathlib import Path

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


# Files.


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in (
        "mine.yaml",
        "minor.yml",
        "mine.md",
        "script.txt",
        ".hidden.yaml",
        "two words.yaml",
    ):
        (tmp_path / name).write_text("")
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "deep.yaml").write_text("")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("bpstep.tui.files.library", lambda: [Path("01-full.yaml")])
    return tmp_path


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("compare ", ["mine.yaml", "minor.yml", "more/", "two words.yaml", "full"]),
        ("compare mi", ["mine.yaml", "minor.yml"]),
        ("comp f", ["full"]),
        ("compare two w", ["two words.yaml"]),
        ("compare more/", ["deep.yaml"]),
        ("compare .", [".hidden.yaml"]),
        ("compare nowhere/", []),
        ("source s", ["script.txt"]),
        ("source mi", ["mine.md", "mine.yaml", "minor.yml"]),
        ("step; source s", ["script.txt"]),
        ("export mi", ["mine.md", "mi.md", "mi.jsonl", "mi.svg", "mi.html"]),
        ("export more/run.h", ["run.html"]),
        ("export ", ["mine.md", "more/"]),
    ],
)
def test_files_are_completed_where_a_command_takes_one(
    line: str, words: list[str], folder: Path
) -> None:
    start = word_start(line)
    commands = [command.name for command in TABLE]
    assert [each[start:] for each in candidates(line, commands, NAMES)] == words


def test_a_home_folder_is_looked_into_and_stays_as_it_is_written(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(folder))
    assert completed("compare ~/mor", COMMANDS, NAMES) == "compare ~/more/"
    assert completed("compare ~/more/d", COMMANDS, NAMES) == "compare ~/more/deep.yaml"
