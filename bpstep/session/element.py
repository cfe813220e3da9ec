"""One element of a node at a position: what made its value, and what has arrived at its gradient.

An element's gradient is the sum of its contributions' elements, and each of these a sum of scalar
products. What has not arrived yet is None, never 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bpstep.analysis.elements import Index, element
from bpstep.analysis.scalar_terms import ElementTerms, contribution_terms
from bpstep.analysis.value_terms import ValueTerms, value_terms
from bpstep.session.card import Card, CardRow, card

if TYPE_CHECKING:
    from bpstep.engine.arithmetic import Value
    from bpstep.session.session import Session

MOST_OPENED = 40
"""Of more contributions those around the latest are opened."""


@dataclass(frozen=True, eq=False)
class ElementRow:
    """One contribution to the element: ``value`` and ``running`` are None while it is awaited.

    ``terms`` are its scalar products, None while it is awaited; ``step`` counts through all passes.
    """

    source: str
    expression: str
    operand: int
    step: int
    rule: str
    value: float | None
    running: float | None
    current: bool
    terms: ElementTerms | None

    @property
    def arrived(self) -> bool:
        """Whether it has arrived."""
        return self.terms is not None


@dataclass(frozen=True, eq=False)
class ElementGhost:
    """What a detach keeps from arriving at the element."""

    through: str
    value: float


@dataclass(frozen=True, eq=False)
class ElementCard:
    """One element of a node at a position; of a scalar, ``index`` is ().

    ``card`` is the node's, ``grad`` the element's gradient so far, ``seed`` and ``buffer`` what it
    started from. ``output`` is the node that is differentiated, None without a pass.
    """

    card: Card
    index: Index
    value: float
    made: ValueTerms
    seed: float | None
    buffer: float | None
    rows: tuple[ElementRow, ...]
    ghosts: tuple[ElementGhost, ...]
    grad: float | None
    output: str | None

    @property
    def name(self) -> str:
        """The node's."""
        return self.card.row.name


def element_card(session: Session, node: int, index: Index) -> ElementCard:
    """An element of a node of the current graph, at the session's position.

    Raises IndexError for an index that the node's shape does not have.
    """
    whole = card(session, node, MOST_OPENED)
    if len(index) != len(whole.shape) or not all(
        0 <= i < n for i, n in zip(index, whole.shape, strict=True)
    ):
        raise IndexError(f"{list(index)} is no element of shape {whole.shape}")
    graph = session.graph
    assert graph is not None, "an element is of a node, and a node is of a graph"
    return ElementCard(
        card=whole,
        index=index,
        value=element(whole.row.value, index),
        made=value_terms(graph, node, index),
        seed=_at(whole.seed, index),
        buffer=_at(whole.buffer, index),
        rows=tuple(_row(session, row, index) for row in whole.rows),
        ghosts=tuple(
            ElementGhost(ghost.through, element(ghost.value, index)) for ghost in whole.ghosts
        ),
        grad=_at(whole.row.grad, index),
        output=None if session.ledger is None else graph.label(session.ledger.output),
    )


def _at(value: Value | None, index: Index) -> float | None:
    return None if value is None else element(value, index)


def _row(session: Session, row: CardRow, index: Index) -> ElementRow:
    ledger, pass_ = session.ledger, session.pass_
    assert ledger is not None, "only a pass has contributions"
    assert pass_ is not None, "only a pass has contributions"
    terms = contribution_terms(ledger, row.step - pass_.first, index) if row.arrived else None
    return ElementRow(
        source=row.source,
        expression=row.expression,
        operand=row.operand,
        step=row.step,
        rule=row.rule,
        value=_at(row.value, index),
        running=_at(row.running, index),
        current=row.current,
        terms=terms,
    )
