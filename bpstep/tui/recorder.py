"""Keeps the record of what has been finished while the app runs: written only when it grows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bpstep.tui.record import NOTHING_YET, Progress, Record, identity, load_record, note
from bpstep.tui.watching import NO_FILE

if TYPE_CHECKING:
    from bpstep.session.session import Session


def progress_of(session: Session) -> Progress:
    """How far a session is: at its end it has been seen, unless that was jumped to."""
    # Of the motions only goto begins like this, and all its abbreviations do.
    jumped = (session.last_motion or "").startswith("g")
    at_end = session.position == session.total > 0
    return Progress(begun=session.position > 0, seen=at_end and not jumped)


class Recorder:
    """What was recorded in earlier runs and in this one."""

    def __init__(self) -> None:
        self._known: dict[str, Progress] = {}

    def record(self) -> tuple[Record, str | None]:
        """Everything that is recorded, by any running program, and what is wrong with its file."""
        kept, said = load_record()
        names = {*kept, *self._known}
        return {name: self._joined(kept, name) for name in names}, said

    def _joined(self, kept: Record, name: str) -> Progress:
        own = self._known.get(name, NOTHING_YET)
        return kept.get(name, NOTHING_YET).joined(own)

    def note(self, path: str, progress: Progress) -> str | None:
        """Record how far a scenario was taken; what is to be said where that is impossible.

        What did not come from a file has no name to be known by.
        """
        if path == NO_FILE:
            return None
        name = identity(path)
        known = self._known.get(name, NOTHING_YET)
        further = known.joined(progress)
        if further == known:
            return None
        self._known[name] = further
        return note(name, progress)
