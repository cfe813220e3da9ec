"""One judgement of an expectation, and the case it is judged in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bpstep.session.closeness import close

if TYPE_CHECKING:
    from bpstep.engine.ledger import Ledger
    from bpstep.engine.program import Run
    from bpstep.scenario import Scenario
    from bpstep.scenario.model import Tolerance


@dataclass(frozen=True, eq=False)
class Judged:
    """One expectation: ``what`` it is about (``grads.w``), what was expected and what was found.

    ``ok`` is None where the program cannot judge it yet. ``tolerance`` is the scenario's, where
    numbers were held to it.
    """

    what: str
    expected: Any
    found: Any
    ok: bool | None
    tolerance: Tolerance | None = None


@dataclass(frozen=True, eq=False)
class Case:
    """A scenario that was run, and how its numbers are compared."""

    scenario: Scenario
    run: Run

    @property
    def ledger(self) -> Ledger | None:
        """The last pass; None where none ran."""
        return self.run.passes[-1].ledger if self.run.passes else None

    def close(self, expected: Any, found: Any) -> bool:
        """Equal within the scenario's tolerance."""
        tolerance, dtype = self.scenario.tolerance, self.scenario.dtype
        return close(expected, found, rel=tolerance.rel, abs_=tolerance.abs, dtype=dtype)

    def judged(self, what: str, expected: Any, found: Any) -> Judged:
        """A judgement of two values within the tolerance."""
        return self.held(what, expected, found, self.close(expected, found))

    def held(self, what: str, expected: Any, found: Any, ok: bool) -> Judged:
        """A judgement of numbers that were compared within the tolerance."""
        return Judged(what, expected, found, ok, self.scenario.tolerance)
