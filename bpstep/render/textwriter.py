"""The text format of a replay: aligned lines for people, with styles for a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from rich.text import Text

from bpstep.render import lines, reports, text
from bpstep.render.steps import Layout
from bpstep.session.trace import ScenarioEvent

if TYPE_CHECKING:
    from bpstep.session.reports import Report
    from bpstep.session.session import Session
    from bpstep.session.trace import Event


class TextWriter:
    """Aligned text for people."""

    def __init__(self) -> None:
        self._layout: Layout | None = None

    def events(self, session: Session, events: Iterable[Event]) -> Iterator[Text]:
        """A line an event; the columns are as wide as the scenario's first graph needs."""
        for event in events:
            if isinstance(event, ScenarioEvent):
                yield from self._next_scenario()
            if self._layout is None:
                self._layout = Layout.of(session.graph, session.total)
            yield from text.event_lines(event, self._layout)

    def _next_scenario(self) -> Iterator[Text]:
        if self._layout is not None:
            self._layout = None
            yield lines.line()

    def command(self, line: str) -> Iterator[Text]:
        """The command after a prompt."""
        yield lines.line()
        yield lines.line((f"> {line}", lines.HEADING))

    def report(self, report: Report, dtype: str) -> Iterator[Text]:
        """The report's own lines."""
        yield from reports.report_lines(report, dtype)

    def close(self) -> Iterator[Text]:
        """Nothing: text just ends."""
        yield from ()
