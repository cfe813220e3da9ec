"""The ledger: every contribution of a reverse pass in order, and the state after any of them.

Step 1 seeds the output's adjoint with 1; step k ≥ 2 is contribution k − 2 of the flat columns.
Nothing is ever undone: the state at a step is looked up, so going back is the same as going there.
"""

from __future__ import annotations

import operator
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from bpstep.engine.arithmetic import Array, Value
from bpstep.engine.errors import GraphError
from bpstep.engine.graph import Graph, Node
from bpstep.engine.operation import finish
from bpstep.engine.rules import ConventionUse, Edge, convention_use

if TYPE_CHECKING:
    from bpstep.engine.faults import Fault

__all__ = ["Contribution", "ConventionUse", "Ghost", "Ledger", "State", "Steps"]


class Steps(NamedTuple):
    """The columns of a ledger, one entry a contribution.

    ``source``, ``operand`` and ``target`` are integer arrays; the others are float arrays for a
    scalar tape and lists of values otherwise.
    """

    source: Array
    operand: Array
    target: Array
    upstream: Any
    local: Any
    value: Any
    running: Any


@dataclass(frozen=True, eq=False)
class Contribution:
    """One contribution: what a consumer sends to one of its operands.

    ``upstream`` is the consumer's adjoint, ``local`` the local derivative (None where the rule has
    no elementwise form; ``rule`` says it as a formula), ``value`` what arrives, ``running`` the
    receiver's sum so far, the ``arrived``-th of ``expected``. ``buffer`` is what the leaf held
    before the pass. ``upstream`` has the consumer's shape, ``value`` and ``running`` the
    receiver's.
    """

    step: int
    source: str
    target: str
    source_id: int
    target_id: int
    operand: int
    upstream: Value
    local: Value | None
    rule: str
    value: Value
    running: Value
    arrived: int
    expected: int
    buffer: Value | None
    convention: ConventionUse | None


@dataclass(frozen=True, eq=False)
class Ghost:
    """What a detach keeps from arriving: the contribution into ``node`` if all were opened."""

    node: int
    through: int
    value: Value


