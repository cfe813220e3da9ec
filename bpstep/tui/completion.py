"""Completion of the command line: commands first, then names of nodes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from textual.suggester import Suggester

_LAST_WORD = re.compile(r"(?:^|(?<=[\s(=+*/,-]))[\w.-]+$")
_FIRST_WORD = re.compile(r"[\w-]*$")


def completed(line: str, commands: Sequence[str], names: Iterable[str]) -> str | None:
    """The line with its last word completed by the first that fits; None where nothing does."""
    start = line.rpartition(";")[2].lstrip()
    if not start:
        return None
    if _FIRST_WORD.fullmatch(start):
        return _with(line, start, commands)
    word = _LAST_WORD.search(line)
    return _with(line, word[0], names) if word else None


def _with(line: str, word: str, choices: Iterable[str]) -> str | None:
    found = next((each for each in choices if each.startswith(word) and each != word), None)
    return None if found is None else line[: len(line) - len(word)] + found


class CommandSuggester(Suggester):
    """Offers the rest of a word while it is typed."""

    def __init__(self, commands: Sequence[str]) -> None:
        super().__init__(use_cache=False, case_sensitive=True)
        self.commands = commands
        self.names: Sequence[str] = ()

    async def get_suggestion(self, value: str) -> str | None:
        """The whole line as it could go on."""
        return completed(value, self.commands, self.names)
