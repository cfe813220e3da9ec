"""What is known where a session stands: the place, and expressions with their values there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from bpstep.engine.arithmetic import Value
    from bpstep.engine.errors import RunError
    from bpstep.engine.ledger import Contribution


@dataclass(frozen=True, eq=False)
class Upcoming:
    """The step that comes next: ``source`` sends to ``node``, or, without one, a pass is seeded."""

    step: int
    node: str
    source: str | None
    operand: int | None


@dataclass(frozen=True, eq=False)
class Place:
    """Where a session stands.

    ``position`` counts steps through all passes, ``step`` those of this pass. ``node`` receives
    at this step; at position 0 it is the node to be seeded. ``contribution`` is None at a seed and
    at position 0 (its own ``step`` counts within the pass). ``error`` is how the run ended, at the
    last position of a run that ended in one. ``after`` is the last statement of the program, at the
    last position, where some run after the last pass: values are then those after it.
    """

    position: int
    total: int
    pass_number: int
    passes: int
    step: int
    steps: int
    kind: Literal["start", "seed", "contribution"]
    node: str | None
    grad: Value | None
    arrived: int
    expected: int
    complete: bool
    contribution: Contribution | None
    upcoming: Upcoming | None
    error: RunError | None
    after: str | None = None


@dataclass(frozen=True, eq=False)
class Printed:
    """An expression and its value.

    ``value`` is None where the expression needs a gradient that has not arrived at this position;
    ``missing`` names that node. A string is the value of ``op`` or ``node``.
    """

    text: str
    value: Value | str | None
    missing: str | None = None


@dataclass(frozen=True, eq=False)
class Watch:
    """An expression shown at every stop, with the number that ``unwatch`` takes."""

    number: int
    text: str


@dataclass(frozen=True, eq=False)
class Watched:
    """A watch and what it shows now; ``fault`` says why it cannot be evaluated here."""

    number: int
    printed: Printed
    fault: str | None = None
