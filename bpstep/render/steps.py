"""The table of a reverse pass's steps: one row a contribution, with the running sum."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.cells import cell_len
from rich.text import Text

from bpstep.render import lines as ui
from bpstep.render.equation import equation
from bpstep.render.lines import Cell, cut, line, packed, padded, trimmed
from bpstep.render.numbers import narrow, not_finite, shape_text, value_text

if TYPE_CHECKING:
    from bpstep.engine.graph import Graph
    from bpstep.engine.ledger import ConventionUse
    from bpstep.session import trace

NUMBER_WIDTH = 10

LAID_OUT = 2000
"""Columns are laid out for so many nodes: what is wider further on is cut."""


@dataclass(frozen=True)
class Layout:
    """How wide the columns of names and expressions are, and how far steps are numbered."""

    name: int = 8
    expression: int = 16
    step: int = 4

    @classmethod
    def of(cls, graph: Graph | None, steps: int) -> Layout:
        """Columns that fit the first nodes of a graph, as far as the limits allow."""
        if graph is None:
            return cls()
        nodes = graph.visible()[:LAID_OUT]
        name = max((len(graph.label(i)) for i in nodes), default=0)
        expression = max(
            (len(equation(graph.label(i), graph.expression(i))) for i in nodes), default=0
        )
        return cls(
            min(max(name, 4), ui.NAME_WIDTH),
            min(max(expression, 8), ui.EXPRESSION_WIDTH),
            len(str(steps)),
        )


def seed_lines(event: trace.SeedEvent, layout: Layout) -> Iterator[Text]:
    """The heads of the table and its first row."""
    heads = ("upstream", "local", "contribution", "running")
    yield line(
        padded(("step", ui.FAINT), layout.step + 6),
        padded(("node", ui.FAINT), layout.name),
        "  ",
        padded(("from", ui.FAINT), layout.expression),
        *_numbers([(head, ui.FAINT) for head in heads]),
    )
    yield step_line(
        layout,
        step=event.step,
        sign=ui.COMPLETE,
        node=event.node,
        source="the seed",
        numbers=("", "", "", value_text(event.grad)),
    )


def contribution_lines(event: trace.ContributionEvent, layout: Layout) -> Iterator[Text]:
    """A contribution's row; a second line holds the elements of tensors."""
    done = event.arrived >= event.expected
    local = cut(event.rule, NUMBER_WIDTH) if event.local is None else cell_text(event.local)
    yield step_line(
        layout,
        step=event.step,
        sign=ui.COMPLETE if done else ui.PARTIAL,
        node=event.node,
        source=equation(event.source, event.expr),
        numbers=(
            cell_text(event.upstream),
            local,
            cell_text(event.value),
            cell_text(event.running),
        ),
        remarks=_remarks(event),
        bad=not_finite(event.value) or not_finite(event.running),
    )
    yield from _elements(event, layout)


def cell_text(value: Any) -> str:
    """A number, or of a tensor its shape: its elements would burst a column.

    A number too wide for its column has fewer digits; `print` and the trace have all.
    """
    if isinstance(value, np.ndarray):
        return shape_text(value.shape)
    return narrow(value, NUMBER_WIDTH)


def _elements(event: trace.ContributionEvent, layout: Layout) -> Iterator[Text]:
    """A second line for a step that moves tensors: their elements, and a rule that is long."""
    added = event.arrived > 1 or event.buffer is not None
    shown = {
        "local": event.local,
        "contribution": event.value,
        "running": event.running if added else None,
    }
    tensors = {name: value for name, value in shown.items() if isinstance(value, np.ndarray)}
    parts = [f"{name} {value_text(value)}" for name, value in tensors.items()]
    if event.local is None and len(event.rule) > NUMBER_WIDTH:
        parts.insert(0, f"local {event.rule}")
    for part in packed(parts, ui.TABLE_WIDTH - layout.step - 6):
        yield line(" " * (layout.step + 6), (part, ui.FAINT))


def step_line(
    layout: Layout,
    *,
    step: int | None,
    sign: str,
    node: str,
    source: str,
    numbers: tuple[str, str, str, str],
    remarks: tuple[Cell, ...] = (),
    bad: bool = False,
) -> Text:
    """One row of the table of steps; numbers are upstream, local, contribution, running sum."""
    style = ui.BAD if bad else ui.NUMBER
    return trimmed(
        line(
            padded("" if step is None else str(step), layout.step + 2, right=True),
            "  ",
            (sign, ui.SIGN_STYLES.get(sign, "")),
            " ",
            padded(cut(node, layout.name), layout.name),
            "  ",
            padded((cut(source, layout.expression), ui.FAINT), layout.expression),
            *_numbers([*((number, "") for number in numbers[:3]), (numbers[3], style)]),
            *(cell for remark in remarks for cell in ("  ", remark)),
        )
    )


def _numbers(cells: Iterable[tuple[str, str]]) -> Iterator[Cell]:
    """Columns of numbers, flush right; what is too wide takes room from the columns after it."""
    taken = 0
    for text, style in cells:
        room = NUMBER_WIDTH + 2 - taken
        shown = padded(f"  {text}", room, right=True)
        taken = max(cell_len(shown[0]) - room, 0)
        yield shown[0], style


def _remarks(event: trace.ContributionEvent) -> tuple[Cell, ...]:
    """What is special about a step, after its numbers."""
    remarks: list[Cell] = []
    if event.expected > 1:
        done = event.arrived >= event.expected
        count = f"{event.arrived} of {event.expected}"
        remarks.append((count, ui.GOOD if done else ui.OPEN))
    if event.buffer is not None:
        remarks.append((f"buffer {cell_text(event.buffer)}", ui.OPEN))
    if event.convention is not None:
        remarks.append((convention_text(event.convention), ui.KINK))
    if not_finite(event.value):
        remarks.append((f"{ui.NOT_FINITE} not finite", ui.BAD))
    return tuple(remarks)


def convention_text(use: ConventionUse) -> str:
    """A convention in short: "⊥ relu: 0 of [0, 1]"."""
    said = f"{ui.AT_KINK} {use.key}: {value_text(use.used)}"
    if use.interval is None:
        return said
    low, high = use.interval
    return f"{said} of [{value_text(low)}, {value_text(high)}]"


def ghost_lines(event: trace.GhostEvent, layout: Layout) -> Iterator[Text]:
    """What a detach keeps from arriving: a row without a number."""
    yield step_line(
        layout,
        step=None,
        sign=ui.CUT,
        node=event.node,
        source=event.through,
        numbers=("", "", value_text(event.value), ""),
        remarks=(("cut: would have arrived", ui.FAINT),),
    )
