"""A node's card: all there is to know about it at a position of a run."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from bpstep.session import listing
from bpstep.session.edges import local_value, rule_text, sending

if TYPE_CHECKING:
    from bpstep.engine.arithmetic import Array, Value
    from bpstep.engine.graph import Graph
    from bpstep.engine.ledger import Contribution, ConventionUse, Ledger
    from bpstep.engine.program import Pass
    from bpstep.session.listing import NodeRow
    from bpstep.session.session import Session


@dataclass(frozen=True, eq=False)
class LocalDerivative:
    """How a node depends on one operand: ``∂q/∂h = v = 3``.

    ``rule`` is the formula (``v``; for a map without an elementwise form ``G @ W.T``; empty where
    the operation has no derivative for this operand). ``value`` is its number or tensor, None
    where it has no elementwise form. ``requires_grad`` says whether the operand receives anything.
    """

    operand: str
    position: int
    rule: str
    value: Value | None
    requires_grad: bool
    convention: ConventionUse | None


@dataclass(frozen=True, eq=False)
class CardRow:
    """One contribution: consumer ``source``, by its operand position ``operand``.

    ``upstream``, ``value`` and ``running`` are None while it is awaited, and ``local`` where the
    local map has no elementwise form. ``step`` counts through all passes.
    """

    source: str
    expression: str
    operand: int
    step: int
    rule: str
    local: Value | None
    upstream: Value | None
    value: Value | None
    running: Value | None
    arrived: bool
    current: bool
    convention: ConventionUse | None


@dataclass(frozen=True, eq=False)
class CardGhost:
    """What a detach keeps from arriving: ``value`` would have come ``through`` that node."""

    through: str
    value: Value


@dataclass(frozen=True, eq=False)
class Summary:
    """The elements of a tensor in a few numbers; ``nonfinite`` counts the inf and nan among them.

    ``minimum``, ``maximum`` and ``mean`` are over the finite elements (None without any).
    """

    shape: tuple[int, ...]
    minimum: float | None
    maximum: float | None
    mean: float | None
    norm: float
    nonfinite: int


@dataclass(frozen=True, eq=False)
class Card:
    """A node at a position.

    ``row`` is its line in lists (name, expression, value, gradient so far, what has arrived of
    what is expected). ``seed`` is what the pass starts it with, if it is the output, and ``buffer``
    what a leaf held before the pass. ``rows`` are its contributions in order of arrival, those that
    are awaited last; ``omitted`` is how many before and after these are left out. The summaries are
    None for scalars.
    """

    row: NodeRow
    shape: tuple[int, ...]
    locals: tuple[LocalDerivative, ...]
    seed: Value | None
    buffer: Value | None
    rows: tuple[CardRow, ...]
    ghosts: tuple[CardGhost, ...]
    note: str | None
    value_summary: Summary | None
    grad_summary: Summary | None
    omitted: tuple[int, int] = (0, 0)

    @property
    def awaited(self) -> tuple[CardRow, ...]:
        """The contributions that are still to arrive."""
        return tuple(row for row in self.rows if not row.arrived)


def card(session: Session, index: int, limit: int | None = None) -> Card:
    """The card of a node of the current graph, at the session's position.

    Of more contributions than ``limit`` those around the latest arrival are given.
    """
    graph, pass_ = session.graph, session.pass_
    assert graph is not None, "a card is of a node, and a node is of a graph"
    row = listing.row_in_pass(session, index)
    steps, omitted = _steps(session, index, limit)
    return Card(
        row=row,
        shape=graph.shape(index),
        locals=_locals(graph, pass_, index),
        seed=_seed(session, index),
        buffer=pass_.ledger.buffers.get(index) if pass_ else None,
        rows=_rows(pass_, session.step_in_pass, steps) if pass_ else (),
        ghosts=_ghosts(pass_, index) if pass_ else (),
        note=session.scenario.notes.get(row.name),
        value_summary=summary(row.value),
        grad_summary=summary(row.grad),
        omitted=omitted,
    )


def _steps(session: Session, index: int, limit: int | None) -> tuple[list[int], tuple[int, int]]:
    """The steps at which a node receives, and how many before and after them are left out."""
    if session.ledger is None:
        return [], (0, 0)
    steps = [step for step in session.ledger.steps_of(index) if step > 1]
    if limit is None or len(steps) <= limit:
        return steps, (0, 0)
    arrived = bisect_right(steps, session.step_in_pass)
    first = min(max(arrived - limit // 2, 0), len(steps) - limit)
    return steps[first : first + limit], (first, len(steps) - first - limit)


def _locals(graph: Graph, pass_: Pass | None, index: int) -> tuple[LocalDerivative, ...]:
    ledger = pass_.ledger if pass_ else None
    return tuple(
        _local(graph, ledger, index, position) for position in range(len(graph.operands(index)))
    )


def _local(graph: Graph, ledger: Ledger | None, index: int, position: int) -> LocalDerivative:
    operand = graph.operands(index)[position]
    entry = sending(ledger, index, position) if ledger is not None else None
    return LocalDerivative(
        operand=graph.label(operand),
        position=position,
        rule=rule_text(graph, index, position),
        value=local_value(ledger, graph, index, position),
        requires_grad=graph.requires_grad(operand),
        convention=entry.convention if entry else None,
    )


def _seed(session: Session, index: int) -> Value | None:
    if session.ledger is None or index != session.ledger.output or session.step_in_pass < 1:
        return None
    return session.ledger.at(1).grad(index)


def _rows(pass_: Pass, done: int, steps: Sequence[int]) -> tuple[CardRow, ...]:
    return tuple(_row(pass_, done, pass_.ledger.contribution(step)) for step in steps)


def _row(pass_: Pass, done: int, entry: Contribution) -> CardRow:
    arrived = entry.step <= done
    return CardRow(
        source=entry.source,
        expression=pass_.graph.expression(entry.source_id),
        operand=entry.operand,
        step=pass_.first + entry.step,
        rule=entry.rule,
        local=entry.local,
        upstream=entry.upstream if arrived else None,
        value=entry.value if arrived else None,
        running=entry.running if arrived else None,
        arrived=arrived,
        current=entry.step == done,
        convention=entry.convention,
    )


def _ghosts(pass_: Pass, index: int) -> tuple[CardGhost, ...]:
    label = pass_.graph.label
    return tuple(
        CardGhost(label(ghost.through), ghost.value)
        for ghost in pass_.ledger.ghosts()
        if ghost.node == index
    )


def summary(value: Value | None) -> Summary | None:
    """A tensor in a few numbers; None for a scalar or for nothing."""
    return None if value is None or isinstance(value, float) else _summed_up(Same(value))


class Same:
    """An array that equals only itself: recorded values never change."""

    def __init__(self, array: Array) -> None:
        self.array = array

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and other.array is self.array

    def __hash__(self) -> int:
        return id(self.array)


@lru_cache(maxsize=16)
def _summed_up(same: Same) -> Summary:
    """A large tensor takes a while to look through, and is shown at every key."""
    value = same.array
    finite = value[np.isfinite(value)]
    with np.errstate(all="ignore"):
        return Summary(
            shape=tuple(value.shape),
            minimum=float(finite.min()) if finite.size else None,
            maximum=float(finite.max()) if finite.size else None,
            mean=float(finite.mean()) if finite.size else None,
            norm=float(np.linalg.norm(value)),
            nonfinite=int(value.size - finite.size),
        )
