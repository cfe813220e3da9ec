"""One place at which a gradient becomes zero, as data."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from bpstep.analysis.flat import Reason
from bpstep.analysis.reach import Reach
from bpstep.engine.arithmetic import Value
from bpstep.engine.graph import Graph
from bpstep.engine.ledger import ConventionUse


@dataclass(frozen=True, eq=False)
class Cause:
    """One place at which a gradient becomes zero.

    ``node`` is the operation that sends zero on (``cancelled``: the node at which contributions
    sum to zero; ``detached``: the detach; ``no-path``, ``frozen``: the node without a gradient),
    ``receiver`` the operand that gets it at ``step`` of the pass, ``elements`` how many of the
    receiver's. ``operation`` is the row of the table of ``node``, None for a leaf. ``factor`` is
    the node whose ``value`` makes the derivative zero, at position ``culprit`` of the operation.
    ``distance`` counts edges from the output to the place where the gradient is zero first.
    """

    reason: Reason
    node: str
    receiver: str
    distance: int
    operation: str | None = None
    step: int | None = None
    operand: int | None = None
    culprit: int | None = None
    factor: str | None = None
    value: Value | None = None
    convention: ConventionUse | None = None
    elements: int = 1


def cut(reach: Reach, detach: int) -> Cause:
    """A detach that keeps something from arriving at its operand."""
    (receiver,) = reach.graph.operands(detach)
    return at("detached", reach.graph, detach, receiver, (reach.depth[detach] or 0) + 1)


def at(
    reason: Reason,
    graph: Graph,
    node: int,
    receiver: int,
    distance: int,
    step: int | None = None,
    elements: int = 1,
) -> Cause:
    """A cause that lies in no derivative, with names for numbers."""
    row = graph.operation(node)
    return Cause(
        reason=reason,
        node=graph.label(node),
        receiver=graph.label(receiver),
        distance=distance,
        operation=None if row is None else row.name,
        step=step,
        elements=elements,
    )


def reasons_of(causes: Iterable[Cause]) -> tuple[Reason, ...]:
    """Each reason once, in order."""
    return tuple(dict.fromkeys(cause.reason for cause in causes))
