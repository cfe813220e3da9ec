"""The scenarios that can be opened: those that come with the program, and the working folder's."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from bpstep.engine.errors import BpstepError
from bpstep.render.errors import error_text
from bpstep.render.sanitize import visible
from bpstep.scenario import library, short_name
from bpstep.scenario.heading import Heading, heading

if TYPE_CHECKING:
    from bpstep.scenario import Scenario

ENDINGS = (".yaml", ".yml")
LOOKED_AT = 4096
_SCENARIO = re.compile(rb"^[\"']?bpstep[\"']?\s*:", re.MULTILINE)


@dataclass(frozen=True)
class Book:
    """A scenario to open: its path (or name), what it is called and what it shows.

    ``fine`` is False for a file with mistakes, whose description says what they are.
    """

    path: str
    name: str
    title: str
    about: str
    fine: bool = True


MOST_LOADED = 12
"""So many scenarios of a folder are loaded whole, to know whether they have mistakes."""


def shelf(folder: Path | None = None) -> list[Book]:
    """All there are: the program's in teaching order, then those of a folder by name."""
    own = [_book(str(path), short_name(path), heading) for path in library()]
    return own + [
        _book(str(path), path.name, _whole if number < MOST_LOADED else heading)
        for number, path in enumerate(_scenarios_in(folder or Path()))
    ]


def _whole(path: str) -> Scenario:
    from bpstep.scenario import load  # needs the engine: only where there is such a file

    return load(path)


def _scenarios_in(folder: Path) -> Iterator[Path]:
    """Files that look like scenarios; other YAML, of which folders are full, is left alone."""
    for path in sorted(folder.iterdir()):
        if path.suffix in ENDINGS and path.is_file() and _looks_right(path):
            yield path


def _looks_right(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return _SCENARIO.search(file.read(LOOKED_AT)) is not None
    except OSError:
        return False


def _book(path: str, name: str, read: Callable[[str], Scenario | Heading]) -> Book:
    try:
        found = read(path)
    except BpstepError as error:
        said = f"```\n{error_text(error)}\n```"
        return Book(path, visible(name), "has mistakes", said, fine=False)
    return Book(path, visible(name), visible(found.title), found.about)
