"""Text to commands: separators and comments."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

# "(e**2)#2" is a node's name, so a comment begins only where no name can go on; likewise ";".
_COMMENT = re.compile(r"(?:^|(?<=[\s;]))#.*")
_SEPARATOR = re.compile(r"(?:^|(?<=\s));+|;+(?=\s|$)")


@dataclass(frozen=True)
class ScriptLine:
    """A command of a script and the line it stands on (1 first)."""

    number: int
    text: str


def commands_in(line: str) -> tuple[str, ...]:
    """The commands of one line, without its comment; none where it is empty."""
    pieces = _SEPARATOR.split(_COMMENT.sub("", line))
    return tuple(piece.strip() for piece in pieces if piece.strip())


def script_lines(text: str) -> Iterator[ScriptLine]:
    """The commands of a script with their line numbers; blank lines only set them apart."""
    for number, line in enumerate(text.splitlines(), start=1):
        for command in commands_in(line):
            yield ScriptLine(number, command)


def split_script(text: str) -> list[str]:
    """The commands of a script, separated by new lines or ``;``, without comments."""
    return [line.text for line in script_lines(text)]
