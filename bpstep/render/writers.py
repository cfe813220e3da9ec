"""The formats of a replay: each words the same events, commands and reports in its own way."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Protocol, TypeAlias

from rich.text import Text

from bpstep.render import jsonl, jsonl_reports, lines, reports, text
from bpstep.session.trace import ScenarioEvent

if TYPE_CHECKING:
    from bpstep.session.reports import Report
    from bpstep.session.session import Session
    from bpstep.session.trace import Event

Line: TypeAlias = Text | str
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


class TextWriter:
    """Aligned text for people."""

    def __init__(self) -> None:
        self._layout: text.Layout | None = None

    def events(self, session: Session, events: Iterable[Event]) -> Iterator[Line]:
        """A line an event; the columns are as wide as the scenario's first graph needs."""
        for event in events:
            if isinstance(event, ScenarioEvent):
                yield from self._next_scenario()
            if self._layout is None:
                self._layout = text.Layout.of(session.graph, session.total)
            yield from text.event_lines(event, self._layout)

    def _next_scenario(self) -> Iterator[Line]:
        if self._layout is not None:
            self._layout = None
            yield lines.line()

    def command(self, line: str) -> Iterator[Line]:
        """The command after a prompt."""
        yield lines.line()
        yield lines.line((f"> {line}", lines.HEADING))

    def report(self, report: Report, dtype: str) -> Iterator[Line]:
        """The report's own lines."""
        yield from reports.report_lines(report, dtype)

    def close(self) -> Iterator[Line]:
        """Nothing: text just ends."""
        yield from ()


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


def _markdown() -> Writer:
    from bpstep.render.markdown import MarkdownWriter

    return MarkdownWriter()


WRITERS: Mapping[str, Callable[[], Writer]] = {
    "text": TextWriter,
    "jsonl": JsonWriter,
    "markdown": _markdown,
}
