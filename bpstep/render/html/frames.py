"""What the page shows at each step, as compact data: its script only puts it in place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bpstep.render.explain import explain_at, upcoming
from bpstep.render.html.cards import LONGEST_REMARK, card_data
from bpstep.render.html.order import Order
from bpstep.render.html.pictures import Pictures
from bpstep.render.lines import cut
from bpstep.render.reports import place_text
from bpstep.session.places import place

if TYPE_CHECKING:
    from bpstep.render.html.window import Window
    from bpstep.session.session import Session


def page_data(session: Session, window: Window) -> dict[str, Any]:
    """The frames of these positions, and what they have in common.

    A frame has only what its step changes in the reverse order of its pass, and its drawing as
    numbers of lines, for most lines of a drawing stay as they are.
    """
    orders: dict[int, Order] = {}
    pictures = Pictures()
    frames = [_frame(session.at(step), orders, pictures, window) for step in window.positions]
    return {
        "first": window.first,
        "last": window.last,
        "total": window.total,
        "at": session.position,
        "passes": {str(number): order.data() for number, order in orders.items()},
        "lines": pictures.lines,
        "notes": pictures.notes,
        "frames": frames,
    }


def _frame(
    session: Session, orders: dict[int, Order], pictures: Pictures, window: Window
) -> dict[str, Any]:
    run, here, receiver = session.run, session.position, session.receiver
    order, changes = _order(session, orders, window)
    drawn, note = pictures.of(session)
    return {
        "place": cut(place_text(place(session)), LONGEST_REMARK),
        "why": cut(explain_at(run, here), LONGEST_REMARK),
        "next": cut(upcoming(run, here), LONGEST_REMARK),
        "pass": order.pass_.number if order else 0,
        "now": order.rows.get(receiver) if order and receiver is not None else None,
        "set": changes,
        "card": card_data(session),
        "draw": drawn,
        "note": note,
    }


def _order(
    session: Session, orders: dict[int, Order], window: Window
) -> tuple[Order | None, list[list[Any]]]:
    """The reverse order of the pass, and what this step changes in it: nothing at its first."""
    pass_ = session.pass_
    if pass_ is None:
        return None, []
    if pass_.number in orders:
        order = orders[pass_.number]
        return order, order.changes(session)
    return orders.setdefault(pass_.number, Order(session, pass_, window)), []
