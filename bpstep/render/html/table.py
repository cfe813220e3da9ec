"""Every step of the page as a table of HTML: it is there without a script too."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import TYPE_CHECKING

from bpstep.render import lines as ui
from bpstep.render.equation import equation
from bpstep.render.explain import explain_at
from bpstep.render.html.cards import LONGEST, LONGEST_REMARK
from bpstep.render.lines import cut
from bpstep.render.numbers import not_finite, value_text
from bpstep.session import trace

if TYPE_CHECKING:
    from bpstep.render.html.window import Window
    from bpstep.session.session import Session

HEADS = (
    "step", "node", "from", "upstream", "local", "contribution", "running sum", "arrived", "why"
)  # fmt: skip
NUMBERS = ("upstream", "local", "contribution", "running sum")
MOST_GHOSTS = 100


def steps_table(session: Session, window: Window) -> str:
    """The table; its first column links to the step."""
    heads = "".join(
        f'<th scope="col"{_flush(head in NUMBERS)}>{escape(head)}</th>' for head in HEADS
    )
    rows = "\n".join(_rows(session, window))
    return f"<table>\n<thead><tr>{heads}</tr></thead>\n<tbody>\n{rows}\n</tbody>\n</table>"


def _flush(right: bool) -> str:
    return ' class="num"' if right else ""


def _rows(session: Session, window: Window) -> Iterator[str]:
    ghosts = 0
    for event in trace.events(session, max(window.first - 1, 0), window.last):
        if isinstance(event, trace.StatementEvent):
            yield _wide(event.text)
        elif isinstance(event, trace.SeedEvent):
            yield _seed(session, event)
        elif isinstance(event, trace.ContributionEvent):
            yield _contribution(session, event)
        elif isinstance(event, trace.GhostEvent) and ghosts < MOST_GHOSTS:
            ghosts += 1
            yield _ghost(event)


def _wide(text: str) -> str:
    return f'<tr><th scope="rowgroup" colspan="{len(HEADS)}">{escape(cut(text, LONGEST))}</th></tr>'


def _row(step: int | None, cells: list[str], why: str) -> str:
    """The cells from the node on; columns of numbers are flush right."""
    link = "" if step is None else f'<a href="#step={step}">{step}</a>'
    shown = "".join(
        f"<td{_flush(head in NUMBERS)}>{escape(cut(cell, LONGEST))}</td>"
        for head, cell in zip(HEADS[1:], cells, strict=False)
    )
    name = "" if step is None else f' id="row-{step}"'
    told = escape(cut(why, LONGEST_REMARK))
    return f'<tr{name}><th scope="row">{link}</th>{shown}<td class="why">{told}</td></tr>'


def _seed(session: Session, event: trace.SeedEvent) -> str:
    cells = [f"{ui.COMPLETE} {event.node}", "the seed", "", "", "", value_text(event.grad), ""]
    return _row(event.step, cells, explain_at(session.run, event.step))


def _contribution(session: Session, event: trace.ContributionEvent) -> str:
    done = event.arrived >= event.expected
    sign = ui.COMPLETE if done else ui.PARTIAL
    sign += ui.AT_KINK if event.convention is not None else ""
    sign += ui.NOT_FINITE if not_finite(event.running) else ""
    cells = [
        f"{sign} {event.node}",
        equation(event.source, event.expr),
        value_text(event.upstream),
        event.rule if event.local is None else value_text(event.local),
        value_text(event.value),
        value_text(event.running),
        f"{event.arrived} of {event.expected}",
    ]
    return _row(event.step, cells, explain_at(session.run, event.step))


def _ghost(event: trace.GhostEvent) -> str:
    value = value_text(event.value)
    cells = [f"{ui.CUT} {event.node}", event.through, "", "", value, "", ""]
    return _row(None, cells, f"Cut by {event.through}: this would have arrived.")
