"""Completion of the command line: commands, names of nodes, functions of them, and files."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from textual.suggester import Suggester

from bpstep.session.scope import FUNCTIONS
from bpstep.tui.files import argument

MOST = 200
"""So many candidates are offered: nobody walks through more."""

_CALLS = tuple(f"{function}(" for function in FUNCTIONS)
_BEFORE = r"(?:^|(?<=[\s(=+*/,-]))"
_LAST_WORD = re.compile(_BEFORE + r"[\w.]*$")
_FIRST_WORD = re.compile(r"[\w-]*$")


def candidates(line: str, commands: Sequence[str], names: Iterable[str]) -> list[str]:
    """What the last word may become, each as the whole line: an exact one first.

    Inner nodes, whose names are in parentheses, are found behind an open one: ``grad(e`` may
    become ``grad(e**2)``.
    """
    start = line.rpartition(";")[2].lstrip()
    if _FIRST_WORD.fullmatch(start):
        return _fitting(line, start, commands)
    file = argument(start)
    if file is not None:
        return _fitting(line, file.begun, file.choices())[:MOST]
    word = _LAST_WORD.search(line)
    if word is None:
        return []
    known = sorted(names, key=len)
    if line[: word.start()].endswith("("):
        plain = (name for name in known if not name.startswith("("))
        found = _fitting(line, word[0], plain) + _fitting(line, f"({word[0]}", known)
    else:
        found = _fitting(line, word[0], known)
    if word[0]:
        found += _fitting(line, word[0], _CALLS)
    return found[:MOST]


def _fitting(line: str, word: str, choices: Iterable[str]) -> list[str]:
    before = line[: len(line) - len(word)]
    return [before + each for each in choices if each.startswith(word)]


def completed(line: str, commands: Sequence[str], names: Iterable[str]) -> str | None:
    """The line with its last word completed by the first that fits; None where nothing does."""
    if not line.strip() or line[-1] in " (;":
        return None
    return next((each for each in candidates(line, commands, names) if each != line), None)


def word_start(line: str) -> int:
    """Where the last word of a line begins, which is what candidates differ in."""
    start = line.rpartition(";")[2].lstrip()
    file = argument(start)
    if file is not None:
        return len(line) - len(file.begun)
    word = _FIRST_WORD.fullmatch(start) or _LAST_WORD.search(line)
    return len(line) - len(word[0]) if word else len(line)


class CommandSuggester(Suggester):
    """Offers the rest of a word while it is typed."""

    def __init__(self, commands: Sequence[str]) -> None:
        super().__init__(use_cache=False, case_sensitive=True)
        self.commands = commands
        self.names: Sequence[str] = ()

    async def get_suggestion(self, value: str) -> str | None:
        """The whole line as it could go on."""
        return completed(value, self.commands, self.names)
