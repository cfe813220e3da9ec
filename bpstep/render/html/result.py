"""The values and gradients at the end of a run, as a table of HTML."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

from bpstep.render.html.cards import LONGEST
from bpstep.render.html.window import MOST_NODES
from bpstep.render.lines import cut
from bpstep.render.moments import moments_text
from bpstep.render.numbers import value_text
from bpstep.session.trace import moments

if TYPE_CHECKING:
    from bpstep.engine.run import Run
    from bpstep.session.session import Session

HEADS = (
    '<thead><tr><th scope="col">node</th><th scope="col" class="num">value</th>'
    '<th scope="col" class="num">gradient</th></tr></thead>'
)


def result_table(session: Session) -> str:
    """The first nodes of the last graph in the order of evaluation, as they are at the end."""
    run, graph = session.run, session.run.graph
    if graph is None:
        return ""
    nodes = graph.visible()
    rows = "\n".join(_row(run, graph.label(node)) for node in nodes[:MOST_NODES])
    more = len(nodes) - MOST_NODES
    left = f"<p>{more} more nodes are left out here.</p>" if more > 0 else ""
    return (
        f'<section><h3>Result</h3>{_moments(run)}<div class="scroll short" tabindex="0">'
        f"<table>{HEADS}<tbody>\n{rows}\n</tbody></table></div>{left}</section>"
    )


def _moments(run: Run) -> str:
    """Of when the numbers are, where they are of different moments."""
    found = moments(run)
    return "" if found is None else f"<p>Of different moments: {escape(moments_text(found))}.</p>"


def _row(run: Run, name: str) -> str:
    grad = run.grad(name)
    shown = "none" if grad is None else _number(grad)
    return (
        f'<tr><th scope="row">{escape(cut(name, LONGEST))}</th>'
        f'<td class="num">{_number(run.value(name))}</td><td class="num">{shown}</td></tr>'
    )


def _number(value: Any) -> str:
    return escape(value_text(value))
