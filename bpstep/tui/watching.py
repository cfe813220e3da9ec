"""Watching files: a look now and then whether they are other files than those that were read.

Editors write in several ways: in place, in two writes, or a new file that is renamed over the old
one, which is missing for an instant. So a change counts once it has stayed the same from one look
to the next, and a file is missing once it has been so for several.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from bpstep.tui.app import BpstepApp

NO_FILE = "-"
"""The path of what came from standard input, or from Python: there is nothing to watch."""
EVERY = 0.25
"""Seconds between two looks."""
PATIENCE = 6
"""So many looks at a missing file are waited through."""


class Stamp(NamedTuple):
    """What changes when a file is written or replaced."""

    modified: int
    size: int
    inode: int


def stamp(file: str) -> Stamp | None:
    """The stamp of a file, None where there is none."""
    try:
        found = os.stat(file)
    except (OSError, ValueError):
        return None
    return Stamp(found.st_mtime_ns, found.st_size, found.st_ino)


Stamps = Mapping[str, Stamp | None]
Change = Literal["changed", "missing"]


class Watcher:
    """Watches the files that a scenario was read from. Without files it costs nothing.

    ``stamps`` are those from just before they were read; of others it is taken now.
    """

    def __init__(self, files: Iterable[str], stamps: Stamps | None = None) -> None:
        self._read = _stamps(files, stamps or {})
        self._seen: Stamps = self._read
        self._missed = 0

    def look(self) -> Change | None:
        """Whether the files have changed since they were read, and are at rest now."""
        if not self._read:
            return None
        now = {file: stamp(file) for file in self._read}
        before, self._seen = self._seen, now
        if any(now[file] is None and self._read[file] is not None for file in now):
            self._missed += 1
            return "missing" if self._missed >= PATIENCE else None
        self._missed = 0
        return "changed" if now != self._read and now == before else None

    def read(self, files: Iterable[str], stamps: Stamps | None = None) -> None:
        """These files have been read now.

        Of one that was looked at before, its state at that look counts, of another its stamp from
        just before it was read: what was written since is a change.
        """
        self._read = _stamps(files, {**(stamps or {}), **self._seen})
        self._seen = self._read
        self._missed = 0


def _stamps(files: Iterable[str], known: Stamps) -> Stamps:
    return {file: known[file] if file in known else stamp(file) for file in files}


def look_at_files(app: BpstepApp) -> None:
    """Every open page looks at its files."""
    for page in tuple(app.pages):
        page.look()
