"""Programs: forward and reverse passes, updates, buffers that live across passes.

``execute`` runs a list of statements over a ``Recipe`` and returns everything that happened. A run
that ends in an error is not an exception: the error is its last fact.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from bpstep.engine.arithmetic import Value, divide
from bpstep.engine.errors import GraphError, RunError, did_you_mean
from bpstep.engine.faults import faulty_reverse
from bpstep.engine.graph import Graph
from bpstep.engine.ledger import Ledger
from bpstep.engine.operation import finish
from bpstep.engine.reverse import check_output, edges_in_order, reverse
from bpstep.engine.run import Change, Effect, Executed, Pass, Run, gradient
from bpstep.engine.saved import SavedValues
from bpstep.engine.statements import (
    DEFAULT_PROGRAM,
    Backward,
    ClipNorm,
    ClipValue,
    Environment,
    Forward,
    Mutate,
    Recipe,
    Set,
    Settings,
    Statement,
    Step,
    ZeroGrad,
)

__all__ = [
    "DEFAULT_PROGRAM",
    "Backward",
    "ClipNorm",
    "ClipValue",
    "Environment",
    "Executed",
    "Forward",
    "Mutate",
    "Pass",
    "Recipe",
    "Run",
    "Set",
    "Settings",
    "Statement",
    "Step",
    "ZeroGrad",
    "descended",
    "execute",
    "gradient",
    "total_norm",
]


def execute(
    recipe: Recipe,
    statements: Sequence[Statement] = DEFAULT_PROGRAM,
    settings: Settings | None = None,
    leaves: Mapping[str, Value] | None = None,
) -> Run:
    """Run a program; ``leaves`` changes leaf values before it starts.

    A RunError ends the run and is kept in it. Raises GraphError for a mistake that no run should
    hide: an unknown name, a shape that does not fit, a backward pass without a forward pass.
    """
    machine = _Machine(
        recipe, settings or Settings(), dict(recipe.leaf_values) | dict(leaves or {})
    )
    for statement in statements:
        machine.do(statement)
        if machine.error is not None:
            break
    return machine.finished()


class _Machine:
    """The state of a program while it runs. Each statement replaces, none changes in place."""

    def __init__(self, recipe: Recipe, settings: Settings, leaves: dict[str, Value]) -> None:
        self.recipe = recipe
        self.settings = settings
        self.leaves = leaves
        self.buffers: dict[str, Value] = {}
        self.graph: Graph | None = None
        self.run = 0
        self.passes: list[Pass] = []
        self.executed: list[Executed] = []
        self.error: RunError | None = None
        self.saved = SavedValues(settings)

    def do(self, statement: Statement) -> None:
        before = self.passes[-1].last if self.passes else 0
        passes = len(self.passes)
        effect = _ACTIONS[type(statement)](self, statement)
        self.executed.append(
            Executed(
                statement,
                statement.text,
                len(self.executed) + 1,
                self.run,
                self.graph,
                self.passes[-1] if len(self.passes) > passes else None,
                dict(self.leaves),
                dict(self.buffers),
                before,
                self.error,
                effect,
            )
        )

    def finished(self) -> Run:
        return Run(
            tuple(self.executed),
            tuple(self.passes),
            self.graph,
            self.leaves,
            self.buffers,
            self.error,
        )

    # ---- what expressions look up ----

    def value(self, name: str) -> Value:
        if name in self.leaves:
            return self.leaves[name]
        graph = self.recorded("a value")
        return graph.values[graph.find(name)]

    def grad(self, name: str) -> Value | None:
        return gradient(name, self.graph, self.buffers, self.passes[-1] if self.passes else None)

    def recorded(self, what: str) -> Graph:
        if self.graph is None:
            raise GraphError(f"{what} needs a forward pass before it", "no-forward")
        return self.graph

    # ---- statements ----

    def forward(self, statement: Forward) -> None:
        self.graph = graph = self.recipe.record(self.leaves)
        # As recorded: rounded to the graph's number type, which is what an update starts from.
        self.leaves = self.leaves | {graph.label(i): graph.values[i] for i in graph.leaves()}
        self.run += 1
        self.saved = SavedValues(self.settings)

    def backward(self, statement: Backward) -> None:
        graph = self.recorded("backward")
        output = graph.find(statement.output or self.recipe.loss)
        self.error = self.undifferentiable(statement, graph, output)
        if self.error is not None:
            return
        edges = edges_in_order(graph, output)
        if self.settings.buffers == "reset":
            reached = {graph.label(i) for i in {*edges.target.tolist(), output}}
            self.buffers = {n: v for n, v in self.buffers.items() if n not in reached}
        stop, self.error = self.saved.first_unusable(graph, edges)
        buffers = {graph.find(name): value for name, value in self.buffers.items()}
        ledger = self.differentiated(statement, graph, output, buffers, stop)
        if ledger is None:
            return
        first, number = (self.passes[-1].last if self.passes else 0), len(self.passes) + 1
        before = dict(self.buffers)
        self.passes.append(
            Pass(number, self.run, graph, ledger, first, graph.label(output), before)
        )
        self.collect(graph, ledger)
        self.saved.passed(edges, statement.text, len(self.executed) + 1)

    def undifferentiable(self, statement: Backward, graph: Graph, output: int) -> RunError | None:
        """The error of a node without a gradient, where the run is to end in it."""
        try:
            check_output(graph, output)
        except GraphError as error:
            if error.code != "no-gradient" or not self.settings.keep_no_gradient:
                raise
            name, number = graph.label(output), len(self.executed) + 1
            return RunError(
                str(error),
                error.code,
                node=name,
                consumer=name,
                statement=statement.text,
                statement_number=number,
            )
        return None

    def differentiated(
        self,
        statement: Backward,
        graph: Graph,
        output: int,
        buffers: Mapping[int, Value],
        stop: int | None,
    ) -> Ledger | None:
        """The right reverse pass, or the one with the fault that was asked for.

        None where that one never ends; the error is kept.
        """
        if self.settings.fault is None:
            return reverse(graph, output, buffers=buffers, stop=stop)
        try:
            return faulty_reverse(graph, output, self.settings.fault, buffers=buffers, stop=stop)
        except RunError as error:
            error.statement, error.statement_number = statement.text, len(self.executed) + 1
            self.error = error
            return None

    def collect(self, graph: Graph, ledger: Ledger) -> None:
        """Leaves keep what arrived in their buffers."""
        for leaf in graph.leaves():
            arrived = ledger.grad(leaf)
            if arrived is not None:
                self.buffers[graph.label(leaf)] = arrived

    def zero_grad(self, statement: ZeroGrad) -> Effect:
        cleared, self.buffers = tuple(self.buffers), {}
        return Effect(cleared=cleared)

    def set(self, statement: Set) -> Effect:
        old = self.leaf(statement.name)
        new = self.assigned(statement.evaluate(self))
        if np.shape(new) != np.shape(old):
            raise GraphError(
                f"{statement.name} has shape {np.shape(old)}, not {np.shape(new)}", "shape"
            )
        self.leaves = self.leaves | {statement.name: new}
        return Effect((Change(statement.name, old, new),))

    def mutate(self, statement: Mutate) -> Effect:
        graph = self.recorded("mutate")
        node = graph.find(statement.name)
        old = graph.values[node]
        graph.replace(node, statement.evaluate(self))
        self.saved.mutated[node] = (statement.text, len(self.executed) + 1)
        if statement.name in self.leaves:
            self.leaves = self.leaves | {statement.name: graph.values[node]}
        return Effect((Change(graph.label(node), old, graph.values[node]),))

    def leaf(self, name: str) -> Value:
        if name not in self.leaves:
            raise GraphError(
                f"set changes a leaf, and {name!r} is none{did_you_mean(name, self.leaves)}",
                "unknown-name",
            )
        return self.leaves[name]

    def assigned(self, value: Value) -> Value:
        return finish(np.asarray(value), self.dtype)

    @property
    def dtype(self) -> np.dtype[np.generic]:
        return self.graph.dtype if self.graph is not None else np.dtype(np.float64)

    def param_grads(self) -> dict[str, Value]:
        graph = self.recorded("an update")
        names = [graph.label(i) for i in graph.params()]
        return {name: self.buffers[name] for name in names if name in self.buffers}

    def clip_norm(self, statement: ClipNorm) -> Effect:
        grads = self.param_grads()
        norm = total_norm(grads.values())
        if norm <= statement.limit:
            return Effect(norm=norm, factor=1.0)
        # A nan norm is no smaller than the limit: every gradient becomes nan, as in frameworks.
        scale = divide(statement.limit, norm)
        with np.errstate(all="ignore"):
            self.buffers |= {n: finish(g * scale, self.dtype) for n, g in grads.items()}
        return Effect(norm=norm, factor=scale)

    def clip_value(self, statement: ClipValue) -> Effect:
        grads, limit = self.param_grads(), statement.limit
        cut = {n: finish(np.clip(g, -limit, limit), self.dtype) for n, g in grads.items()}
        self.buffers |= cut
        changed = [n for n, g in grads.items() if not np.array_equal(g, cut[n], equal_nan=True)]
        return Effect(tuple(Change(f"grad({n})", grads[n], cut[n]) for n in changed))

    def step(self, statement: Step) -> Effect:
        before = self.leaves
        moved = descended(before, self.param_grads(), statement.rate, self.dtype)
        self.leaves = before | moved
        return Effect(tuple(Change(name, before[name], value) for name, value in moved.items()))


def descended(
    leaves: Mapping[str, Value],
    grads: Mapping[str, Value],
    rate: float,
    dtype: np.dtype[np.generic],
) -> dict[str, Value]:
    """Every leaf that has a gradient, moved by −rate times it."""
    with np.errstate(all="ignore"):
        return {n: finish(leaves[n] - finish(rate * g, dtype), dtype) for n, g in grads.items()}


def total_norm(grads: Iterable[Value]) -> float:
    """The Euclidean norm of all gradients together, squares added in order."""
    total = 0.0
    with np.errstate(all="ignore"):
        for grad in grads:
            total = total + float(np.sum(np.multiply(grad, grad)))
    return math.sqrt(total)


_ACTIONS: Mapping[type, Callable[[_Machine, Any], Effect | None]] = {
    Forward: _Machine.forward,
    Backward: _Machine.backward,
    ZeroGrad: _Machine.zero_grad,
    Set: _Machine.set,
    Mutate: _Machine.mutate,
    ClipNorm: _Machine.clip_norm,
    ClipValue: _Machine.clip_value,
    Step: _Machine.step,
}
