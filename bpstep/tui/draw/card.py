"""A node's card, laid out for a pane: value, local derivatives, contributions, what is awaited."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.cells import cell_len
from rich.text import Text

from bpstep.render import lines as ui
from bpstep.render.card import AWAITED, derivative_text, summary_text
from bpstep.render.equation import equation
from bpstep.render.lines import Cell, line
from bpstep.render.numbers import not_finite, shape_text
from bpstep.render.sanitize import visible
from bpstep.render.steps import convention_text
from bpstep.tui.draw.fit import cut, number, placed

if TYPE_CHECKING:
    from bpstep.session.card import Card, CardRow

WIDE, WIDEST = 62, 90
HEADS_NARROW = ("from", "op", "upstream", "local", "contrib", "running")
HEADS_WIDE = ("from", "operand", "upstream", "local", "contribution", "running")
NUMBER_NARROW, NUMBER_WIDE = 8, 11
SHORTEST_FROM = 6
MOST_NAMED = 4
MOST_NUMBERS = 1000
"""A tensor with more elements is shown by its ends."""

Row = Sequence[Cell]
"""A sign, then a cell for each head."""


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


def card_lines(card: Card, width: int) -> Iterator[Text]:
    """The card's lines, each no wider than ``width``."""
    yield from _numbers(card, width)
    yield from _locals(card, width)
    rows = list(_rows(card, width))
    if rows:
        yield from _table(rows, width)
    yield from _remarks(card)


def tensor_lines(card: Card) -> Iterator[Text]:
    """The numbers of the card's tensors: value, gradient so far, and each contribution."""
    named: list[tuple[str, Any]] = [("value", card.row.value), ("gradient so far", card.row.grad)]
    named += [(f"from {row.source}", row.value) for row in card.rows if row.arrived]
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
        (number(value, room), ui.BAD if not_finite(value) else ui.HEADING),
    ]
    if card.shape and number(value, room) != shape_text(card.shape):
        shown.append((f" {shape_text(card.shape)}", ui.FAINT))
    if grad is not None:
        style = ui.BAD if not_finite(grad) else ui.OPEN if card.row.status == "partial" else ui.GOOD
        shown += ["   ", _gradient_head(card), (number(grad, room), f"bold {style}")]
    elif card.row.receives:
        shown += [("   no gradient yet", ui.FAINT)]
    yield line(*shown)
    for name, summary in (("value", card.value_summary), ("gradient", card.grad_summary)):
        if summary is not None:
            yield line((f"{name:<9}", ui.FAINT), (summary_text(summary), ui.FAINT))


def _gradient_head(card: Card) -> str:
    return "gradient " if card.row.status == "complete" else "gradient so far "


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


def _rows(card: Card, width: int) -> Iterator[Row]:
    limit = NUMBER_WIDE if width >= WIDE else NUMBER_NARROW
    if card.seed is not None:
        yield _sum_row(ui.HERE if card.row.current else "", "the seed", card.seed, limit)
    if card.buffer is not None:
        yield _sum_row("", "the buffer", card.buffer, limit)
    before, after = card.omitted
    if before:
        yield _more(f"… {before} before these")
    for row in card.rows:
        yield _row(row, limit)
    if after:
        yield _more(f"… {after} after these")
    for ghost in card.ghosts:
        value = (number(ghost.value, limit), ui.FAINT)
        says = (f"cut by {ghost.through}", ui.FAINT)
        yield (ui.CUT, ui.KINK), says, "", "", "", value, ("never", ui.FAINT)


def _more(says: str) -> Row:
    return "", (says, ui.FAINT), *[""] * 5


def _sum_row(sign: str, says: str, value: Any, limit: int) -> Row:
    return (sign, ui.OPEN), says, "", "", "", "", number(value, limit)


def _row(row: CardRow, limit: int) -> Row:
    local = cut(row.rule, limit) if row.local is None else number(row.local, limit)
    source = equation(row.source, row.expression)
    if not row.arrived:
        faint = ((text, ui.FAINT) for text in (AWAITED, local, AWAITED, "awaited"))
        return "", (source, ui.FAINT), (str(row.operand), ui.FAINT), *faint
    strong = ui.OPEN if row.current else ""
    sign = (ui.HERE, ui.OPEN) if row.current else (_sign(row), ui.KINK)
    sent = _styled(row.value, limit, strong), _styled(row.running, limit, strong)
    return sign, (source, strong), str(row.operand), number(row.upstream, limit), local, *sent


def _sign(row: CardRow) -> str:
    return ui.AT_KINK if row.convention is not None else ""


def _styled(value: Any, limit: int, style: str) -> Cell:
    return (number(value, limit), ui.BAD if not_finite(value) else style)


def _table(rows: Sequence[Row], width: int) -> Iterator[Text]:
    width = min(width, WIDEST)
    heads = HEADS_WIDE if width >= WIDE else HEADS_NARROW
    widths = [
        max(cell_len(visible(_text(cell))) for cell in column)
        for column in zip(heads, *(row[1:] for row in rows), strict=True)
    ]
    room = width - 2 - sum(widths[1:]) - 2 * len(widths[1:])
    gap = "  "
    if room < SHORTEST_FROM:
        room, gap = max(1, room + len(widths[1:])), " "
    widths[0] = max(1, room)
    yield _spread("", [(head, ui.FAINT) for head in heads], widths, gap)
    yield line(("─" * (2 + sum(widths) + len(gap) * (len(widths) - 1)), ui.FAINT))
    for sign, *cells in rows:
        yield _spread(sign, cells, widths, gap)


def _spread(sign: Cell, cells: Sequence[Cell], widths: Sequence[int], gap: str) -> Text:
    spaced: list[Cell] = [placed(sign, 2)]
    for place, (cell, size) in enumerate(zip(cells, widths, strict=True)):
        spaced += [gap] if place else []
        spaced.append(placed(cell, size, right=place > 1))
    return line(*spaced)


def _text(cell: Cell) -> str:
    return cell if isinstance(cell, str) else cell[0]


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
    row, sources = card.row, [awaited.source for awaited in card.awaited]
    operands = [local.operand for local in card.locals if local.requires_grad]
    left = row.expected - row.arrived
    what = f"{left} more have arrived" if left > MOST_NAMED else listed(sources)
    if not operands:
        return f"{row.name} is not complete before {what}."
    return f"{row.name} is sent on to {listed(operands)} only after {what}."


def listed(names: Sequence[str]) -> str:
    """Names in a sentence, each once: ``w and x``; of many the first few, and how many more."""
    once = list(dict.fromkeys(names))
    if len(once) > MOST_NAMED:
        return f"{', '.join(once[:MOST_NAMED])} and {len(once) - MOST_NAMED} more"
    return " and ".join(filter(None, (", ".join(once[:-1]), *once[-1:])))
