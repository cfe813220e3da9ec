"""The table of a reverse pass's steps: one row a contribution, with the running sum."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.text import Text

from bpstep.render import lines as ui
from bpstep.render.equation import equation
from bpstep.render.lines import Cell, line, padded, trimmed
from bpstep.render.numbers import not_finite, shape_text, value_text

if TYPE_CHECKING:
    from bpstep.engine.graph import Graph
    from bpstep.engine.ledger import ConventionUse
    from bpstep.session import trace

NUMBER_WIDTH = 10
NAME_LIMIT, EXPRESSION_LIMIT = 16, 34
"""Columns never get wider than this for names and expressions; what is longer pushes on."""


@dataclass(frozen=True)
class Layout:
    """How wide the columns of names and expressions are, and how far steps are numbered."""

    name: int = 8
    expression: int = 16
    step: int = 4

    @classmethod
    def of(cls, graph: Graph | None, steps: int) -> Layout:
        """Columns that fit the nodes of a graph, as far as the limits allow."""
        if graph is None:
            return cls()
        nodes = graph.visible()
        name = max((len(graph.label(i)) for i in nodes), default=0)
        expression = max(
            (len(equation(graph.label(i), graph.expression(i))) for i in nodes), default=0
        )
        return cls(
            min(max(name, 4), NAME_LIMIT),
            min(max(expression, 8), EXPRESSION_LIMIT),
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
        *(_number((head, ui.FAINT)) for head in heads),
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
    local = event.rule if event.local is None else cell_text(event.local)
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
    """A number, or of a tensor its shape: its elements would burst a column."""
    return shape_text(value.shape) if isinstance(value, np.ndarray) else value_text(value)


def _elements(event: trace.ContributionEvent, layout: Layout) -> Iterator[Text]:
    """A second line for a step that moves tensors: their elements."""
    added = event.arrived > 1 or event.buffer is not None
    shown = {
        "local": event.local,
        "contribution": event.value,
        "running": event.running if added else None,
    }
    tensors = {name: value for name, value in shown.items() if isinstance(value, np.ndarray)}
    if tensors:
        parts = [f"{name} {value_text(value)}" for name, value in tensors.items()]
        yield line(" " * (layout.step + 6), ("  ".join(parts), ui.FAINT))


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
            padded(node, layout.name),
            "  ",
            padded((source, ui.FAINT), layout.expression),
            *(_number(number) for number in numbers[:3]),
            _number((numbers[3], style)),
            *(cell for remark in remarks for cell in ("  ", remark)),
        )
    )


def _number(cell: Cell) -> Cell:
    text, style = (cell, "") if isinstance(cell, str) else cell
    return padded((f"  {text}", style), NUMBER_WIDTH + 2, right=True)


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
