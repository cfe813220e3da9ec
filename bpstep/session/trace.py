"""A run as typed events, in the order in which they happen: what a replay prints."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from bpstep.engine.arithmetic import Value
    from bpstep.engine.ledger import ConventionUse


@dataclass(frozen=True, eq=False, slots=True)
class ScenarioEvent:
    """What is debugged."""

    title: str
    file: str
    dtype: str
    loss: str


@dataclass(frozen=True, eq=False, slots=True)
class StatementEvent:
    """A statement of the program begins; ``run`` is the forward pass in force (1 first)."""

    run: int
    text: str


@dataclass(frozen=True, eq=False, slots=True)
class LeafEvent:
    """A leaf is put on the tape."""

    run: int
    node: str
    role: str
    value: Value
    requires_grad: bool


@dataclass(frozen=True, eq=False, slots=True)
class ForwardEvent:
    """An operation is evaluated. An operand is a node's name, or a literal's number."""

    run: int
    node: str
    op: str
    expr: str
    operands: tuple[str | float, ...]
    value: Value
    requires_grad: bool


@dataclass(frozen=True, eq=False, slots=True)
class SeedEvent:
    """A reverse pass begins: its output receives a gradient of 1."""

    run: int
    pass_number: int
    step: int
    node: str
    grad: Value


@dataclass(frozen=True, eq=False, slots=True)
class ContributionEvent:
    """``source`` sends to ``node`` by its operand position ``operand``.

    ``local`` is None where the local map has no elementwise form; ``rule`` says it in a formula.
    ``op`` and ``expr`` are the consumer's. ``buffer`` is what a leaf held before the pass, with
    ``buffers: accumulate``, else None.
    """

    run: int
    pass_number: int
    step: int
    node: str
    source: str
    operand: int
    upstream: Value
    local: Value | None
    rule: str
    value: Value
    running: Value
    arrived: int
    expected: int
    buffer: Value | None
    convention: ConventionUse | None
    op: str
    expr: str


@dataclass(frozen=True, eq=False, slots=True)
class CompleteEvent:
    """Everything has arrived at ``node``: ``grad`` is its gradient in this pass."""

    run: int
    pass_number: int
    step: int
    node: str
    grad: Value


@dataclass(frozen=True, eq=False, slots=True)
class GhostEvent:
    """What the detach ``through`` kept from arriving at ``node`` in the pass that just ended."""

    run: int
    pass_number: int
    node: str
    through: str
    value: Value


@dataclass(frozen=True, eq=False, slots=True)
class ResultEvent:
    """The end of the program: values and gradients of every node, None where nothing arrived."""

    loss: Value | None
    values: Mapping[str, Value]
    grads: Mapping[str, Value | None]


@dataclass(frozen=True, eq=False, slots=True)
class ErrorEvent:
    """The error in which the run ends, in place of the result."""

    code: str
    message: str


Event: TypeAlias = (
    ScenarioEvent
    | StatementEvent
    | LeafEvent
    | ForwardEvent
    | SeedEvent
    | ContributionEvent
    | CompleteEvent
    | GhostEvent
    | ResultEvent
    | ErrorEvent
)
