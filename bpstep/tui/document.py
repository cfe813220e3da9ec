"""Something opened in the app: a scenario as it was read last, with a session or its faults."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bpstep.engine.errors import BpstepError
from bpstep.render.sanitize import visible
from bpstep.scenario import ScenarioError, load
from bpstep.session.session import Session

if TYPE_CHECKING:
    from bpstep.scenario import Scenario
    from bpstep.scenario.problems import Problem


NO_FILE = "-"
"""The path of what came from standard input, or from Python."""


@dataclass(frozen=True, eq=False)
class Document:
    """``path`` is the file as it was given. ``session`` is None where it has faults.

    ``files`` are those it was read from, which are watched.
    """

    path: str
    session: Session | None = None
    about: str = ""
    fault: BpstepError | None = None
    files: tuple[str, ...] = ()

    @property
    def file(self) -> str:
        """The file, or the name, without its folder, as it may be shown."""
        return visible(os.path.basename(self.path))


def open_path(path: str) -> Document:
    """Load a scenario and run it; what is wrong with it is kept as the document's fault."""
    try:
        return open_scenario(load(path))
    except BpstepError as error:
        return Document(path, fault=error, files=(path, *files_at_fault(error)))


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
    scenario = load(document.path)
    again = session.reload(scenario)
    return Document(document.path, again, scenario.about, None, _watched(scenario))


def _watched(scenario: Scenario) -> tuple[str, ...]:
    """The files of a scenario; what did not come from one cannot be read again."""
    return () if scenario.path == NO_FILE else scenario.files


def files_at_fault(error: BpstepError) -> tuple[str, ...]:
    """The files in which something is wrong."""
    return tuple(problem.file for problem in problems_of(error))


def problems_of(error: BpstepError) -> tuple[Problem, ...]:
    """What is wrong, each with its place; nothing where a mistake has no place in a file."""
    return error.problems if isinstance(error, ScenarioError) else ()
