"""Breakpoints: what they wait for, and how they are written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from bpstep.scenario.expressions import Expr


@dataclass(frozen=True)
class AtNode:
    """A node is complete."""

    node: str


@dataclass(frozen=True)
class AtEdge:
    """The consumer ``source`` sends to ``target``, at any operand position."""

    source: str
    target: str


@dataclass(frozen=True)
class AtOperation:
    """A node made by this operation sends."""

    operation: str


@dataclass(frozen=True)
class AtNonfinite:
    """A contribution or a running sum is inf or nan."""


@dataclass(frozen=True)
class AtCondition:
    """A condition holds of the step just taken."""

    condition: Expr


Trigger: TypeAlias = AtNode | AtEdge | AtOperation | AtNonfinite | AtCondition


@dataclass(frozen=True)
class Breakpoint:
    """A breakpoint: the number that ``delete`` takes, its text as after ``break``, its trigger."""

    number: int
    text: str
    trigger: Trigger
