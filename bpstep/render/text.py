"""A run as readable text: what was evaluated, and each step with its running sum."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
from rich.text import Text

from bpstep.render import lines as ui
from bpstep.render.effects import effect_rows
from bpstep.render.faults import fault_text
from bpstep.render.lines import columns, cut, line, padded
from bpstep.render.moments import moments_text
from bpstep.render.numbers import not_finite, shape_text, value_text
from bpstep.render.steps import Layout, contribution_lines, ghost_lines, seed_lines
from bpstep.render.values import INDENT, Entry, entry, value_table
from bpstep.session import trace


def event_lines(event: trace.Event, layout: Layout) -> Iterator[Text]:
    """The lines of one event of a run: none for what a step's own line says already."""
    return _EVENTS[type(event)](event, layout)


def _scenario(event: trace.ScenarioEvent, layout: Layout) -> Iterator[Text]:
    yield line((event.title, ui.HEADING))
    yield line((f"{event.file} · {event.dtype} · loss: {event.loss}", ui.FAINT))
    if event.fault is not None:
        yield line((f"{ui.NOT_FINITE} fault on purpose: {fault_text(event.fault)}", ui.BAD))


def _statement(event: trace.StatementEvent, layout: Layout) -> Iterator[Text]:
    yield line()
    yield line((event.text, ui.HEADING))
    if event.effect is not None:
        yield from columns([[what, (how, ui.NUMBER)] for what, how in effect_rows(event.effect)])


def _leaf(event: trace.LeafEvent, layout: Layout) -> Iterator[Text]:
    frozen = event.role != "constant" and not event.requires_grad
    role = f"{event.role}, frozen" if frozen else event.role
    yield from _evaluated(event.node, role, event.value, layout)


def _forward(event: trace.ForwardEvent, layout: Layout) -> Iterator[Text]:
    yield from _evaluated(event.node, event.expr, event.value, layout)


def _evaluated(name: str, how: str, value: Any, layout: Layout) -> Iterator[Text]:
    """A row; the elements of a tensor that make it too wide stand below it."""
    text, indent = value_text(value), layout.name + layout.expression + 6
    wide = isinstance(value, np.ndarray) and indent + len(text) > ui.TABLE_WIDTH
    yield line(
        "  ",
        padded(cut(name, layout.name), layout.name),
        "  ",
        padded((cut(how, layout.expression), ui.FAINT), layout.expression),
        "  ",
        (shape_text(value.shape) if wide else text, ui.BAD if not_finite(value) else ui.NUMBER),
    )
    if wide:
        yield line(" " * INDENT, (text, ui.FAINT))


def _complete(event: trace.CompleteEvent, layout: Layout) -> Iterator[Text]:
    """Said by the step's own line, which comes just before."""
    yield from ()


def _result(event: trace.ResultEvent, layout: Layout) -> Iterator[Text]:
    yield line()
    loss = "" if event.loss is None else f": loss {value_text(event.loss)}"
    yield line((f"result{loss}", ui.HEADING))
    if event.moments is not None:
        yield line((f"  {moments_text(event.moments)}", ui.FAINT))
    rows: list[list[Entry]] = []
    for node, value in event.values.items():
        grad = event.grads.get(node)
        shown = ("none", ui.FAINT) if grad is None else entry(grad, ui.NUMBER)
        rows.append([cut(node, ui.NAME_WIDTH), entry(value, ui.NUMBER), shown])
    yield from value_table(("node", "value", "gradient"), rows)


def _error(event: trace.ErrorEvent, layout: Layout) -> Iterator[Text]:
    yield line()
    yield line((f"{ui.NOT_FINITE} the run ends in the error {event.code}", ui.BAD))
    yield line(f"  {event.message}")


_EVENTS: Mapping[type, Callable[[Any, Layout], Iterator[Text]]] = {
    trace.ScenarioEvent: _scenario,
    trace.StatementEvent: _statement,
    trace.LeafEvent: _leaf,
    trace.ForwardEvent: _forward,
    trace.SeedEvent: seed_lines,
    trace.ContributionEvent: contribution_lines,
    trace.CompleteEvent: _complete,
    trace.GhostEvent: ghost_lines,
    trace.ResultEvent: _result,
    trace.ErrorEvent: _error,
}
