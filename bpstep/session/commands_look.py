"""Commands that look: values, gradients, cards, lists. They leave the session as it is."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from bpstep.analysis.elements import parse_target
from bpstep.engine.errors import GraphError
from bpstep.session import listing
from bpstep.session.arguments import nothing, required
from bpstep.session.card import card
from bpstep.session.command import Call, Outcome
from bpstep.session.commands_breakpoints import removed
from bpstep.session.defaults import LISTED
from bpstep.session.edges import index_of
from bpstep.session.element import element_card
from bpstep.session.errors import CommandError
from bpstep.session.parsing import node_index
from bpstep.session.places import place
from bpstep.session.reports import (
    CardReport,
    ElementReport,
    GradTable,
    NodeList,
    ValueTable,
    WatchDeleted,
    WatchList,
    Where,
)
from bpstep.session.watching import printed, watched

if TYPE_CHECKING:
    from bpstep.analysis.elements import Index
    from bpstep.engine.graph import Graph
    from bpstep.session.listing import NodeRow
    from bpstep.session.session import Session


def print_(session: Session, call: Call) -> Outcome:
    """The value of an expression."""
    text = required(call, "an expression, such as grad(p)")
    return Outcome(session, (printed(session, text, call.offset),))


def watch(session: Session, call: Call) -> Outcome:
    """Show an expression now and at every stop; without one, list the watches."""
    if call.text:
        printed(session, call.text, call.offset)
        session = session.add_watch(call.text)
    return Outcome(session, (WatchList(watched(session)),))


def unwatch(session: Session, call: Call) -> Outcome:
    """Remove one watch, or all."""
    gone, kept = removed("watch", session.watches, call)
    return Outcome(replace(session, watches=kept), (WatchDeleted(gone),))


def info(session: Session, call: Call) -> Outcome:
    """The card of a node, or of the one that received last; of ``W[0, 1]`` that element's."""
    graph = session.view.graph
    opened = element_meant(graph, call)
    if opened is not None:
        return Outcome(session, (ElementReport(element_card(session, *opened)),))
    index = node_index(graph, call.text, call.offset) if call.text else session.receiver
    if index is None:
        raise CommandError("info needs a node: no pass is run, so there is no current one")
    return Outcome(session, (CardReport(card(session, index)),))


def element_meant(graph: Graph, call: Call) -> tuple[int, Index] | None:
    """The node and the index of ``W[0, 1]``; None where a node is meant.

    An inner node ``(W[0])`` is meant in its parentheses only, as in ``why`` and ``check``.
    Raises CommandError where the shape has no such element, or more than one.
    """
    text = call.text.strip()
    if not text.endswith("]") or index_of(graph, text) is not None:
        return None
    node_index(graph, text.rpartition("[")[0], call.offset)
    start, end = call.offset, call.offset + len(text)
    try:
        meant = parse_target(graph, text)
    except GraphError as error:
        raise CommandError(str(error), start=start, end=end) from None
    if len(meant.elements) > 1:
        shape = graph.shape(meant.node)
        raise CommandError(
            f"{text} has {len(meant.elements)} elements: shape {shape} takes {len(shape)} indices",
            start=start,
            end=end,
        )
    return meant.node, meant.elements[0]


def where(session: Session, call: Call) -> Outcome:
    """The place, and the line about its node."""
    nothing(call)
    index = session.receiver
    row = None if index is None else listing.row(session, index)
    return Outcome(session, (Where(place(session), row),))


def list_(session: Session, call: Call) -> Outcome:
    """The nodes in reverse order."""
    nothing(call)
    nodes = session.view.graph.visible()[::-1]
    first = _first_shown(session, nodes)
    shown = nodes[first : first + LISTED]
    rows = listing.rows(session, shown)
    report = NodeList(place(session), rows, first, len(nodes) - first - len(shown))
    return Outcome(session, (report,))


def _first_shown(session: Session, nodes: list[int]) -> int:
    if len(nodes) <= LISTED or session.receiver is None:
        return 0
    centre = nodes.index(session.receiver)
    return min(max(centre - LISTED // 2, 0), len(nodes) - LISTED)


def grads(session: Session, call: Call) -> Outcome:
    """The gradients so far."""
    nothing(call)
    rows, omitted = _table(session)
    return Outcome(session, (GradTable(place(session), rows, omitted),))


def values(session: Session, call: Call) -> Outcome:
    """The values."""
    nothing(call)
    rows, omitted = _table(session)
    return Outcome(session, (ValueTable(place(session), rows, omitted),))


def _table(session: Session) -> tuple[tuple[NodeRow, ...], int]:
    nodes = session.view.graph.visible()
    return listing.rows(session, nodes[:LISTED]), max(len(nodes) - LISTED, 0)
