"""What a program did: its statements, its reverse passes, and how it ended."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from bpstep.engine.arithmetic import Value
from bpstep.engine.errors import GraphError, RunError
from bpstep.engine.graph import Graph
from bpstep.engine.ledger import Ledger
from bpstep.engine.statements import Statement


@dataclass(frozen=True, eq=False)
class Pass:
    """One reverse pass: its ledger, and which of the program's steps are its own.

    The program's step g belongs to it where first < g <= last; its own step is g − first.
    """

    number: int
    run: int
    graph: Graph
    ledger: Ledger
    first: int
    output: str
    buffers: Mapping[str, Value]

    @property
    def last(self) -> int:
        """The program's step that ends this pass."""
        return self.first + len(self.ledger)


@dataclass(frozen=True, eq=False)
class Change:
    """A leaf, a recorded value or a buffer, ``grad(w)``, that a statement replaced."""

    name: str
    before: Value
    after: Value


@dataclass(frozen=True, eq=False)
class Effect:
    """What a statement did beside recording and differentiating.

    ``changes`` of set, mutate, step and clip_value (there of the buffers that were cut);
    ``cleared`` are the nodes whose buffers zero_grad emptied; ``norm`` is what clip_norm found and
    ``factor`` what it multiplied by. None is what a statement does not do.
    """

    changes: tuple[Change, ...] | None = None
    cleared: tuple[str, ...] | None = None
    norm: float | None = None
    factor: float | None = None


@dataclass(frozen=True, eq=False)
class Executed:
    """One statement and what was so after it; ``run`` counts forward passes (1 first)."""

    statement: Statement
    text: str
    number: int
    run: int
    graph: Graph | None
    pass_: Pass | None
    leaves: Mapping[str, Value]
    buffers: Mapping[str, Value]
    steps_before: int
    error: RunError | None = None
    effect: Effect | None = None


@dataclass(frozen=True, eq=False)
class Run:
    """A whole run of a program."""

    statements: tuple[Executed, ...]
    passes: tuple[Pass, ...]
    graph: Graph | None
    leaves: Mapping[str, Value]
    buffers: Mapping[str, Value]
    error: RunError | None

    def __repr__(self) -> str:
        ended = "" if self.error is None else f", ends in the error {self.error.code}"
        return f"<Run of {self.steps} steps, passes: {len(self.passes)}{ended}>"

    @property
    def steps(self) -> int:
        """The number of steps through all passes."""
        return self.passes[-1].last if self.passes else 0

    def pass_at(self, step: int) -> Pass | None:
        """The pass a step belongs to; step 0 belongs to the first; None where no pass ran."""
        for each in self.passes:
            if step <= each.last:
                return each
        return self.passes[-1] if self.passes else None

    def value(self, name: str) -> Value:
        """A leaf's value at the end, or a node's in the last graph; GraphError if unknown."""
        if self.graph is None:
            raise GraphError(f"{name} has no value: no forward pass has run", "unknown-name")
        recorded = self.graph.values[self.graph.find(name)]
        return self.leaves.get(name, recorded)

    @property
    def epilogue(self) -> Executed | None:
        """The last statement that was carried out after the last pass; None where none was."""
        later: Executed | None = None
        for each in self.statements:
            if each.pass_ is not None:
                later = None
            elif each.error is None and each.steps_before == self.steps:
                later = each
        return later if self.passes else None

    def grad(self, name: str) -> Value | None:
        """A leaf's buffer, or a node's adjoint in the last pass; None where nothing arrived."""
        return gradient(name, self.graph, self.buffers, self.passes[-1] if self.passes else None)


def gradient(
    name: str, graph: Graph | None, buffers: Mapping[str, Value], last: Pass | None
) -> Value | None:
    """A gradient by name at some moment of a program; raises GraphError for an unknown name."""
    if graph is not None and graph.role(graph.find(name)) == "op":
        return last.ledger.grad(name) if last is not None else None
    return buffers.get(name)
