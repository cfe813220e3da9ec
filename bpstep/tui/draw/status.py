"""The line at the top: what is debugged, and where we are."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.text import Text

from bpstep.render import lines as ui
from bpstep.render.lines import Cell, line
from bpstep.session.places import place
from bpstep.tui.draw.fit import cut

if TYPE_CHECKING:
    from bpstep.session.session import Session
    from bpstep.session.standing import Place

LONGEST_STATE = 28
USUAL_STATE = 20
"""Columns kept for the state, so that what stands at the left does not come and go with it."""
LAST = "■"
CHANGED = "✎"
"""Stands before the leaves that were given other values than the file's."""
LONGEST_CHANGED = 12
NAME = ("bpstep", "bold cyan")
COUNT = "bold yellow"


@dataclass(frozen=True)
class Beside:
    """What the line says beside where the session is.

    ``mode`` is what else the screen is in, a lesson say; ``wrong`` the place at which the file is
    wrong now; ``among`` which of several open files this is.
    """

    mode: str = ""
    wrong: str = ""
    among: str = ""


NOTHING_ELSE = Beside()


def status(session: Session, width: int, count: str = "", more: Beside = NOTHING_ELSE) -> Text:
    """Title and file at the left, pass, step and the state of the node at the right.

    What does not fit goes in this order: the program's name, the file, the end of the title.
    ``count`` is the number being typed before a motion: for so long it stands in place of the pass.
    Leaves that were changed are named.
    """
    where = place(session)
    shown = state(where)
    before = [
        *_wrong(more.wrong),
        *_mode(more.mode),
        *_among(more.among),
        *_changed(session),
        *_fault(session),
    ]
    told = line(*before, *_where(where), shown, " ")
    spare = max(0, USUAL_STATE - cell_len(shown[0]))
    left = _left(session, width - told.cell_len - spare - 2)
    right = line(*before, *_where(where, count), shown, " ") if count else told
    left.truncate(max(0, width - right.cell_len - 1), overflow="ellipsis")
    return beside(left, right, width)


def counted(title: str, count: str) -> Text:
    """A title, and the number being typed before a key."""
    return line(title, *([(f"  count {count}", COUNT)] if count else []))


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


def _mode(mode: str) -> list[Cell]:
    return [(mode, "bold yellow"), "   "] if mode else []


def _among(which: str) -> list[Cell]:
    """In the signs of the keys that lead to the others."""
    return [f"[{which}]", "   "] if which else []


def _wrong(place: str) -> list[Cell]:
    return [(f"{ui.NOT_FINITE} {cut(place, LONGEST_STATE)}", ui.BAD), "   "] if place else []


def _changed(session: Session) -> list[Cell]:
    names = ", ".join(session.changes)
    return [(f"{CHANGED} {cut(names, LONGEST_CHANGED)}", ui.OPEN), "   "] if names else []


def _fault(session: Session) -> list[Cell]:
    """That the reverse pass is wrong on purpose may not be overlooked."""
    fault = session.scenario.fault
    return [] if fault is None else [(f"{ui.NOT_FINITE} fault {fault.kind}", ui.BAD), "   "]


def _where(where: Place, count: str = "") -> list[Cell]:
    if not where.passes:
        return [(f"count {count}   ", COUNT)] if count else []
    of = f" of {where.passes}" if where.passes > 1 else ""
    first: Cell = (f"count {count}", COUNT) if count else f"pass {where.pass_number}{of}"
    return [first, f"   step {where.position} of {where.total}   "]


def state(where: Place) -> Cell:
    """The sign and words for the node at this step: ``◐ p has 1 of 2``."""
    if not where.passes:
        return ("no reverse pass", ui.FAINT)
    if where.error is not None:
        return (f"{ui.NOT_FINITE} error {where.error.code}", ui.BAD)
    if where.after is not None:
        return (f"{LAST} end, after {cut(where.after, LONGEST_STATE - 12)}", ui.HEADING)
    if where.kind == "start":
        return (f"{ui.NOTHING} nothing sent", ui.FAINT)
    name = cut(where.node or "", LONGEST_STATE - 12)
    if where.complete:
        return (f"{ui.COMPLETE} {name} is complete", ui.GOOD)
    return (f"{ui.PARTIAL} {name} has {where.arrived} of {where.expected}", ui.OPEN)
