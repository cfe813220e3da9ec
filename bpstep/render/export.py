"""The transcript of a session as a file's content, in the format of the file's ending."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text

from bpstep.render.replay import transcript
from bpstep.render.sanitize import visible
from bpstep.render.textwriter import TextWriter
from bpstep.render.writers import WRITERS

if TYPE_CHECKING:
    from bpstep.session.session import Session

WIDTH = 110


def exported(session: Session, ending: str) -> str:
    """The content of a file with this ending (`.md`, `.jsonl`, `.svg`, `.html`).

    Raises KeyError for any other.
    """
    return EXPORTS[ending.lower()](session)


def _written(form: str) -> Callable[[Session], str]:
    def write(session: Session) -> str:
        lines = transcript(session, WRITERS[form]())
        return "".join(f"{line}\n" for line in lines)

    return write


def _svg(session: Session) -> str:
    title = visible(session.scenario.title)
    return _recorded(session).export_svg(title=title, unique_id="bpstep")


def _html(session: Session) -> str:
    return _recorded(session).export_html(inline_styles=True)


def _recorded(session: Session) -> Console:
    """A console that has drawn the transcript to nowhere and remembers it."""
    texts = list(_texts(session))
    width = max([WIDTH, *(text.cell_len for text in texts)])
    console = Console(
        file=io.StringIO(), record=True, width=width, color_system="standard", no_color=False
    )
    for text in texts:
        console.print(text, soft_wrap=True, end="\n")
    return console


def _texts(session: Session) -> Iterator[Text]:
    for line in transcript(session, TextWriter()):
        yield line if isinstance(line, Text) else Text(line)


EXPORTS: Mapping[str, Callable[[Session], str]] = {
    ".md": _written("markdown"),
    ".jsonl": _written("jsonl"),
    ".svg": _svg,
    ".html": _html,
}
