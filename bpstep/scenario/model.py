"""A scenario: everything a file says, checked and ready to run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from bpstep.engine.arithmetic import Value
from bpstep.engine.faults import Fault
from bpstep.engine.graph import Graph
from bpstep.engine.program import Run, Settings, Statement, execute
from bpstep.scenario.leaves import Leaf
from bpstep.scenario.plan import Plan
from bpstep.scenario.source import Source

Plain = object  # a number, or a nested list of numbers, as in the file


@dataclass(frozen=True)
class EntryText:
    """An entry of the graph as it is written, and its line."""

    text: str
    line: int


@dataclass(frozen=True)
class CheckSpec:
    """A check to make: of a leaf, an element (`W[0, 1]`) or `all`; steps None: the default ones."""

    wrt: str
    steps: tuple[float, ...] | None


@dataclass(frozen=True)
class UpdateSpec:
    """Rates to try, and the leaves that move (None: every parameter)."""

    rates: tuple[float, ...]
    params: tuple[str, ...] | None


@dataclass(frozen=True)
class Tolerance:
    """How near found numbers must be to the expected ones."""

    rel: float = 1e-9
    abs: float = 1e-12


@dataclass(frozen=True)
class Question:
    """A question to ask before the step that answers it; `at` names the node."""

    at: str
    ask: str
    answer: object
    hint: str | None = None


@dataclass(frozen=True, eq=False)
class Expect:
    """What must come out, as plain data: numbers and nested lists by name.

    A gradient of None says that nothing arrives; reasons under `zero` are tuples, the one
    nearest the loss first.
    """

    values: Mapping[str, Plain] = field(default_factory=dict)
    grads: Mapping[str, Plain | None] = field(default_factory=dict)
    contributions: Mapping[str, tuple[Plain, ...]] = field(default_factory=dict)
    checks: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    updates: tuple[Mapping[str, object], ...] = ()
    zero: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    paths: Mapping[str, tuple[Plain, ...]] = field(default_factory=dict)
    ghosts: Mapping[str, Plain] = field(default_factory=dict)
    error: str | None = None


@dataclass(frozen=True, eq=False)
class Scenario:
    """A scenario that has been loaded; it can be recorded and run any number of times.

    path is the file as it was given, name its short name; lines gives the line of each leaf
    and entry in its own file, and inherited that file, where it is one that this one extends;
    files are this file and every one that it extends, as they were read.
    """

    path: str
    name: str
    text: str
    title: str
    about: str
    plan: Plan
    entries: Mapping[str, EntryText]
    loss: str
    program: tuple[Statement, ...]
    settings: Settings
    checks: tuple[CheckSpec, ...]
    updates: UpdateSpec | None
    tolerance: Tolerance
    expect: Expect
    breakpoints: tuple[str, ...]
    notes: Mapping[str, str]
    predict: tuple[Question, ...]
    lines: Mapping[str, int]
    inherited: Mapping[str, Source]
    files: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"<Scenario {self.name}: {self.title}>"

    @property
    def dtype(self) -> str:
        """`float64` or `float32`."""
        return self.plan.dtype

    @property
    def conventions(self) -> str | Mapping[str, object]:
        """A preset's name, or a mapping of changes."""
        return self.plan.conventions

    @property
    def fault(self) -> Fault | None:
        """What is wrong with every reverse pass on purpose."""
        return self.settings.fault

    @property
    def leaves(self) -> tuple[Leaf, ...]:
        """Every leaf, in file order."""
        return self.plan.leaves

    @property
    def leaf_values(self) -> Mapping[str, Value]:
        """The leaves' values before the program starts, by name."""
        return {leaf.name: leaf.value for leaf in self.plan.leaves}

    def record(self, leaves: Mapping[str, Value]) -> Graph:
        """A fresh graph from these leaf values; raises GraphError where shapes do not fit."""
        return self.plan.record(leaves)

    def graph(self) -> Graph:
        """A fresh graph from the values in the file."""
        return self.plan.record({})

    def run(self, leaves: Mapping[str, Value] | None = None) -> Run:
        """Runs the program from these leaf values (None: as in the file).

        A run that ends in `graph-freed`, `stale-value` or `fault-too-long` keeps the error, and
        one that is expected to end in `no-gradient` that.
        Raises GraphError where a given value's shape does not fit.
        """
        return execute(self, self.program, self.settings, leaves)
