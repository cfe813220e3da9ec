"""The contributions to a node as a table: who sent what, the running sum, and who is awaited."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from rich.cells import cell_len
from rich.text import Text

from bpstep.render import lines as ui
from bpstep.render.card import AWAITED
from bpstep.render.equation import equation
from bpstep.render.lines import Cell, line
from bpstep.render.numbers import not_finite
from bpstep.render.sanitize import visible
from bpstep.tui.draw.fit import cut, number, placed

if TYPE_CHECKING:
    from bpstep.session.card import Card, CardRow

WIDE, WIDEST = 62, 90
HEADS_NARROW = ("from", "op", "upstream", "local", "contrib", "running")
HEADS_WIDE = ("from", "operand", "upstream", "local", "contribution", "running")
NUMBER_NARROW, NUMBER_WIDE = 8, 11
SHORTEST_FROM = 6

LAYOUTS = (
    ((0, 1, 2, 3, 4, 5), "  "),
    ((0, 1, 2, 3, 4, 5), " "),
    ((0, 3, 4, 5), " "),
    ((0, 4, 5), " "),
)
"""Which columns are shown, and what is between them: the first that fits is taken."""

Row = Sequence[Cell]
"""A sign, then a cell for each head."""


def contribution_lines(card: Card, width: int) -> Iterator[Text]:
    """The table, with the seed, the buffer and the ghosts; nothing where there is nothing in it."""
    rows = list(_rows(card, width))
    if rows:
        yield from _table(rows, min(width, WIDEST))


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
    heads = HEADS_WIDE if width >= WIDE else HEADS_NARROW
    widths = [
        max(cell_len(visible(_text(cell))) for cell in column)
        for column in zip(heads, *(row[1:] for row in rows), strict=True)
    ]
    kept, gap = _layout(widths, width)
    widths[0] = max(1, _room(widths, kept, gap, width))
    yield _spread("", [(head, ui.FAINT) for head in heads], widths, kept, gap)
    yield line(("─" * (2 + sum(widths[k] for k in kept) + len(gap) * (len(kept) - 1)), ui.FAINT))
    for sign, *cells in rows:
        yield _spread(sign, cells, widths, kept, gap)


def _layout(widths: Sequence[int], width: int) -> tuple[Sequence[int], str]:
    for kept, gap in LAYOUTS:
        if _room(widths, kept, gap, width) >= SHORTEST_FROM:
            return kept, gap
    return LAYOUTS[-1]


def _room(widths: Sequence[int], kept: Sequence[int], gap: str, width: int) -> int:
    """What is left for the first column."""
    return width - 2 - sum(widths[k] + len(gap) for k in kept[1:])


def _spread(
    sign: Cell, cells: Sequence[Cell], widths: Sequence[int], kept: Sequence[int], gap: str
) -> Text:
    spaced: list[Cell] = [placed(sign, 2)]
    for k in kept:
        spaced += [gap] if k else []
        spaced.append(placed(cells[k], widths[k], right=k > 1))
    return line(*spaced)


def _text(cell: Cell) -> str:
    return cell if isinstance(cell, str) else cell[0]
