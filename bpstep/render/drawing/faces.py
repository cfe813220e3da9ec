"""What a box shows of its node: name, value, gradient so far, and signs of its state."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from rich.text import Text

from bpstep.render import lines as ui
from bpstep.render.drawing.paint import Face
from bpstep.render.drawing.plan import Columns, shown
from bpstep.render.lines import line
from bpstep.render.numbers import not_finite

if TYPE_CHECKING:
    from bpstep.render.drawing.parts import Style
    from bpstep.session.listing import NodeRow

SELECTION = "›"
SELECTED = "on black"
HERE = f"bold {ui.OPEN}"
MOST_KEPT = 1000
KINDS = {"op": "operation", "constant": "constant"}


@lru_cache(maxsize=MOST_KEPT)
def face(row: NodeRow, columns: Columns, style: Style, chosen: bool) -> Face:
    """A box at a step, of a node that may be selected; a gradient not arrived yet is left blank.

    From one step to the next most rows are the same ones, and with them their boxes.
    """
    name = line((_slot(row, chosen), HERE), (columns.name, _name_style(row)), " ")
    numbers = line(
        (shown(row.value).ljust(columns.value), ui.BAD if not_finite(row.value) else ""),
        *_gradient(row, columns),
        (columns.more, ui.FAINT),
        " ",
    )
    if style.framed:
        content, title = Text.assemble(" ", numbers, end=""), name
    else:
        content, title = Text.assemble(name, numbers, end=""), Text(end="")
    if chosen:
        content.stylize(SELECTED)
        title.stylize(SELECTED)
    return Face((content,), _frame(row, chosen), KINDS.get(row.role, "leaf"), title)


def _slot(row: NodeRow, chosen: bool) -> str:
    if row.current:
        return ui.HERE
    return SELECTION if chosen else ui.BREAKPOINT if row.breakpoint else " "


def _name_style(row: NodeRow) -> str:
    return ui.FAINT if row.status == "unrecorded" else HERE if row.current else ui.HEADING


def _frame(row: NodeRow, chosen: bool) -> str:
    if row.current:
        return HERE
    return ui.FAINT if row.status == "unrecorded" and not chosen else ""


def _gradient(row: NodeRow, columns: Columns) -> list[ui.Cell]:
    """The gradient and the sign of its state, then what is special, each in its columns."""
    sign = ui.SIGNS[row.status]
    style = ui.BAD if row.nonfinite else ui.OPEN if row.status == "partial" else ui.GOOD
    grad = f" ∂ {shown(row.grad)}" if row.grad is not None else ""
    gradient = grad.ljust(columns.gradient + 3 if columns.gradient else 0)
    marks = _marks(row).ljust(columns.marks)
    return [
        (gradient, style),
        (f" {sign}", ui.SIGN_STYLES[sign]),
        (marks, ui.BAD if row.nonfinite else ui.KINK),
    ]


def _marks(row: NodeRow) -> str:
    """What is special: not finite, at a point without a derivative, cut by a detach."""
    marks = ui.NOT_FINITE if row.nonfinite or not_finite(row.value) else ""
    marks += ui.AT_KINK if row.kink else ""
    return marks + (ui.CUT if row.cut else "")
