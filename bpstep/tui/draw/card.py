"""A node's card, laid out for a pane: value, local derivatives, contributions, what is awaited."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
from rich.cells import cell_len
from rich.text import Text

from bpstep.render import lines as ui
from bpstep.render.card import derivative_text, gradient_head
from bpstep.render.equation import equation
from bpstep.render.lines import Cell, line
from bpstep.render.numbers import not_finite, shape_text
from bpstep.render.sanitize import visible
from bpstep.render.steps import convention_text
from bpstep.tui.draw.contributions import contribution_lines
from bpstep.tui.draw.fit import cut, number
from bpstep.tui.draw.status import LAST
from bpstep.tui.draw.tensors import summary_lines, taken, tensor_pictures

if TYPE_CHECKING:
    from bpstep.engine.arithmetic import Value
    from bpstep.session.card import Card
    from bpstep.session.listing import NodeRow

MOST_NAMED = 4
MOST_NUMBERS = 1000
"""A tensor with more elements is shown by its ends."""


def title(card: Card) -> str:
    """The node and how it is made, for the frame."""
    row = card.row
    made = equation(row.name, row.expression) if row.expression else f"{row.name} ({row.role})"
    return visible(made)


def arrival(card: Card) -> Text:
    """The sign and the count of what has arrived, for the frame."""
    row = card.row
    sign = ui.SIGNS[row.status]
    if row.status == "unrecorded":
        return line(f"{sign} nothing is recorded for it")
    if row.expected:
        return line(f"{sign} {row.arrived} of {row.expected} arrived")
    return line(f"{sign} the seed" if row.receives else f"{sign} nothing arrives in this pass")


def card_lines(
    card: Card, width: int, end: NodeRow | None = None, height: int = 0
) -> Iterator[Text]:
    """The card's lines, each no wider than ``width``.

    The card is of a pass; ``end`` is the node as it is where statements ran after that. Tensors
    are drawn where the rest leaves room for it in ``height`` lines.
    """
    head = list(_numbers(card, width))
    rest = list(_below(card, width, end))
    yield from head
    yield from tensor_pictures(card, width, height - taken([*head, *rest], width))
    yield from rest


def _below(card: Card, width: int, end: NodeRow | None) -> Iterator[Text]:
    if end is not None:
        yield _at_the_end(end, width)
    yield from _locals(card, width)
    yield from contribution_lines(card, width)
    yield from _remarks(card)


def tensor_lines(card: Card) -> Iterator[Text]:
    """The numbers of the contributions that are tensors, where the gradient is their sum."""
    arrived = [(f"from {row.source}", row.value) for row in card.rows if row.arrived]
    named = arrived if len(arrived) > 1 or card.seed is not None or card.buffer is not None else []
    for name, value in named:
        if isinstance(value, np.ndarray) and value.ndim:
            yield Text()
            yield line((name, ui.HEADING), (f" {shape_text(value.shape)}", ui.FAINT))
            yield from (line(f"  {text}") for text in _written_out(value))


def _written_out(value: np.ndarray) -> list[str]:
    """A tensor in NumPy's way, its middle left out where it is long."""
    text = np.array2string(value, precision=6, suppress_small=False, threshold=MOST_NUMBERS)
    return text.splitlines()


def _numbers(card: Card, width: int) -> Iterator[Text]:
    value, grad = card.row.value, card.row.grad
    room = max(8, (width - 26) // 2)
    shown: list[Cell] = [
        "value ",
        (_value(value, room), ui.BAD if not_finite(value) else ui.HEADING),
    ]
    if card.shape and shown[1][0] != shape_text(card.shape):
        shown.append((f" {shape_text(card.shape)}", ui.FAINT))
    if grad is not None:
        style = ui.BAD if not_finite(grad) else ui.OPEN if card.row.status == "partial" else ui.GOOD
        shown += ["   ", gradient_head(card.row), " ", (_value(grad, room), f"bold {style}")]
    elif card.row.receives:
        shown += [("   no gradient yet", ui.FAINT)]
    head = line(*shown)
    if head.cell_len > width and card.shape and grad is not None:
        # Both have one shape: where there is no room for it twice, once will do.
        head = line("shape ", (shape_text(card.shape), ui.HEADING))
    yield head
    yield from summary_lines(card, width)


def _value(value: Value | None, room: int) -> str:
    """A number, a tensor written out where there is room, or its shape as a whole."""
    text = number(value, room)
    if isinstance(value, np.ndarray) and value.ndim and not text.startswith("["):
        return shape_text(value.shape)
    return text


def _at_the_end(row: NodeRow, width: int) -> Text:
    room = max(8, (width - 34) // 2)
    grad = "none" if row.grad is None else number(row.grad, room)
    return line((f"{LAST} at the end value {number(row.value, room)}   gradient {grad}", ui.OPEN))


def _locals(card: Card, width: int) -> Iterator[Text]:
    """The local derivatives one after the other, as many on a line as fit."""
    recorded = [local for local in card.locals if local.requires_grad]
    pieces = [cut(derivative_text(card.row.name, local), width) for local in recorded]
    shown = ""
    for piece in dict.fromkeys(pieces):
        joined = f"{shown}   {piece}" if shown else piece
        if shown and cell_len(joined) > width:
            yield line(shown)
            joined = piece
        shown = joined
    if shown:
        yield line(shown)


def _remarks(card: Card) -> Iterator[Text]:
    if card.awaited and card.row.arrived:
        yield line((_waiting(card), ui.FAINT))
    for row in card.rows:
        if row.convention is not None and row.arrived:
            yield line((f"{convention_text(row.convention)}, at {row.source}", ui.KINK))
    if card.note is not None and not card.row.current:
        yield line(("note ", ui.HEADING), card.note)


def _waiting(card: Card) -> str:
    """Whom the node waits for, and whom it makes wait: its operands get their share later."""
    row, sources = card.row, list(dict.fromkeys(awaited.source for awaited in card.awaited))
    operands = [local.operand for local in card.locals if local.requires_grad]
    left = row.expected - row.arrived
    until = f"{listed(sources)} {'has' if len(sources) == 1 else 'have'} sent"
    until = until if left <= MOST_NAMED else f"{left} more have arrived"
    if not operands:
        return f"{row.name} is complete when {until}."
    return f"{row.name} is sent on to {listed(operands)} only when {until}."


def listed(names: Sequence[str]) -> str:
    """Names in a sentence, each once: ``w and x``; of many the first few, and how many more."""
    once = list(dict.fromkeys(names))
    if len(once) > MOST_NAMED:
        return f"{', '.join(once[:MOST_NAMED])} and {len(once) - MOST_NAMED} more"
    return " and ".join(filter(None, (", ".join(once[:-1]), *once[-1:])))
