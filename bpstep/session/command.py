"""What a command is, what it is called with and what it gives back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from bpstep.session.reports import Report
    from bpstep.session.session import Session

Kind = Literal["motion", "breakpoints", "look", "analysis", "change", "script"]


@dataclass(frozen=True, eq=False)
class Export:
    """A file that the caller is asked to write (its ending has been checked): ``session`` has the
    transcript as it was at the command.
    """

    path: Path
    session: Session


@dataclass(frozen=True, eq=False)
class Outcome:
    """What a command did: the session after it, and what there is to say.

    ``exports`` are files to write; ``quit`` asks the caller to end.
    """

    session: Session
    reports: tuple[Report, ...] = ()
    quit: bool = False
    exports: tuple[Export, ...] = ()

    def then(self, later: Outcome) -> Outcome:
        """This outcome and one that follows from it, as one."""
        return replace(
            later,
            reports=self.reports + later.reports,
            exports=self.exports + later.exports,
        )


@dataclass(frozen=True)
class Call:
    """One command line, taken apart: the command's name, and the text after it.

    ``offset`` is where ``text`` starts in ``line``, so that an error can point at its place.
    ``scripts`` are the scripts being read, outermost first: one may not read itself.
    """

    line: str
    name: str
    text: str
    offset: int
    scripts: tuple[Path, ...] = ()


Runner = Callable[["Session", Call], Outcome]


@dataclass(frozen=True)
class Command:
    """A row of the command table: what it is called, how it is said, and what it does.

    ``records_itself`` is for a command made of others, which stand in the transcript after it.
    """

    name: str
    alias: str | None
    usage: tuple[str, ...]
    summary: str
    run: Runner
    kind: Kind
    details: str = ""
    records_itself: bool = False

    @property
    def motion(self) -> bool:
        """Does it move? An empty line repeats the last command that does."""
        return self.kind == "motion"
