"""One line about a node: what lists, tables and panes show of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

import numpy as np

from bpstep.session.breakpoints import AtNode
from bpstep.session.edges import sent_by

if TYPE_CHECKING:
    from bpstep.engine.arithmetic import Value
    from bpstep.engine.graph import Graph
    from bpstep.engine.ledger import Ledger, State
    from bpstep.engine.run import Run
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
    """The lines of these nodes of the current graph, in the order given.

    At the end of the program, values and gradients are its final ones.
    """
    look = _look(session)
    return () if look is None else tuple(look.row(index) for index in indices)


def row(session: Session, index: int) -> NodeRow:
    """The line of one node of the current graph."""
    return rows(session, (index,))[0]


def row_in_pass(session: Session, index: int) -> NodeRow:
    """As `row`, but at the end of the program too as the last pass left the node."""
    assert session.graph is not None, "a node is of a graph"
    return _Look(session, session.graph, None).row(index)


@lru_cache(maxsize=4)
def _look(session: Session) -> _Look | None:
    """Several panes ask for lines of the same session, one after the other."""
    return None if session.graph is None else _Look(session, session.graph, session.end)


MOST_KEPT = 2000
_KEPT: dict[tuple[object, ...], NodeRow] = {}
"""Lines that were made, by all that decides what they say."""


class _Look:
    """What all lines of one listing share, looked up once; and the lines, made once each."""

    def __init__(self, session: Session, graph: Graph, end: Run | None) -> None:
        self.graph = graph
        self.rows: dict[int, NodeRow] = {}
        self.end = end
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
        if index not in self.rows:
            self.rows[index] = self._row(index)
        return self.rows[index]

    def _row(self, index: int) -> NodeRow:
        """The line, the same one as at another step where it says the same.

        At the end of the program it tells final values, and is this look's own.
        """
        if self.end is not None:
            return self._made(index)
        arrived = self._arrived(index)
        key = (
            self.graph,
            self.ledger,
            index,
            arrived,
            # The seed is no contribution, but completes the node that is differentiated.
            self._status(index, arrived, cleared=False),
            index == self.current,
            self.graph.label(index) in self.awaited,
            self._used_convention(index),
        )
        if key not in _KEPT:
            if len(_KEPT) >= MOST_KEPT:
                _KEPT.clear()
            _KEPT[key] = self._made(index)
        return _KEPT[key]

    def _arrived(self, index: int) -> int:
        return self.state.arrived(index) if self.state else 0

    def _made(self, index: int) -> NodeRow:
        graph, name = self.graph, self.graph.label(index)
        grad = self._grad(index)
        cleared = grad is None and self.end is not None
        arrived = 0 if cleared else self._arrived(index)
        return NodeRow(
            index=index,
            name=name,
            role=graph.role(index),
            expression=graph.expression(index),
            value=graph.values[index] if self.end is None else self.end.value(name),
            grad=grad,
            arrived=arrived,
            expected=0 if self.ledger is None or cleared else self.ledger.expected(index),
            status=self._status(index, arrived, cleared),
            receives=self._receives(index) and not cleared,
            cut=index in self.cut,
            kink=self._used_convention(index),
            nonfinite=grad is not None and not bool(np.isfinite(grad).all()),
            current=index == self.current,
            breakpoint=name in self.awaited,
        )

    def _grad(self, index: int) -> Value | None:
        if self.end is not None:
            return self.end.grad(self.graph.label(index))
        return self.state.grad(index) if self.state else None

    def _receives(self, index: int) -> bool:
        return self.ledger is not None and self.ledger.completion(index) is not None

    def _status(self, index: int, arrived: int, cleared: bool) -> Status:
        if not self.graph.requires_grad(index):
            return "unrecorded"
        if self.state and not cleared and self.state.complete(index):
            return "complete"
        return "partial" if arrived else "none"

    def _used_convention(self, index: int) -> bool:
        if self.ledger is None:
            return False
        return any(step <= self.step for step in _conventions(self.ledger, index))


@lru_cache(maxsize=4096)
def _conventions(ledger: Ledger, index: int) -> tuple[int, ...]:
    """The steps in which a node sends by a convention at a point without a derivative."""
    steps = sent_by(ledger, index)
    return tuple(step for step in steps if ledger.convention(step) is not None)
