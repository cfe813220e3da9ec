"""A node's card as data for the page: words and numbers, ready to be shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bpstep.render import lines as ui
from bpstep.render.card import AWAITED, derivative_text, gradient_head, summary_text
from bpstep.render.equation import equation
from bpstep.render.lines import cut
from bpstep.render.numbers import shape_text, value_text
from bpstep.render.steps import convention_text
from bpstep.session import card as session_card

if TYPE_CHECKING:
    from bpstep.session.card import Card, CardRow
    from bpstep.session.session import Session

MOST_ROWS = 12
"""Of more contributions a card has those around the latest arrival."""

MOST_LOCALS = 8

LONGEST, LONGEST_REMARK = 100, 1000
"""Names and formulas are cut to so many columns, remarks of the user's to so many."""

HEADS = ("", "from", "operand", "upstream", "local", "contribution", "running sum", "")


def card_data(session: Session) -> dict[str, Any] | None:
    """The card of the node that receives at the session's position; None where there is none."""
    receiver = session.receiver
    if receiver is None:
        return None
    card = session_card.card(session, receiver, MOST_ROWS)
    return {
        "name": cut(equation(card.row.name, card.row.expression), LONGEST),
        "role": card.row.role,
        "value": value_text(card.row.value),
        "shape": shape_text(card.shape) if card.shape else "",
        "grad_head": gradient_head(card.row),
        "grad": value_text(card.row.grad) or AWAITED,
        "count": _count(card),
        "about": [cut(text, LONGEST) for text in _about(card)],
        "rows": [_row(row) for row in card.rows],
        "remarks": [cut(text, LONGEST_REMARK) for text in _remarks(card)],
    }


def _count(card: Card) -> str:
    row = card.row
    if row.status == "unrecorded":
        return f"{ui.UNRECORDED} nothing is recorded for it"
    if not row.receives:
        return "nothing arrives in this pass"
    return f"{ui.SIGNS[row.status]} {row.arrived} of {row.expected} arrived"


def _about(card: Card) -> list[str]:
    """Local derivatives, and tensors in a few numbers."""
    summaries = (("value", card.value_summary), ("gradient", card.grad_summary))
    said = [f"{name}: {summary_text(one)}" for name, one in summaries if one is not None]
    for local in card.locals[:MOST_LOCALS]:
        text = derivative_text(card.row.name, local)
        said.append(f"{text}  {convention_text(local.convention)}" if local.convention else text)
    more = len(card.locals) - MOST_LOCALS
    return [*said, f"… and {more} more operands"] if more > 0 else said


def _row(row: CardRow) -> list[str]:
    """The cells of a contribution; what is awaited is a dot, never 0, which would be a finding."""
    local = row.rule if row.local is None else value_text(row.local)
    return [
        ui.HERE if row.current else "",
        cut(equation(row.source, row.expression), LONGEST),
        str(row.operand),
        value_text(row.upstream) if row.arrived else AWAITED,
        cut(local, LONGEST) if row.arrived else AWAITED,
        value_text(row.value) if row.arrived else AWAITED,
        value_text(row.running) if row.arrived else AWAITED,
        convention_text(row.convention) if row.convention else "",
    ]


def _remarks(card: Card) -> list[str]:
    """What is below the table: what is awaited, cut or remarked."""
    said = []
    if card.seed is not None:
        said.append(f"seed {value_text(card.seed)}")
    if card.buffer is not None:
        said.append(f"buffer {value_text(card.buffer)} before this pass")
    if any(card.omitted):
        said.append(f"… {sum(card.omitted)} contributions are left out here")
    if card.awaited and len(card.awaited) < len(card.rows):
        names = ", ".join(dict.fromkeys(row.source for row in card.awaited))
        said.append(f"waiting for {names}")
    said += [
        f"{ui.CUT} cut by {ghost.through}: {value_text(ghost.value)} never arrives"
        for ghost in card.ghosts[:MOST_ROWS]
    ]
    return [*said, f"note: {card.note}"] if card.note is not None else said
