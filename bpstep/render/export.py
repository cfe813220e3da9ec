"""The transcript of a session as a file's content, in the format of the file's ending."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

from bpstep.render.replay import transcript, whole
from bpstep.render.sanitize import visible
from bpstep.render.writers import WRITERS

if TYPE_CHECKING:
    from bpstep.render.writers import Line
    from bpstep.session.session import Session

WIDTH = 110
WIDEST = 200
"""Longer lines of a picture are cut."""

MOST_LINES = 2000
"""A picture of a transcript has no more than so many lines."""


def exported(session: Session, ending: str, *, entire: bool = False) -> str:
    """The content of a file with this ending (`.md`, `.jsonl`, `.svg`, `.html`).

    It is of what was done so far, or of the ``entire`` run with the checks and updates that the
    scenario asks for. Raises KeyError for any other ending, CommandError where what a scenario asks
    for cannot be made.
    """
    return EXPORTS[ending.lower()](session, entire)


def _written(form: str) -> Callable[[Session, bool], str]:
    def write(session: Session, entire: bool) -> str:
        return "".join(f"{line}\n" for line in _lines(session, form, entire))

    return write


def _lines(session: Session, form: str, entire: bool) -> Iterator[Line]:
    writer = WRITERS[form]()
    if entire:
        yield from whole(session, writer)
        yield from writer.close()
    else:
        yield from transcript(session, writer)


def _svg(session: Session, entire: bool) -> str:
    from rich.console import Console

    from bpstep.render.bounded import limited
    from bpstep.render.svg import self_contained

    texts = list(limited(_lines(session, "text", entire), MOST_LINES, WIDEST))
    width = max([WIDTH, *(text.cell_len for text in texts)])
    console = Console(
        file=io.StringIO(), record=True, width=width, color_system="standard", no_color=False
    )
    for text in texts:
        console.print(text, soft_wrap=True, end="\n")
    title = visible(session.scenario.title)
    return self_contained(console.export_svg(title=title, unique_id="bpstep"))


def _html(session: Session, entire: bool) -> str:
    from bpstep.render.html import page

    return page(session, entire=entire)


EXPORTS: Mapping[str, Callable[[Session, bool], str]] = {
    ".md": _written("markdown"),
    ".jsonl": _written("jsonl"),
    ".svg": _svg,
    ".html": _html,
}
