"""One line about a node: what lists, tables and panes show of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from bpstep.engine.arithmetic import Value

Status = Literal["complete", "partial", "none", "unrecorded"]
"""``complete`` ●, ``partial`` ◐, ``none`` ○ (nothing yet, or nothing ever), ``unrecorded`` ∅."""


@dataclass(frozen=True, eq=False)
class NodeRow:
    """A node at a position of a run.

    ``index`` is its place on the tape; ``grad`` is what has arrived so far (buffer included), None
    where nothing has. ``receives`` says whether the pass brings it anything at all.
    ``cut`` marks an operand of a detach that keeps a contribution from arriving, ``kink`` a node
    that sent, so far, by a convention at a point without a derivative, ``nonfinite`` a gradient
    that is not finite, ``current`` the node that receives at this step, ``breakpoint`` one that a
    breakpoint waits for.
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
