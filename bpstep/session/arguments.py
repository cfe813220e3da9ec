"""What follows a command's name: nothing, a count, words, an expression."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from bpstep.session.command import Call
from bpstep.session.errors import CommandError

# Far more than any run has steps; a longer count is a slip of a key.
MAX_COUNT = 1_000_000_000


@dataclass(frozen=True)
class Word:
    """A piece of a command line and where it starts in it."""

    text: str
    start: int

    @property
    def end(self) -> int:
        """The offset behind its last character."""
        return self.start + len(self.text)


def words(call: Call) -> tuple[Word, ...]:
    """The arguments separated by spaces; a space inside brackets separates nothing."""
    return tuple(_words(call.text, call.offset))


def _words(text: str, offset: int) -> Iterator[Word]:
    depth, start = 0, None
    for index, character in enumerate(f"{text} "):
        depth += (character in "([") - (character in ")]")
        if character.isspace() and depth <= 0:
            if start is not None:
                yield Word(text[start:index], offset + start)
            start = None
        elif start is None:
            start = index
    if start is not None:
        yield Word(text[start:], offset + start)


def nothing(call: Call) -> None:
    """Refuse arguments where a command takes none."""
    if call.text:
        raise CommandError(
            f"{call.name} takes no argument, but {call.text!r} was given",
            start=call.offset,
            end=call.offset + len(call.text),
        )


def count(call: Call, default: int = 1) -> int:
    """The one optional argument N, a whole number of at least 1."""
    given = words(call)
    if not given:
        return default
    if len(given) > 1:
        raise at(given[1], f"{call.name} takes one number, and {given[1].text!r} is one too many")
    return whole(call, given[0])


def whole(call: Call, word: Word) -> int:
    """A word as a whole number of at least 1."""
    if not re.fullmatch(r"[0-9]{1,12}", word.text) or not 1 <= int(word.text) <= MAX_COUNT:
        raise at(word, f"{call.name} takes a whole number of at least 1 here, not {word.text!r}")
    return int(word.text)


def required(call: Call, what: str) -> str:
    """The whole argument text, which must not be empty."""
    if not call.text:
        raise CommandError(f"{call.name} needs {what}", start=len(call.line), end=len(call.line))
    return call.text


def at(word: Word, message: str) -> CommandError:
    """An error that points at a word."""
    return CommandError(message, start=word.start, end=word.end)
