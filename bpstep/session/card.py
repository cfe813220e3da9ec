"""A node's card: all there is to know about it at a position of a run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bpstep.engine.arithmetic import Value
    from bpstep.engine.ledger import ConventionUse
    from bpstep.session.listing import NodeRow


@dataclass(frozen=True, eq=False)
class LocalDerivative:
    """How a node depends on one operand: ``∂q/∂h = v = 3``.

    ``rule`` is the formula (``v``; for a map without an elementwise form ``G @ W.T``). ``value`` is
    its number or tensor, None where there is none or the pass does not use it (the operand has
    no gradient, or nothing arrives at this node).
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
    are awaited last. The summaries are None for scalars.
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

    @property
    def awaited(self) -> tuple[CardRow, ...]:
        """The contributions that are still to arrive."""
        return tuple(row for row in self.rows if not row.arrived)
