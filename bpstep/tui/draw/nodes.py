"""A line about a node in a list: signs, name, how it is made, value, gradient so far."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.text import Text

from bpstep.render import lines as ui
from bpstep.render.equation import equation
from bpstep.render.lines import Cell, line
from bpstep.render.numbers import not_finite
from bpstep.render.sanitize import visible
from bpstep.tui.draw.fit import cut, number, placed
from bpstep.tui.palette import SELECTED

if TYPE_CHECKING:
    from bpstep.session.listing import NodeRow

SELECTION = "›"
SIGNS_WIDTH = 4
NUMBER_NARROW, NUMBER_WIDE = 7, 11
EXPRESSION_FROM = 42


@dataclass(frozen=True)
class Columns:
    """How wide the columns are: signs, name (with the expression where there is room), numbers."""

    name: int
    number: int
    expressions: bool

    @classmethod
    def fitting(cls, width: int) -> Columns:
        """Columns that fill a width."""
        wide = width >= EXPRESSION_FROM
        digits = NUMBER_WIDE if wide else min(NUMBER_NARROW, max(3, (width - SIGNS_WIDTH) // 3))
        name = width - SIGNS_WIDTH - 2 * (digits + 1)
        return cls(max(1, name), digits, wide)


def heads(columns: Columns) -> Text:
    """The line above."""
    node = placed(("node", ui.FAINT), columns.name)
    value = placed(("value", ui.FAINT), columns.number, right=True)
    grad = "gradient" if columns.number >= len("gradient") else "grad"
    gradient = placed((grad, ui.FAINT), columns.number, right=True)
    return line(" " * SIGNS_WIDTH, node, " ", value, " ", gradient)


def node_line(row: NodeRow, columns: Columns, selected: bool) -> Text:
    """The line of one node; a gradient that has not arrived is left blank."""
    return _drawn(row, columns, selected).copy()


@lru_cache(maxsize=1000)
def _drawn(row: NodeRow, columns: Columns, selected: bool) -> Text:
    """From step to step most lines stay as they are."""
    sign = ui.SIGNS[row.status]
    shown = equation(row.name, row.expression) if columns.expressions else row.name
    text = line(
        (ui.HERE if row.current else SELECTION if selected else " ", ui.OPEN),
        (ui.BREAKPOINT if row.breakpoint else " ", ui.KINK),
        (sign, ui.SIGN_STYLES[sign]),
        " ",
        *_named(row, shown, columns.name - len(marks(row))),
        (marks(row), ui.BAD if row.nonfinite else ui.KINK),
        " ",
        placed((number(row.value, columns.number), _value_style(row)), columns.number, right=True),
        " ",
        placed(_gradient(row, columns.number), columns.number, right=True),
    )
    if selected:
        text.stylize(SELECTED)
    return text


def _named(row: NodeRow, shown: str, width: int) -> list[Cell]:
    """The name in bold, what follows it faint."""
    text = cut(shown, width)
    text += " " * (width - cell_len(text))
    end = min(len(visible(row.name)), len(text))
    faint = row.status == "unrecorded"
    return [(text[:end], ui.FAINT if faint else ui.HEADING), (text[end:], ui.FAINT)]


def _value_style(row: NodeRow) -> str:
    return ui.BAD if not_finite(row.value) else ""


def gradient_style(row: NodeRow) -> str:
    """How the gradient so far is shown."""
    return ui.BAD if row.nonfinite else ui.OPEN if row.status == "partial" else ui.GOOD


def _gradient(row: NodeRow, width: int) -> Cell:
    return (number(row.grad, width), gradient_style(row))


def marks(row: NodeRow) -> str:
    """What is special: cut by a detach, at a point without a derivative, not finite."""
    marks = ui.NOT_FINITE if row.nonfinite or not_finite(row.value) else ""
    marks += ui.AT_KINK if row.kink else ""
    marks += ui.CUT if row.cut else ""
    return marks
