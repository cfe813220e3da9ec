"""The record of what has been finished: ``finished.json`` in the user's data folder."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from platformdirs import user_data_dir

from bpstep.scenario import ScenarioError, find_scenario, short_name
from bpstep.scenario.library import folder
from bpstep.tui import store
from bpstep.tui.settings import PROGRAM
from bpstep.tui.store import Content, StoreError


@dataclass(frozen=True)
class Score:
    """Questions that were answered rightly at the first try, of those that were asked."""

    right: int
    of: int


@dataclass(frozen=True)
class Progress:
    """How far a scenario was taken.

    ``begun``: steps were made. ``seen``: stepped to its end. ``learned``: the best score of those
    times that all of its questions were answered, None where that was never so.
    """

    begun: bool = False
    seen: bool = False
    learned: Score | None = None

    @property
    def finished(self) -> bool:
        """Whether it was taken to its end, in one way or the other."""
        return self.seen or self.learned is not None

    def joined(self, other: Progress) -> Progress:
        """The further of both in everything: nothing that was reached is lost."""
        scores = [one.learned for one in (self, other) if one.learned is not None]
        return Progress(
            self.begun or other.begun,
            self.seen or other.seen,
            max(scores, key=lambda score: (score.right / max(score.of, 1), score.of), default=None),
        )


NOTHING_YET = Progress()
Record = Mapping[str, Progress]


@lru_cache
def identity(path: str) -> str:
    """What a scenario, given by its path or name, is called in the record.

    The short name of one that comes with the program, wherever that is installed; else the path.
    """
    try:
        whole = os.path.realpath(find_scenario(path))
    except ScenarioError:
        return os.path.realpath(path)
    return short_name(whole) if os.path.dirname(whole) == _own_folder() else whole


def _own_folder() -> str:
    return os.path.realpath(folder())


def record_file() -> Path:
    """Where it is kept: under ``XDG_DATA_HOME`` where that is set."""
    return Path(user_data_dir(PROGRAM), "finished.json")


def load_record() -> tuple[Record, str | None]:
    """The record, and what is to be said where its file is broken; it is then empty."""
    try:
        scenarios = store.read(record_file()).get("scenarios")
    except StoreError as error:
        return {}, str(error)
    return {name: _progress(kept) for name, kept in _mapping(scenarios).items()}, None


def note(name: str, progress: Progress) -> str | None:
    """Add to what is recorded of a scenario; what is to be said where that is impossible."""

    def changed(content: Content) -> Content:
        scenarios = _mapping(content.get("scenarios"))
        kept = _mapping(scenarios.get(name))
        further = {**kept, **_kept(_progress(kept).joined(progress))}
        return {**content, "scenarios": {**scenarios, name: further}}

    try:
        store.change(record_file(), changed)
    except StoreError as error:
        return str(error)
    return None


def _kept(progress: Progress) -> Mapping[str, Any]:
    kept: dict[str, Any] = {"begun": progress.begun, "seen": progress.seen}
    if progress.learned is not None:
        kept["learned"] = {"right": progress.learned.right, "of": progress.learned.of}
    return kept


def _progress(kept: Any) -> Progress:
    """What a file says of a scenario; what is not of the right kind is as if it were not there."""
    found = _mapping(kept)
    progress = Progress(found.get("begun") is True, found.get("seen") is True)
    score = _mapping(found.get("learned"))
    right, of = score.get("right"), score.get("of")
    if type(right) is int and type(of) is int and 0 <= right <= of:
        return replace(progress, learned=Score(right, of))
    return progress


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}
