"""Names of files that an argument of a command may become."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from bpstep.scenario.library import library, short_name
from bpstep.session.commands import find_command
from bpstep.session.defaults import EXPORTS
from bpstep.session.errors import CommandError

MOST_LOOKED_AT = 5000
"""Of a larger folder not every file is looked at: somebody is typing."""

SCENARIOS = (".yaml", ".yml")

_COMMAND = re.compile(r"\s*(?P<name>[\w-]+)\s+(?P<path>.*)", re.DOTALL)


def _scenario(folder: str, begun: str) -> Iterator[str]:
    """Scenario files, and without a folder the names of those that come with the program."""
    yield from (name for name in _names(folder) if name.endswith((*SCENARIOS, "/")))
    if not folder:
        yield from (short_name(path) for path in library())


def _script(folder: str, begun: str) -> Iterator[str]:
    return _names(folder)


def _export(folder: str, begun: str) -> Iterator[str]:
    """Files that can be written over, and what was begun with each of the endings."""
    yield from (name for name in _names(folder) if name.endswith((*EXPORTS, "/")))
    if begun and not begun.startswith("."):
        yield from (f"{begun.partition('.')[0]}{ending}" for ending in EXPORTS)


ARGUMENTS: dict[str, Callable[[str, str], Iterable[str]]] = {
    "compare": _scenario,
    "source": _script,
    "export": _export,
}
"""The commands that take the name of a file, and what it may be in a folder."""


@dataclass(frozen=True)
class Argument:
    """The name of a file that is being typed: ``folder`` with its slash, and what follows it."""

    command: str
    folder: str
    begun: str

    def choices(self) -> Sequence[str]:
        """What the part behind the folder may become; hidden files where a dot is typed."""
        found = ARGUMENTS[self.command](self.folder, self.begun)
        fitting = (name for name in found if name.startswith(self.begun))
        return [name for name in dict.fromkeys(fitting) if self.begun or not name.startswith(".")]


def argument(command_line: str) -> Argument | None:
    """The file that a command is being given; None for one that takes none."""
    match = _COMMAND.fullmatch(command_line)
    if match is None:
        return None
    try:
        command = find_command(match["name"]).name
    except CommandError:
        return None
    if command not in ARGUMENTS:
        return None
    slash = match["path"].rfind("/") + 1
    return Argument(command, match["path"][:slash], match["path"][slash:])


def _names(folder: str) -> Iterator[str]:
    """The files of a folder in order, its folders with a slash; none where it cannot be read."""
    try:
        with os.scandir(os.path.expanduser(folder) or ".") as entries:
            found = [_name(entry) for entry in islice(entries, MOST_LOOKED_AT)]
    except (OSError, ValueError):
        return iter(())
    return iter(sorted(name for name in found if name.isprintable()))


def _name(entry: os.DirEntry[str]) -> str:
    try:
        return f"{entry.name}/" if entry.is_dir() else entry.name
    except OSError:
        return entry.name
