"""A replay as Markdown: tables of what was evaluated and of the steps, each step explained."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from bpstep.render import lines as ui
from bpstep.render.effects import effect_rows
from bpstep.render.equation import equation
from bpstep.render.explain import explain_at
from bpstep.render.faults import fault_text
from bpstep.render.moments import moments_text
from bpstep.render.numbers import not_finite, value_text
from bpstep.render.reports import report_lines
from bpstep.render.sanitize import visible, visible_block
from bpstep.session import trace

if TYPE_CHECKING:
    from bpstep.session.reports import Report
    from bpstep.session.session import Session

EVALUATED = ("node", "expression", "value")
STEPS = (
    "step",
    "",
    "node",
    "from",
    "upstream",
    "local",
    "contribution",
    "running",
    "arrived",
    "why",
)
RESULT = ("node", "value", "gradient")

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~$&])")


def escaped(text: str) -> str:
    """User text so that Markdown shows it as it is, on one line."""
    return _SPECIAL.sub(r"\\\1", visible(text))


def code(text: str) -> str:
    """Text as code inside a line or a table's cell; the empty text stays empty."""
    if not text:
        return ""
    shown = visible(text).replace("|", "\\|")
    fence = "`" * (1 + _longest_run(shown))
    space = " " if "`" in shown else ""
    return f"{fence}{space}{shown}{space}{fence}"


def fenced(text: str) -> str:
    """Lines of text as a block that is shown as it is."""
    shown = visible_block(text)
    fence = "`" * max(3, 1 + _longest_run(shown))
    return f"{fence}text\n{shown}\n{fence}"


def _longest_run(text: str) -> int:
    return max((len(run) for run in re.findall("`+", text)), default=0)


class MarkdownWriter:
    """Writes rows of one table after another; it remembers which table is open."""

    def __init__(self) -> None:
        self._heads: tuple[str, ...] = ()

    def events(self, session: Session, events: Iterable[trace.Event]) -> Iterator[str]:
        """Headings and rows, in the order of the events."""
        for event in events:
            yield from _EVENTS[type(event)](self, event, session)

    def command(self, line: str) -> Iterator[str]:
        """The command as a heading."""
        yield from self._heading(3, code(line))

    def report(self, report: Report, dtype: str) -> Iterator[str]:
        """A report as a block of text."""
        yield from self.close()
        yield fenced("\n".join(line.plain for line in report_lines(report, dtype)))
        yield ""

    def close(self) -> Iterator[str]:
        """Ends the table that is open."""
        if self._heads:
            self._heads = ()
            yield ""

    def _heading(self, level: int, text: str) -> Iterator[str]:
        yield from self.close()
        yield f"{'#' * level} {text}"
        yield ""

    def _row(self, heads: tuple[str, ...], cells: Sequence[str]) -> Iterator[str]:
        if self._heads != heads:
            yield from self.close()
            self._heads = heads
            yield _cells(heads)
            yield _cells(["---"] * len(heads))
        yield _cells(cells)

    def _scenario(self, event: trace.ScenarioEvent, session: Session) -> Iterator[str]:
        yield from self._heading(1, escaped(event.title))
        yield f"{code(event.file)} · {event.dtype} · loss {code(event.loss)}"
        yield ""
        if event.fault is not None:
            yield f"**Fault on purpose** – {escaped(fault_text(event.fault))}"
            yield ""

    def _statement(self, event: trace.StatementEvent, session: Session) -> Iterator[str]:
        yield from self._heading(2, code(event.text))
        if event.effect is not None:
            for what, how in effect_rows(event.effect):
                yield f"- {code(what)} {escaped(how)}"
            yield ""

    def _leaf(self, event: trace.LeafEvent, session: Session) -> Iterator[str]:
        yield from self._row(EVALUATED, (code(event.node), event.role, value_text(event.value)))

    def _forward(self, event: trace.ForwardEvent, session: Session) -> Iterator[str]:
        cells = (code(event.node), code(event.expr), value_text(event.value))
        yield from self._row(EVALUATED, cells)

    def _seed(self, event: trace.SeedEvent, session: Session) -> Iterator[str]:
        why = escaped(explain_at(session.run, event.step))
        grad = value_text(event.grad)
        cells = (
            str(event.step),
            ui.COMPLETE,
            code(event.node),
            "the seed",
            *[""] * 3,
            grad,
            "",
            why,
        )
        yield from self._row(STEPS, cells)

    def _contribution(self, event: trace.ContributionEvent, session: Session) -> Iterator[str]:
        done = event.arrived >= event.expected
        bad = ui.NOT_FINITE if not_finite(event.running) else ""
        kink = ui.AT_KINK if event.convention is not None else ""
        cells = (
            str(event.step),
            f"{ui.COMPLETE if done else ui.PARTIAL}{kink}{bad}",
            code(event.node),
            code(equation(event.source, event.expr)),
            value_text(event.upstream),
            code(event.rule) if event.local is None else value_text(event.local),
            value_text(event.value),
            value_text(event.running),
            f"{event.arrived} of {event.expected}",
            escaped(explain_at(session.run, event.step)),
        )
        yield from self._row(STEPS, cells)

    def _complete(self, event: trace.CompleteEvent, session: Session) -> Iterator[str]:
        """Said by the step's own row."""
        yield from ()

    def _ghost(self, event: trace.GhostEvent, session: Session) -> Iterator[str]:
        why = f"Cut by {escaped(event.through)}: this would have arrived."
        value = value_text(event.value)
        cells = ("", ui.CUT, code(event.node), code(event.through), "", "", value, "", "", why)
        yield from self._row(STEPS, cells)

    def _result(self, event: trace.ResultEvent, session: Session) -> Iterator[str]:
        loss = "" if event.loss is None else f": loss {value_text(event.loss)}"
        yield from self._heading(2, f"Result{loss}")
        if event.moments is not None:
            yield f"Of different moments: {escaped(moments_text(event.moments))}."
            yield ""
        for node, value in event.values.items():
            grad = event.grads.get(node)
            shown = "none" if grad is None else value_text(grad)
            yield from self._row(RESULT, (code(node), value_text(value), shown))

    def _error(self, event: trace.ErrorEvent, session: Session) -> Iterator[str]:
        yield from self._heading(2, f"The run ends in the error {code(event.code)}")
        yield escaped(event.message)
        yield ""


def _cells(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


_EVENTS: Mapping[type, Callable[[MarkdownWriter, Any, Session], Iterator[str]]] = {
    trace.ScenarioEvent: MarkdownWriter._scenario,
    trace.StatementEvent: MarkdownWriter._statement,
    trace.LeafEvent: MarkdownWriter._leaf,
    trace.ForwardEvent: MarkdownWriter._forward,
    trace.SeedEvent: MarkdownWriter._seed,
    trace.ContributionEvent: MarkdownWriter._contribution,
    trace.CompleteEvent: MarkdownWriter._complete,
    trace.GhostEvent: MarkdownWriter._ghost,
    trace.ResultEvent: MarkdownWriter._result,
    trace.ErrorEvent: MarkdownWriter._error,
}
