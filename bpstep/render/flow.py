"""The flow of values and gradients as a table: a line a node, and where it first breaks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rich.text import Text

from bpstep.render import lines as ui
from bpstep.render.lines import Cell, line, table
from bpstep.render.numbers import not_finite, shape_text, short

if TYPE_CHECKING:
    from bpstep.analysis.flow import FlowRow, Spread
    from bpstep.session.reports import FlowReport

SHOWN = 1000
"""A longer table is read by no one; the trace has every row."""

HEADS = (
    "node",
    "role",
    "shape",
    "mean",
    "std",
    "zeros",
    "grad mean",
    "grad std",
    "grad zeros",
    "grad norm",
    "saturated",
    "update/weight",
)


def flow_lines(report: FlowReport) -> Iterator[Text]:
    """Figures of every node's value and gradient over its elements."""
    flow = report.flow
    said = ", as the scenario names none" if report.default_rate else ""
    yield line(("flow", ui.HEADING), f": updates at rate {short(flow.rate)}{said}")
    rows = [_row(row) for row in flow.rows[:SHOWN]]
    yield from table(HEADS, rows, right=range(3, len(HEADS)))
    if len(flow.rows) > SHOWN:
        yield line((f"  … and {len(flow.rows) - SHOWN} more", ui.FAINT))
    if flow.first_value is not None:
        yield _first(f"value that is not finite: {flow.first_value}")
    if report.first is not None:
        sent = report.first
        where = f"step {sent.step}, {sent.source} to {sent.target}"
        yield _first(f"contribution that is not finite: {where}")


def _first(what: str) -> Text:
    return line((f"  {ui.NOT_FINITE} first {what}", ui.BAD))


def _row(row: FlowRow) -> list[Cell]:
    shape = shape_text(row.shape) if row.shape else ""
    return [
        row.node,
        (row.role, ui.FAINT),
        (shape, ui.FAINT),
        *_figures(row.value)[:3],
        *_gradient(row.gradient),
        _share(row.saturated),
        _number(row.ratio),
    ]


def _gradient(spread: Spread | None) -> list[Cell]:
    return [("none", ui.FAINT), "", "", ""] if spread is None else _figures(spread)


def _figures(spread: Spread) -> list[Cell]:
    """Mean, deviation, share of zeros, norm."""
    mean, deviation, norm = map(_number, (spread.mean, spread.deviation, spread.norm))
    return [mean, deviation, _share(spread.zeros), norm]


def _number(value: float | None) -> Cell:
    if value is None:
        return ""
    return (short(value), ui.BAD if not_finite(value) else ui.NUMBER)


def _share(share: float | None) -> Cell:
    """A part of all elements, in percent; what is dead stands out."""
    if share is None:
        return ""
    return (f"{short(100 * share)}%", ui.OPEN if share > 0 else ui.FAINT)
