"""What can be written to a file from the app, under which name, and how."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from bpstep.render.errors import unwritten

if TYPE_CHECKING:
    from bpstep.session.session import Session

LONGEST_STEM = 60


@dataclass(frozen=True)
class Choice:
    """Something to write: what it says, and the ending of its file."""

    says: str
    ending: str
    content: Callable[[Shot], str]


@dataclass(frozen=True, eq=False)
class Shot:
    """What there is to write: the session, and the screen as it was in sight, as an SVG."""

    session: Session
    screen: str


def _done(ending: str, *, entire: bool = False) -> Callable[[Shot], str]:
    def content(shot: Shot) -> str:
        from bpstep.render.export import exported

        return exported(shot.session, ending, entire=entire)

    return content


CHOICES = (
    Choice("this screen, as a picture", ".svg", lambda shot: shot.screen),
    Choice("what was done, as a page to step through", ".html", _done(".html")),
    Choice("what was done, as Markdown", ".md", _done(".md")),
    Choice("what was done, as JSON lines", ".jsonl", _done(".jsonl")),
    Choice("what was done, as a picture of its text", ".svg", _done(".svg")),
    Choice("the whole run, as a page to step through", ".html", _done(".html", entire=True)),
)


def free_name(session: Session, ending: str, folder: Path) -> str:
    """A name made from the scenario's that no file of the folder has."""
    stem = stem_of(session)
    names = (f"{stem}{number}{ending}" for number in ("", *(f"-{n}" for n in range(2, 1000))))
    return next((name for name in names if not os.path.exists(folder / name)), f"{stem}{ending}")


def stem_of(session: Session) -> str:
    """The scenario's name and the step, of characters that any file system takes."""
    name = re.sub(r"[^\w.-]+", "-", session.scenario.name).strip("-.")[:LONGEST_STEM]
    return f"{name or 'scenario'}-step-{session.position}"


def choice_of(path: Path, chosen: int) -> int | None:
    """The choice that a file's ending asks for; the chosen one where it fits."""
    ending = path.suffix.lower() or CHOICES[chosen].ending
    if CHOICES[chosen].ending == ending:
        return chosen
    return next((n for n, one in enumerate(CHOICES) if one.ending == ending), None)


def with_ending(name: str, ending: str) -> str:
    """A name with this ending: in place of one that a choice has, else after the name."""
    known = {one.ending for one in CHOICES}
    path = Path(name)
    return name[: -len(path.suffix)] + ending if path.suffix.lower() in known else name + ending


def save(path: Path, content: str) -> str | None:
    """Write a file; the message where that is impossible."""
    try:
        path.write_text(content, encoding="utf-8", newline="\n")
    except (OSError, ValueError) as error:
        return unwritten(path, error)
    return None
