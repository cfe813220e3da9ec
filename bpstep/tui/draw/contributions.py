"""The contributions to a node as a table: who sent what, the running sum, and who is awaited."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
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
HEADS_NARROW = ("from", "#", "upstream", "local", "contrib", "running")
HEADS_SHORT = ("from", "#", "up", "local", "contrib", "sum")
HEADS_WIDE = ("from", "operand", "upstream", "local", "contribution", "running")
NUMBER_SHORT, NUMBER_NARROW, NUMBER_WIDE = 6, 8, 11
SHORT_FROM, SHORTEST_FROM = 9, 6


@dataclass(frozen=True)
class _Layout:
    """The columns that are shown, what is between them, the digits of their numbers.

    ``least`` is the room without which the first column is no use beside them.
    """

    heads: Sequence[str]
    kept: Sequence[int]
    gap: str
    limit: int
    least: int


ALL, NO_OPERAND = (0, 1, 2, 3, 4, 5), (0, 2, 3, 4, 5)

LAYOUTS = (
    _Layout(HEADS_NARROW, ALL, "  ", NUMBER_NARROW, SHORT_FROM),
    _Layout(HEADS_NARROW, ALL, " ", NUMBER_NARROW, SHORT_FROM),
    _Layout(HEADS_NARROW, NO_OPERAND, " ", NUMBER_NARROW, SHORT_FROM),
    _Layout(HEADS_SHORT, NO_OPERAND, " ", NUMBER_NARROW, SHORT_FROM),
    _Layout(HEADS_SHORT, NO_OPERAND, " ", NUMBER_SHORT, SHORTEST_FROM),
    _Layout(HEADS_SHORT, (0, 4, 5), " ", NUMBER_NARROW, SHORTEST_FROM),
    _Layout(HEADS_SHORT, (0, 5), " ", NUMBER_NARROW, SHORTEST_FROM),
)
"""The first that fits is taken; on a wide pane one with long heads before them."""

WIDE_LAYOUT = _Layout(HEADS_WIDE, ALL, "  ", NUMBER_WIDE, SHORT_FROM)

Row = Sequence[Cell]
"""A sign, then a cell for each head."""


def contribution_lines(card: Card, width: int) -> Iterator[Text]:
    """The table, with the seed, the buffer and the ghosts; nothing where there is nothing in it."""
    layouts = (WIDE_LAYOUT, *LAYOUTS) if width >= WIDE else LAYOUTS
    width = min(width, WIDEST)
    for layout in layouts:
        rows = list(_rows(card, layout.limit))
        widths = _widths(rows, layout)
        widths[0] = _room(widths, layout, width)
        if widths[0] >= layout.least:
            break
    if rows:
        widths[0] = max(1, widths[0])
        yield from _table(rows, widths, layout)


def _rows(card: Card, limit: int) -> Iterator[Row]:
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


def _widths(rows: Sequence[Row], layout: _Layout) -> list[int]:
    return [
        max(cell_len(visible(_text(cell))) for cell in column)
        for column in zip(layout.heads, *(row[1:] for row in rows), strict=True)
    ]


def _room(widths: Sequence[int], layout: _Layout, width: int) -> int:
    """What is left for the first column."""
    return width - 2 - sum(widths[k] + len(layout.gap) for k in layout.kept[1:])


def _table(rows: Sequence[Row], widths: Sequence[int], layout: _Layout) -> Iterator[Text]:
    kept, gap = layout.kept, layout.gap
    yield _spread("", [(head, ui.FAINT) for head in layout.heads], widths, layout)
    yield line(("─" * (2 + sum(widths[k] for k in kept) + len(gap) * (len(kept) - 1)), ui.FAINT))
    for sign, *cells in rows:
        yield _spread(sign, cells, widths, layout)


def _spread(sign: Cell, cells: Sequence[Cell], widths: Sequence[int], layout: _Layout) -> Text:
    """A row; what stands in its first column may reach over empty ones."""
    first, *others = layout.kept
    width = widths[first]
    while others and not _text(cells[others[0]]):
        width += len(layout.gap) + widths[others.pop(0)]
    spaced: list[Cell] = [placed(sign, 2), placed(cells[first], width)]
    for k in others:
        spaced += [layout.gap, placed(cells[k], widths[k], right=k > 1)]
    return line(*spaced)


def _text(cell: Cell) -> str:
    return cell if isinstance(cell, str) else cell[0]
