"""The statements of a program, the settings of a run, and what can be recorded again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol

from bpstep.engine.arithmetic import Value
from bpstep.engine.faults import Fault
from bpstep.engine.formula import number_text
from bpstep.engine.graph import Graph


class Environment(Protocol):
    """What the expression of ``set`` and ``mutate`` may look up."""

    def value(self, name: str) -> Value:
        """A node's value; raises GraphError for an unknown name."""

    def grad(self, name: str) -> Value | None:
        """A node's gradient; None where nothing arrived."""


Evaluate = Callable[[Environment], Value]


@dataclass(frozen=True)
class Forward:
    """Record a fresh graph from the leaves' current values."""

    text: str = "forward"


@dataclass(frozen=True)
class Backward:
    """Run the reverse pass from ``output`` (None: the loss)."""

    output: str | None = None

    @property
    def text(self) -> str:
        """The statement as written."""
        return "backward" if self.output is None else f"backward {self.output}"


@dataclass(frozen=True)
class ZeroGrad:
    """Clear every gradient buffer."""

    text: str = "zero_grad"


@dataclass(frozen=True)
class Set:
    """Change a leaf before the next forward pass."""

    name: str
    expression: str
    evaluate: Evaluate = field(compare=False)

    @property
    def text(self) -> str:
        """The statement as written."""
        return f"set {self.name} = {self.expression}"


@dataclass(frozen=True)
class Mutate:
    """Overwrite a recorded value in place, after the forward pass."""

    name: str
    expression: str
    evaluate: Evaluate = field(compare=False)

    @property
    def text(self) -> str:
        """The statement as written."""
        return f"mutate {self.name} = {self.expression}"


@dataclass(frozen=True)
class ClipNorm:
    """Scale the parameters' gradients so that their common norm is at most ``limit``."""

    limit: float

    @property
    def text(self) -> str:
        """The statement as written."""
        return f"clip_norm {number_text(self.limit)}"


@dataclass(frozen=True)
class ClipValue:
    """Cut every element of the parameters' gradients to ±``limit``."""

    limit: float

    @property
    def text(self) -> str:
        """The statement as written."""
        return f"clip_value {number_text(self.limit)}"


@dataclass(frozen=True)
class Step:
    """One gradient-descent update of every parameter, simultaneously."""

    rate: float

    @property
    def text(self) -> str:
        """The statement as written."""
        return f"step {number_text(self.rate)}"


Statement = Forward | Backward | ZeroGrad | Set | Mutate | ClipNorm | ClipValue | Step
DEFAULT_PROGRAM: tuple[Statement, ...] = (Forward(), Backward())


@dataclass(frozen=True)
class Settings:
    """How passes are run: buffers, whether a graph survives one, saved-value checks, a fault.

    ``keep_no_gradient`` makes a ``backward`` from a node that depends on no leaf with a gradient
    the run's last fact, as it is in a framework, where otherwise it is a mistake of the program.
    """

    buffers: Literal["reset", "accumulate"] = "reset"
    retain_graph: bool = True
    versions: Literal["check", "ignore"] = "check"
    fault: Fault | None = None
    keep_no_gradient: bool = False


class Recipe(Protocol):
    """Something that can be recorded again from other leaf values."""

    @property
    def leaf_values(self) -> Mapping[str, Value]:
        """The leaves' values at the start of the program."""

    @property
    def loss(self) -> str:
        """The node that ``backward`` starts from when it names none."""

    def record(self, leaves: Mapping[str, Value]) -> Graph:
        """A fresh graph from these leaf values."""
