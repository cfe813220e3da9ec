"""The formats of a replay: each words the same events, commands and reports in its own way."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Protocol, TypeAlias

from bpstep.render import jsonl, jsonl_reports

if TYPE_CHECKING:
    from rich.text import Text

    from bpstep.session.reports import Report
    from bpstep.session.session import Session
    from bpstep.session.trace import Event

Line: TypeAlias = "Text | str"
"""One line without its end: plain, or with styles for a terminal."""


class Writer(Protocol):
    """Words what happens in sessions, one after another; it may remember what it wrote last."""

    def events(self, session: Session, events: Iterable[Event]) -> Iterator[Line]:
        """Events of the session's run, in order."""

    def command(self, line: str) -> Iterator[Line]:
        """A command that is about to be carried out."""

    def report(self, report: Report, dtype: str) -> Iterator[Line]:
        """What a command reports."""

    def close(self) -> Iterator[Line]:
        """What is needed at the end."""


class JsonWriter:
    """The trace: a JSON object a line."""

    def events(self, session: Session, events: Iterable[Event]) -> Iterator[Line]:
        """A line an event."""
        dtype = session.scenario.dtype
        for event in events:
            yield jsonl.event_line(event, dtype)

    def command(self, line: str) -> Iterator[Line]:
        """Nothing: its events are named after it."""
        yield from ()

    def report(self, report: Report, dtype: str) -> Iterator[Line]:
        """A line a result."""
        yield from jsonl_reports.report_lines(report, dtype)

    def close(self) -> Iterator[Line]:
        """Nothing: every line is complete in itself."""
        yield from ()


def _text() -> Writer:
    from bpstep.render.textwriter import TextWriter

    return TextWriter()


def _markdown() -> Writer:
    from bpstep.render.markdown import MarkdownWriter

    return MarkdownWriter()


WRITERS: Mapping[str, Callable[[], Writer]] = {
    "text": _text,
    "jsonl": JsonWriter,
    "markdown": _markdown,
}
