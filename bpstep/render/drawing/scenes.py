"""A session as a picture: its graph laid out, with what the boxes and edges show at this step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from bpstep.render import lines as ui
from bpstep.render.ascii import ascii_text, to_ascii
from bpstep.render.drawing.choosing import Choice, centered, choose
from bpstep.render.drawing.faces import HERE, face
from bpstep.render.drawing.paint import Face, Mark
from bpstep.render.drawing.plan import Plan, ghost_labels, plan, shown
from bpstep.session import listing

if TYPE_CHECKING:
    from bpstep.engine.graph import Graph
    from bpstep.engine.ledger import Ledger
    from bpstep.render.drawing.parts import Style
    from bpstep.render.drawing.shape import Layout
    from bpstep.session.session import Session

MOST = 150
"""Larger graphs are not drawn whole."""


@dataclass(frozen=True, eq=False)
class Picture:
    """What there is to paint: ``paint_line(picture.layout, y, picture.faces, picture.marks)``.

    ``whole`` is False where only a neighbourhood is drawn: ``shown`` of ``total`` nodes; then
    ``left_out`` counts, by node, the operand positions that join it to nodes not drawn.
    """

    layout: Layout
    faces: Mapping[int, Face]
    marks: Mapping[int, Mark]
    whole: bool
    shown: int
    total: int
    left_out: Mapping[int, int]


def picture(
    session: Session, selected: int | None, style: Style, *, most: int = MOST
) -> Picture | None:
    """The picture of the session's current graph; None where it has none.

    Of more than `most` nodes the neighbourhood of the selected one is drawn.
    """
    graph = session.graph
    if graph is None or not len(graph):
        return None
    choice = _choice(session, graph, selected, most)
    laid = plan(session.run, graph, choice, style)
    marks = _marks(session, graph, choice)
    faces = {
        row.index: face(row, laid.columns[row.index], style, row.index == selected)
        for row in listing.rows(session, choice.nodes)
    }
    if style.ascii:
        faces = {key: _ascii_face(one) for key, one in faces.items()}
        marks = {key: replace(one, label=ascii_text(one.label)) for key, one in marks.items()}
    return Picture(
        laid.layout,
        faces,
        marks,
        choice.whole,
        len(choice.nodes),
        choice.total,
        choice.left_out,
    )


def _choice(session: Session, graph: Graph, selected: int | None, most: int) -> Choice:
    length = len(graph)
    if not centered(graph, length, most):
        return choose(graph, length, most, None, None)
    step = session.contribution
    sender = step.source_id if step is not None else None
    center = session.receiver if selected is None else selected
    return choose(graph, length, most, center, sender)


def _ascii_face(one: Face) -> Face:
    return replace(one, lines=tuple(map(to_ascii, one.lines)), title=to_ascii(one.title))


# Edges.

ON_THE_WAY, DONE = Mark(rank=1), Mark(style=ui.GOOD, rank=2, sent=True)
NOTHING = Mark(style=ui.FAINT)
DETACHED = Mark(style=ui.KINK, dashed=True, label=ui.CUT)


def _marks(session: Session, graph: Graph, choice: Choice) -> dict[int, Mark]:
    """How each edge is drawn: carrying nothing, awaited, done, cut, or of the current step."""
    marks = {key: _unsent(graph, joint.consumer) for key, joint in enumerate(choice.joints)}
    if session.ledger is None:
        return marks
    for key, steps in _steps(session.ledger, len(graph), choice).items():
        marks[key] = DONE if steps[0] <= session.step_in_pass else ON_THE_WAY
        if session.step_in_pass in steps:
            label = shown(session.ledger.value(session.step_in_pass))
            marks[key] = Mark(HERE, heavy=True, label=label, rank=3)
    for key, label in ghost_labels(session.ledger, choice).items():
        marks[key] = replace(DETACHED, label=label)
    return marks


def _unsent(graph: Graph, consumer: int) -> Mark:
    operation = graph.operation(consumer)
    return DETACHED if operation is not None and operation.name == "detach" else NOTHING


def _steps(ledger: Ledger, length: int, choice: Choice) -> dict[int, list[int]]:
    """By edge, the steps at which something is sent up it."""
    keys = {(joint.consumer, joint.position): key for key, joint in enumerate(choice.joints)}
    drawn = np.zeros(length, dtype=np.bool_)
    drawn[list(choice.nodes)] = True
    found: dict[int, list[int]] = {}
    for index in np.flatnonzero(drawn[ledger.sources]).tolist():
        key = keys.get((int(ledger.sources[index]), int(ledger.operands[index])))
        if key is not None:
            found.setdefault(key, []).append(index + 2)
    return found


__all__ = ["Picture", "Plan", "picture"]
