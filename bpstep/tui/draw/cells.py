"""A node in a few columns, for lists that flow: signs, name, gradient so far."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.text import Text

from bpstep.render import lines as ui
from bpstep.render.lines import Cell, line
from bpstep.tui.draw.fit import cut, number, placed
from bpstep.tui.draw.nodes import SELECTION, gradient_style, marks
from bpstep.tui.palette import SELECTED

if TYPE_CHECKING:
    from bpstep.session.listing import NodeRow

NARROWEST = 17
"""Columns of a cell, the space after it included; cells share out what is over."""
SIGNS_WIDTH = 4
GRADIENT_WIDTH, GRADIENT_WIDE = 6, 7
"""Columns of a gradient, and where the name leaves room as many as in the graph."""


@dataclass(frozen=True)
class Grid:
    """Cells in rows, read as text is: ``across`` of them to a row, each ``width`` columns."""

    across: int
    width: int

    @classmethod
    def fitting(cls, width: int) -> Grid:
        """As many cells side by side as fit."""
        across = max(1, width // NARROWEST)
        return cls(across, max(1, width // across))

    def rows(self, count: int) -> int:
        """The number of rows for so many nodes."""
        return -(-count // self.across)


def node_cell(row: NodeRow, width: int, selected: bool) -> Text:
    """The cell of one node; a gradient that has not arrived is left blank."""
    return _drawn(row, width, selected).copy()


@lru_cache(maxsize=1000)
def _drawn(row: NodeRow, width: int, selected: bool) -> Text:
    """From step to step most cells stay as they are."""
    sign, special = ui.SIGNS[row.status], marks(row)
    room = max(1, width - SIGNS_WIDTH - 1)
    left = room - cell_len(cut(row.name, room)) - len(special) - 1
    grad = number(row.grad, min(max(left, GRADIENT_WIDTH), GRADIENT_WIDE, room))
    name = cut(row.name, max(1, room - len(grad) - len(special) - (1 if grad else 0)))
    shown: list[Cell] = [
        (ui.HERE if row.current else SELECTION if selected else " ", ui.OPEN),
        (ui.BREAKPOINT if row.breakpoint else " ", ui.KINK),
        (sign, ui.SIGN_STYLES[sign]),
        " ",
        (name, ui.FAINT if row.status == "unrecorded" else ui.HEADING),
        (special, ui.BAD if row.nonfinite else ui.KINK),
    ]
    if grad:
        shown += [" ", (grad, gradient_style(row))]
    used = line(*shown)
    text = line(*shown, placed("", max(0, width - 1 - used.cell_len)))
    if selected:
        text.stylize(SELECTED)
    return text.append(" ")
