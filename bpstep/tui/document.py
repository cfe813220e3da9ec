"""Something opened in the app: a scenario as it was read last, with a session or its faults."""

from __future__ import annotations

import os
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from bpstep.engine.errors import BpstepError
from bpstep.render.sanitize import visible
from bpstep.scenario import ScenarioError, load
from bpstep.scenario.files import telling
from bpstep.session.session import Session
from bpstep.tui.watching import NO_FILE, Stamp, Stamps, stamp

if TYPE_CHECKING:
    from bpstep.scenario import Scenario
    from bpstep.scenario.problems import Problem


@dataclass(frozen=True, eq=False)
class Document:
    """``path`` is the file as it was given. ``session`` is None where it has faults.

    ``files`` are those it was read from, which are watched. ``stamps`` are theirs from just before
    they were read: what is written from then on is a change.
    """

    path: str
    session: Session | None = None
    about: str = ""
    fault: BpstepError | None = None
    files: tuple[str, ...] = ()
    stamps: Stamps = field(default_factory=dict)

    @property
    def file(self) -> str:
        """The file, or the name, without its folder, as it may be shown."""
        return visible(os.path.basename(self.path))


def open_path(path: str) -> Document:
    """Load a scenario and run it; what is wrong with it is kept as the document's fault."""
    stamps: dict[str, Stamp | None] = {}
    try:
        with _stamping(stamps):
            scenario = load(path)
    except BpstepError as error:
        return Document(path, None, "", error, (path, *files_at_fault(error)), stamps)
    return replace(open_scenario(scenario), stamps=stamps)


def open_scenario(scenario: Scenario) -> Document:
    """Run a scenario that has been loaded."""
    try:
        session = Session.open(scenario)
    except BpstepError as error:
        return Document(scenario.path, None, scenario.about, error, _watched(scenario))
    return Document(scenario.path, session, scenario.about, None, _watched(scenario))


def reloaded(document: Document, session: Session) -> Document:
    """The file read again, at the same step with the same breakpoints.

    Raises BpstepError where there is no file or it is wrong now: the last good run is to be kept.
    """
    if document.path == NO_FILE:
        raise BpstepError("there is no file to read again: this did not come from one")
    stamps: dict[str, Stamp | None] = {}
    with _stamping(stamps):
        scenario = load(document.path)
    again = session.reload(scenario)
    return Document(document.path, again, scenario.about, None, _watched(scenario), stamps)


def _stamping(stamps: dict[str, Stamp | None]) -> AbstractContextManager[None]:
    """Takes the stamp of each file that is read in it, before it is read."""
    return telling(lambda file: stamps.setdefault(file, stamp(file)))


def _watched(scenario: Scenario) -> tuple[str, ...]:
    """The files of a scenario; what did not come from one cannot be read again."""
    return () if scenario.path == NO_FILE else scenario.files


def files_at_fault(error: BpstepError) -> tuple[str, ...]:
    """The files in which something is wrong."""
    return tuple(problem.file for problem in problems_of(error))


def problems_of(error: BpstepError) -> tuple[Problem, ...]:
    """What is wrong, each with its place; nothing where a mistake has no place in a file."""
    return error.problems if isinstance(error, ScenarioError) else ()