class Ledger:
    """All contributions of one reverse pass; ``len(ledger)`` is its number of steps.

    ``fault`` is what was broken in the pass on purpose; None for a right one.
    """

    def __init__(
        self,
        graph: Graph,
        output: int,
        steps: Steps,
        expected: Array,
        buffers: Mapping[int, Value],
        fault: Fault | None = None,
    ) -> None:
        self.graph = graph
        self.output = output
        self.buffers = buffers
        self.fault = fault
        self._steps = steps
        self._expected = expected

    def __repr__(self) -> str:
        return f"<Ledger of {self.graph.label(self.output)}: {len(self)} steps>"

    def __len__(self) -> int:
        """The number of steps: the seed and every contribution."""
        return 1 + len(self._steps.source)

    @property
    def sources(self) -> Array:
        """The consumer that sends, for every contribution."""
        return self._steps.source

    @property
    def targets(self) -> Array:
        """The node that receives, for every contribution."""
        return self._steps.target

    @property
    def operands(self) -> Array:
        """The operand position in the consumer (0 first), for every contribution."""
        return self._steps.operand

    @cached_property
    def _groups(self) -> tuple[Array, Array]:
        """Contribution indices sorted by receiver and time, and where each receiver's begin."""
        order = np.argsort(self._steps.target, kind="stable")
        starts = np.searchsorted(self._steps.target[order], np.arange(self.output + 1))
        return order, starts

    def _indices(self, node: int) -> Array:
        """A receiver's contributions, a view: a node may receive a million."""
        order, starts = self._groups
        # Nothing arrives at the output, nor at what was recorded after it.
        return order[starts[node] : starts[node + 1]] if node < self.output else order[:0]

    def steps_of(self, node: str | int | Node) -> list[int]:
        """The steps at which a node receives; the seed's step 1 for the output."""
        index = self.graph.find(node)
        seed = [1] if index == self.output else []
        return seed + [k + 2 for k in self._indices(index).tolist()]

    def receiver(self, step: int) -> int:
        """The node that receives at a step."""
        return self.output if step == 1 else int(self._steps.target[step - 2])

    def expected(self, node: str | int | Node) -> int:
        """How many contributions arrive at a node in all (the seed is not one)."""
        index = self.graph.find(node)
        return int(self._expected[index]) if index < len(self._expected) else 0

    def completion(self, node: str | int | Node) -> int | None:
        """The step that completes a node; None where nothing arrives, or not all of it."""
        index = self.graph.find(node)
        if index == self.output:
            return 1
        steps = self._indices(index)
        return int(steps[-1]) + 2 if 0 < len(steps) == self.expected(index) else None

    def completed_at(self, step: int) -> bool:
        """Whether a step is the one that completes its receiver."""
        return step >= 1 and self.completion(self.receiver(step)) == step

    @cached_property
    def completions(self) -> Array:
        """The steps that complete a node, in order."""
        if not len(self._steps.target):
            return np.array([1])
        order, starts = self._groups
        counts = np.diff(starts)
        done = np.flatnonzero((counts > 0) & (counts == self._expected[: self.output]))
        return np.concatenate([[1], np.sort(order[starts[done + 1] - 1]) + 2])

    def contribution(self, step: int) -> Contribution:
        """The contribution made by a step (2 first); raises IndexError for any other number."""
        if not 2 <= step <= len(self):
            raise IndexError(f"step {step} is no contribution: they are 2 to {len(self)}")
        k = step - 2
        steps, graph = self._steps, self.graph
        source, operand, target = (int(c[k]) for c in (steps.source, steps.operand, steps.target))
        edge = Edge(graph, source, operand, target)
        upstream, local = _plain(steps.upstream[k]), _plain(steps.local[k])
        return Contribution(
            step=step,
            source=graph.label(source),
            target=graph.label(target),
            source_id=source,
            target_id=target,
            operand=operand,
            upstream=upstream,
            local=local,
            rule=edge.text,
            value=_plain(steps.value[k]),
            running=_plain(steps.running[k]),
            arrived=int(np.searchsorted(self._indices(target), k, side="right")),
            expected=self.expected(target),
            buffer=self.buffers.get(target),
            convention=convention_use(edge, upstream, local),
        )

    def contributions(self, node: str | int | Node) -> tuple[Contribution, ...]:
        """What arrives at a node, in order of arrival."""
        return tuple(
            self.contribution(k + 2) for k in self._indices(self.graph.find(node)).tolist()
        )

    def convention(self, step: int) -> ConventionUse | None:
        """The convention that decided a step's contribution, if one did."""
        return self.contribution(step).convention if step >= 2 else None

    def value(self, step: int) -> Value:
        """What a step adds: 1 for the seed."""
        return 1.0 if step == 1 else _plain(self._steps.value[step - 2])

    def upstream(self, step: int) -> Value:
        """The consumer's adjoint that a step (2 or later) was made with."""
        upstream: Value = _plain(self._steps.upstream[step - 2])
        return upstream

    def local(self, step: int) -> Value | None:
        """The local derivative that a step (2 or later) was made with, if it has a number form."""
        local: Value | None = _plain(self._steps.local[step - 2])
        return local

    def grad(self, node: str | int | Node) -> Value | None:
        """A node's gradient after the pass, an older buffer included; None: nothing arrived."""
        return self.at(len(self)).grad(node)

    def own_grad(self, node: str | int | Node) -> Value | None:
        """The gradient that this pass alone produced, without an older buffer."""
        index = self.graph.find(node)
        if self.buffers.get(index) is None:
            return self.grad(index)
        total: Value | None = 1.0 if index == self.output else None
        for k in self._indices(index):
            sent = _plain(self._steps.value[k])
            with np.errstate(all="ignore"):
                total = sent if total is None else finish(total + sent, self.graph.dtype)
        return total

    def at(self, step: int) -> State:
        """The state after any number of steps, 0 to len(ledger); raises IndexError beyond."""
        step = operator.index(step)
        if not 0 <= step <= len(self):
            raise IndexError(f"no step {step}: this pass has {len(self)}")
        return State(self, step)

    @cached_property
    def _ghosts(self) -> tuple[Ghost, ...]:
        from bpstep.engine.reverse import DETACH, reverse

        codes = self.graph.columns().code
        if not (codes == DETACH).any():
            return ()
        opened = reverse(self.graph, self.output, open_detach=True)._steps
        return tuple(
            Ghost(int(opened.target[k]), int(opened.source[k]), _plain(opened.value[k]))
            for k in np.flatnonzero(codes[opened.source] == DETACH).tolist()
        )

    def ghosts(self) -> tuple[Ghost, ...]:
        """What each detach keeps from arriving, from a second pass with every detach opened."""
        return self._ghosts

    def arrays(self) -> dict[str, Array]:
        """The columns of a scalar ledger as flat arrays, one entry a contribution.

        Keys: ``source``, ``target``, ``operand`` (integers), ``upstream``, ``local``, ``value``,
        ``running`` (floats). Raises GraphError (``tensor``) where the tape holds tensors.
        """
        plain = self.graph.is_plain
        if not plain and any(isinstance(value, np.ndarray) for value in self.graph.values):
            raise GraphError(
                "flat arrays exist for a ledger of numbers only: this tape holds tensors", "tensor"
            )
        steps = self._steps._asdict()
        order = ("source", "target", "operand", "upstream", "local", "value", "running")
        return {name: np.asarray(steps[name]) for name in order}


@dataclass(frozen=True, eq=False)
class State:
    """What is known after ``step`` steps of a pass."""

    ledger: Ledger
    step: int

    def arrived(self, node: str | int | Node) -> int:
        """How many contributions have arrived at a node so far."""
        indices = self.ledger._indices(self.ledger.graph.find(node))
        return int(np.searchsorted(indices, self.step - 2, side="right"))

    def complete(self, node: str | int | Node) -> bool:
        """Whether everything that a node will receive has arrived (False if nothing ever does)."""
        done = self.ledger.completion(node)
        return done is not None and done <= self.step

    def grad(self, node: str | int | Node) -> Value | None:
        """The running sum at a node; None where nothing has arrived yet."""
        ledger = self.ledger
        index = ledger.graph.find(node)
        arrived = self.arrived(index)
        if arrived:
            running: Value = _plain(ledger._steps.running[ledger._indices(index)[arrived - 1]])
            return running
        buffer = ledger.buffers.get(index)
        if index == ledger.output and self.step >= 1:
            return 1.0 if buffer is None else finish(1.0 + buffer, ledger.graph.dtype)
        return buffer


def _plain(value: Any) -> Any:
    """A NumPy scalar of a flat column as a Python float."""
    return float(value) if isinstance(value, np.generic) else value
