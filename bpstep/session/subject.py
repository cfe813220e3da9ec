"""What a session debugs: a scenario, or anything else that names itself and can be run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from bpstep.engine.arithmetic import Value
    from bpstep.engine.faults import Fault
    from bpstep.engine.program import Run
    from bpstep.scenario.model import CheckSpec, Question, Tolerance, UpdateSpec


class Subject(Protocol):
    """The part of a scenario that a session needs."""

    @property
    def path(self) -> str:
        """The file as it was given on the command line."""

    @property
    def name(self) -> str:
        """A short name."""

    @property
    def title(self) -> str:
        """One line about what it shows."""

    @property
    def dtype(self) -> str:
        """``float64`` or ``float32``."""

    @property
    def loss(self) -> str:
        """The name of the node that is differentiated by default."""

    @property
    def leaf_values(self) -> Mapping[str, Value]:
        """The leaves' values before the program starts, by name."""

    @property
    def notes(self) -> Mapping[str, str]:
        """Remarks by node name."""

    @property
    def breakpoints(self) -> tuple[str, ...]:
        """Breakpoints to set on opening, each as after ``break``."""

    @property
    def checks(self) -> tuple[CheckSpec, ...]:
        """What ``check`` checks by default; none: every leaf."""

    @property
    def updates(self) -> UpdateSpec | None:
        """What ``update`` tries by default."""

    @property
    def fault(self) -> Fault | None:
        """What is wrong with its reverse passes on purpose."""

    @property
    def predict(self) -> tuple[Question, ...]:
        """Questions to a learner."""

    @property
    def tolerance(self) -> Tolerance:
        """How near an answer must be to the right one."""

    def run(self, leaves: Mapping[str, Value] | None = None) -> Run:
        """Run the program from its leaves, some of them changed to the values given by name."""
