"""Two sessions side by side: the line at the top, the step of each, and a node's line in both."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from rich.text import Text

from bpstep.analysis.differing import differing_rows
from bpstep.analysis.equality import equal
from bpstep.render import lines as ui
from bpstep.render.comparing import DIFFERENT, NOWHERE
from bpstep.render.equation import equation
from bpstep.render.explain import explain_at
from bpstep.render.fit import cut, number, placed
from bpstep.render.lines import Cell, line
from bpstep.scenario.library import folder, short_name
from bpstep.session import listing
from bpstep.session.places import place
from bpstep.tui.draw.nodes import SIGNS_WIDTH, Columns, heads, node_line
from bpstep.tui.draw.status import CHANGED, COUNT, beside, state
from bpstep.tui.palette import SELECTED

if TYPE_CHECKING:
    from bpstep.session.listing import NodeRow
    from bpstep.session.session import Session
    from bpstep.tui.sides import Sides

GAP = 3
"""Columns between the halves of a line."""
BETWEEN = " │ "
"""Stands between what is the left side's and what is the right one's."""
SHORTEST_NAME, NUMBER = 12, 8
MARK = f"bold {ui.OPEN}"


def file_name(session: Session) -> str:
    """What a side is called: its file or short name, and a sign where leaves were changed."""
    name = _plain_name(session.scenario.path) or session.scenario.name
    return f"{name} {CHANGED}" if session.changes else name


@lru_cache(maxsize=64)
def _plain_name(path: str) -> str:
    """A file without its folder; one that comes with the program by its short name."""
    own = os.path.realpath(os.path.dirname(path)) == str(folder())
    return short_name(path) if own else os.path.basename(path)


def head(sides: Sides, width: int, count: str = "") -> Text:
    """Both files at the left; where they part, the pass and both positions at the right."""
    right = line(parting(sides), *_where(sides.left, count), _step(sides), " ")
    room = max(0, width - right.cell_len - 1)
    half = max(SHORTEST_NAME, (room - 1 - len(BETWEEN)) // 2)
    names = [cut(file_name(side), half) for side in (sides.left, sides.other)]
    left = line(" ", (names[0], "bold"), BETWEEN, (names[1], "bold"))
    left.truncate(room, overflow="ellipsis")
    return beside(left, right, width)


def _where(session: Session, count: str) -> list[Cell]:
    if count:
        return ["   ", (f"count {count}", COUNT)]
    passes = len(session.run.passes)
    return [f"   pass {session.pass_.number} of {passes}"] if session.pass_ and passes > 1 else []


def _step(sides: Sides) -> str:
    left, right = sides.left, sides.right
    there = f"{right.position} of {right.total}"
    return f"   step {left.position} of {left.total}{BETWEEN}{there}"


def parting(sides: Sides) -> Cell:
    """Where the runs part."""
    position = sides.steps.parting
    if position is None:
        return ("no step differs", ui.GOOD)
    return (f"{DIFFERENT} they part at step {position}", MARK)


# The step of each side.


def left_lines(sides: Sides) -> Iterator[Text]:
    """Where the session is, what its step did, and that in a sentence."""
    yield from _session_lines(sides.left)


def right_lines(sides: Sides) -> Iterator[Text]:
    """The same for the other, and how it stands to the first."""
    yield from _session_lines(sides.right, relation(sides))


def relation(sides: Sides) -> str:
    """How the other session stands to the first; empty at the same step."""
    own = sides.own_there
    counted = f"{own} step{'s' if own != 1 else ''} of its own"
    if sides.left.end is not None:
        return f"at its end, {counted} later" if own else "" if sides.same else "at its end"
    if not sides.same:
        return "no such step: the last common one"
    return f"after {counted}" if own else ""


def _session_lines(session: Session, remark: str = "") -> Iterator[Text]:
    if remark:
        yield line((f"{DIFFERENT} {remark}", MARK))
    yield line((f"{ui.HERE} ", ui.OPEN), _done(session))
    yield line(state(place(session)))
    yield Text()
    yield line((explain_at(session.run, session.position), ui.FAINT))


def _done(session: Session) -> str:
    """The step just taken, in a line."""
    sent = session.contribution
    if sent is not None and session.graph is not None:
        made = equation(sent.source, session.graph.expression(sent.source_id))
        return f"{made} sends {number(sent.value, NUMBER)} to {sent.target}"
    if session.pass_ is None:
        return "no reverse pass"
    if session.position == 0:
        return "nothing has been sent yet"
    return f"the seed of {session.pass_.output}: 1"


# A node in both.


def halves(width: int) -> tuple[int, int]:
    """The columns of the left half of a line and of the right."""
    left = max(1, (width - GAP) // 2)
    return left, max(1, width - GAP - left)


def table_heads(width: int) -> Text:
    """The line above the nodes."""
    left, right = (heads(Columns.fitting(half)) for half in halves(width))
    return Text.assemble(left, (BETWEEN, ui.FAINT), right, end="")


def table_line(sides: Sides, row: int, width: int) -> Text:
    """A node in both runs, with ≠ before each number that differs, and between the halves."""
    sessions = sides.left, sides.right
    left, right = (
        None if index is None else listing.row(session, index)
        for session, index in zip(sessions, sides.places(row), strict=True)
    )
    return _pair(Pair(left, right, sides.name(row), row == sides.selected), width).copy()


class Pair(NamedTuple):
    """What is known of a node on both sides."""

    left: NodeRow | None
    right: NodeRow | None
    name: str
    selected: bool


@lru_cache(maxsize=1000)
def _pair(pair: Pair, width: int) -> Text:
    """From step to step most lines stay as they are."""
    shown = pair.left, pair.right
    differs = _differences(*shown)
    left, right = (
        _half(found, pair, room, differs) for found, room in zip(shown, halves(width), strict=True)
    )
    mark = (f" {DIFFERENT} ", MARK) if any(differs) or None in shown else (BETWEEN, ui.FAINT)
    text = Text.assemble(left, mark, right, end="")
    if pair.selected:
        text.stylize(SELECTED)
    return text


Differences = tuple[bool, bool]
"""Whether the value differs, and whether the gradient so far does."""


def _differences(left: NodeRow | None, right: NodeRow | None) -> Differences:
    if left is None or right is None:
        return False, False
    return not equal(left.value, right.value), not equal(left.grad, right.grad)


def _half(found: NodeRow | None, pair: Pair, width: int, differs: Differences) -> Text:
    if found is None:
        return _absent(pair.name, width)
    columns = Columns.fitting(width)
    text = node_line(found, columns, pair.selected)
    # From the end: numbers take a column a sign, which names do not always.
    ends = len(text) - columns.number - 1, len(text)
    for end, different in zip(ends, differs, strict=True):
        if different:
            text = _marked(text, end - columns.number - 1, end)
    return text


def _marked(text: Text, start: int, end: int) -> Text:
    """With ≠ before the number that ends at ``end`` and has its column begin after ``start``."""
    digits = len(text.plain[start:end].strip())
    at = end - digits - 1
    return Text.assemble(text[:at], (DIFFERENT, MARK), text[at + 1 :], end="")


def _absent(name: str, width: int) -> Text:
    """Stands where a run has no such node."""
    says = f"no {name}"
    sign = placed((NOWHERE, MARK), SIGNS_WIDTH)
    return line(sign, placed((says, ui.FAINT), max(1, width - SIGNS_WIDTH)))


def table_title(sides: Sides) -> Text:
    """What is listed, and of how many nodes."""
    passes = sides.left.pass_, sides.right.pass_
    if passes[0] is None or passes[1] is None:
        return line("reverse order")
    count = int(differing_rows(passes[0], passes[1]).sum())
    cells: list[Cell] = ["reverse order, ", (f"{DIFFERENT} {count} of {len(sides.nodes)}", MARK)]
    return line(*cells, " listed" if sides.narrowed else "")
