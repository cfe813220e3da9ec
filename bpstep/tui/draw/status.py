"""The line at the top: what is debugged, and where we are."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from rich.text import Text

from bpstep.render import lines as ui
from bpstep.render.lines import Cell, line
from bpstep.session.places import place
from bpstep.tui.draw.fit import cut

if TYPE_CHECKING:
    from bpstep.session.reports import Place
    from bpstep.session.session import Session

LONGEST_STATE = 28
NAME = ("bpstep", "bold cyan")


def status(session: Session, width: int, count: str = "") -> Text:
    """Title and file at the left, pass, step and the state of the node at the right.

    What does not fit goes in this order: the program's name, the file, the end of the title.
    ``count`` is the number being typed before a motion.
    """
    right = line(*_fault(session), *_where(place(session)), *_typed(count), " ")
    return beside(_left(session, width - right.cell_len - 2), right, width)


def beside(left: Text, right: Text, width: int) -> Text:
    """Two texts at both ends of a line."""
    space = max(1, width - left.cell_len - right.cell_len)
    joined = Text.assemble(left, " " * space, right, end="")
    joined.truncate(width)
    return joined


def _left(session: Session, room: int) -> Text:
    title, file = session.scenario.title, os.path.basename(session.scenario.path)
    for cells in (
        (NAME, "  ", (title, "bold"), "  ", (file, ui.FAINT)),
        ((title, "bold"), "  ", (file, ui.FAINT)),
        ((title, "bold"),),
    ):
        text = line(" ", *cells)
        if text.cell_len <= room:
            return text
    return line(" ", (cut(title, room - 1), "bold"))


def _fault(session: Session) -> list[Cell]:
    """That the reverse pass is wrong on purpose may not be overlooked."""
    fault = session.scenario.fault
    return [] if fault is None else [(f"{ui.NOT_FINITE} fault {fault.kind}", ui.BAD), "   "]


def _where(where: Place) -> list[Cell]:
    if not where.passes:
        return [("no reverse pass", ui.FAINT)]
    of = f" of {where.passes}" if where.passes > 1 else ""
    return [
        f"pass {where.pass_number}{of}   step {where.position} of {where.total}   ",
        state(where),
    ]


def state(where: Place) -> Cell:
    """The sign and words for the node at this step: ``◐ p has 1 of 2``."""
    if where.error is not None:
        return (f"{ui.NOT_FINITE} error {where.error.code}", ui.BAD)
    if where.kind == "start":
        return (f"{ui.NOTHING} nothing sent yet", ui.FAINT)
    name = cut(where.node or "", LONGEST_STATE - 12)
    if where.complete:
        return (f"{ui.COMPLETE} {name} is complete", ui.GOOD)
    return (f"{ui.PARTIAL} {name} has {where.arrived} of {where.expected}", ui.OPEN)


def _typed(count: str) -> list[Cell]:
    return ["   ", (f"count {count}", "bold yellow")] if count else []
