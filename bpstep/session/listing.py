"""One line about a node: what lists, tables and panes show of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from bpstep.session.breakpoints import AtNode
from bpstep.session.edges import sent_by

if TYPE_CHECKING:
    from bpstep.engine.arithmetic import Value
    from bpstep.engine.graph import Graph
    from bpstep.engine.ledger import Ledger, State
    from bpstep.session.session import Session

Status = Literal["complete", "partial", "none", "unrecorded"]
"""``complete`` ●, ``partial`` ◐, ``none`` ○ (nothing yet, or nothing ever), ``unrecorded`` ∅."""


@dataclass(frozen=True, eq=False)
class NodeRow:
    """A node at a position of a run.

    ``index`` is its place on the tape; ``grad`` is what has arrived so far (buffer included), None
    where nothing has. ``receives`` says whether the pass brings it anything at all.
    ``cut`` marks an operand of a detach that keeps a contribution from arriving, ``kink`` a node
    that sent, so far, by a convention at a point without a derivative, ``nonfinite`` a gradient
    that is not finite, ``current`` the node that receives at this step (at 0, the one to be
    seeded), ``breakpoint`` one that a breakpoint waits for.
    """

    index: int
    name: str
    role: str
    expression: str
    value: Value
    grad: Value | None
    arrived: int
    expected: int
    status: Status
    receives: bool
    cut: bool
    kink: bool
    nonfinite: bool
    current: bool
    breakpoint: bool


def rows(session: Session, indices: Iterable[int]) -> tuple[NodeRow, ...]:
    """The lines of these nodes of the current graph, in the order given."""
    graph = session.graph
    if graph is None:
        return ()
    look = _Look(session, graph)
    return tuple(look.row(index) for index in indices)


def row(session: Session, index: int) -> NodeRow:
    """The line of one node of the current graph."""
    return rows(session, (index,))[0]


class _Look:
    """What all lines of one listing share, looked up once."""

    def __init__(self, session: Session, graph: Graph) -> None:
        self.graph = graph
        self.ledger: Ledger | None = session.ledger
        self.state: State | None = session.state
        self.step = session.step_in_pass
        self.current = session.receiver
        ghosts = self.ledger.ghosts() if self.ledger is not None else ()
        self.cut = {ghost.node for ghost in ghosts}
        self.awaited = {
            stop.trigger.node for stop in session.breakpoints if isinstance(stop.trigger, AtNode)
        }

    def row(self, index: int) -> NodeRow:
        graph, name = self.graph, self.graph.label(index)
        grad = self.state.grad(index) if self.state else None
        arrived = self.state.arrived(index) if self.state else 0
        return NodeRow(
            index=index,
            name=name,
            role=graph.role(index),
            expression=graph.expression(index),
            value=graph.values[index],
            grad=grad,
            arrived=arrived,
            expected=self.ledger.expected(index) if self.ledger is not None else 0,
            status=self._status(index, arrived),
            receives=self.ledger is not None and self.ledger.completion(index) is not None,
            cut=index in self.cut,
            kink=self._used_convention(index),
            nonfinite=grad is not None and not bool(np.isfinite(grad).all()),
            current=index == self.current,
            breakpoint=name in self.awaited,
        )

    def _status(self, index: int, arrived: int) -> Status:
        if not self.graph.requires_grad(index):
            return "unrecorded"
        if self.state and self.state.complete(index):
            return "complete"
        return "partial" if arrived else "none"

    def _used_convention(self, index: int) -> bool:
        if self.ledger is None:
            return False
        done = (step for step in sent_by(self.ledger, index) if step <= self.step)
        return any(self.ledger.convention(step) is not None for step in done)
