"""A recorded tape evaluated forward at many points at once: one array a node.

The first row of every batch is the recorded point itself, so that differences are taken between
results of the same functions (``math`` and NumPy may differ by a rounding). Only what depends on
the moved nodes is evaluated again, and an array is let go after its last use. Nothing here reads
a derivative rule: what judges the reverse pass must not make its mistakes.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from bpstep.analysis.extrapolation import Floats
from bpstep.analysis.forward import recorded_values
from bpstep.analysis.prepared import (
    Branching,
    Given,
    pieces_of,
    prepared,
    recorded,
    simple_functions,
)
from bpstep.analysis.progress import breath
from bpstep.engine.arithmetic import Array
from bpstep.engine.graph import Graph
from bpstep.engine.ops import CODES

__all__ = ["Branching", "Flags", "Given", "Plan", "Tape", "Watch", "detaches"]

Flags = NDArray[np.bool_]
DETACH = CODES["detach"]


class Watch(Protocol):
    """Looks at every operation with branches while the tape is evaluated."""

    def __call__(self, at: Branching, operands: Given, result: Any) -> None:
        """Called in tape order; ``result`` is what the operation gave."""


class Plan(NamedTuple):
    """What is evaluated when some nodes move, as columns with an entry an operation.

    ``branchings`` is None where an operation is not pieced together, ``freed`` are the nodes that
    it reads for the last time. ``still`` has the values of all nodes that stay as they are;
    ``width`` is how many numbers a point holds in arrays at once, at most.
    """

    nodes: list[int]
    operands: list[tuple[int, ...]]
    functions: list[Callable[..., Any]]
    branchings: list[Branching | None]
    freed: list[tuple[int, ...]]
    still: list[Any]
    width: int

    @property
    def operations(self) -> int:
        """How many operations are evaluated for one point."""
        return len(self.nodes)


class Tape:
    """A scalar node of a graph as a function of others.

    With ``held``, detached copies keep the values they were recorded with; without, they are
    rebuilt. Raises nothing: values that are not finite are what comes out.
    """

    def __init__(self, graph: Graph, output: int, *, held: bool = True) -> None:
        self.graph = graph
        self.output = output
        self.held = held
        self.epsilon = float(np.finfo(graph.dtype).eps)
        self.values = recorded_values(graph)
        self._plain = graph.is_plain
        self._operands = _operands(graph, output)
        self._held = frozenset(detaches(graph, output)) if held else frozenset()
        self._needed = self._ancestors((output,))
        self._prepared: dict[int, tuple[Callable[..., Any], Branching | None]] = {}
        self._simple = simple_functions(graph, output)
        self._plans: dict[tuple[frozenset[int], frozenset[int]], Plan] = {}

    @property
    def loss(self) -> float:
        """The output as it was recorded."""
        return float(self.values[self.output])

    def depends_on(self, node: int) -> bool:
        """Whether the output depends on a node at all, not counting what is held."""
        return node <= self.output and bool(self._needed[node])

    def plan(self, sources: Collection[int], towards: Collection[int] = ()) -> Plan:
        """What is evaluated again when ``sources`` move, to know ``towards`` (or the output)."""
        key = frozenset(sources), frozenset(towards)
        if key not in self._plans:
            needed = self._ancestors(towards) if towards else self._needed
            self._plans[key] = self._made(key[0], self._moving(key[0], needed))
        return self._plans[key]

    def evaluate(self, plan: Plan, moved: Mapping[int, Array], watch: Watch | None) -> Floats:
        """The output at every point, shape (B,); ``moved`` holds arrays (B, \\*shape) by node.

        The moved nodes are among the plan's sources, and their first row is the recorded point.
        """
        values, breathe = plan.still.copy(), breath()
        for node, batch in moved.items():
            values[node] = batch
        with np.errstate(all="ignore"):
            for node, operands, function, branching, freed in zip(*plan[:5], strict=True):
                if branching is None and len(operands) == 2:
                    # Nearly all operations of a large network: the short way.
                    left, right = operands
                    values[node] = function(values[left], values[right])
                else:
                    given = [values[i] for i in operands]
                    values[node] = result = function(*given)
                    if branching is not None and watch is not None:
                        watch(branching, given, result)
                for i in freed:
                    values[i] = None
                if breathe is not None:
                    breathe()
        count = len(next(iter(moved.values())))
        losses = np.asarray(values[self.output], dtype=np.float64).reshape(-1)
        return np.broadcast_to(losses, (count,))

    def tied(self) -> tuple[int, ...]:
        """The nodes that sit between two branches at the recorded point."""
        with np.errstate(all="ignore"):
            return tuple(i for i in range(self.output + 1) if self.depends_on(i) and self._tied(i))

    def _tied(self, node: int) -> bool:
        row = self.graph.operation(node)
        if row is None or row.branch is None:
            return False
        operands = [recorded(self.values[i], self.graph.dtype) for i in self.graph.operands(node)]
        result = recorded(self.values[node], self.graph.dtype)
        found = pieces_of(self.graph, node, operands, result)
        return found is not None and bool(found.tied.any())

    def _ancestors(self, nodes: Collection[int]) -> bytearray:
        """Which nodes these are computed from, themselves included."""
        needed, operands = bytearray(self.output + 1), self._operands
        for node in nodes:
            needed[node] = True
        held = self._held
        for node in range(max(nodes, default=-1), -1, -1):
            if needed[node] and node not in held:
                for operand in operands[node]:
                    needed[operand] = True
        return needed

    def _moving(self, sources: frozenset[int], needed: bytearray) -> list[int]:
        """The needed operations that depend on the sources, in tape order."""
        operands, held = self._operands, self._held
        moves, found = bytearray(self.output + 1), []
        for source in sources:
            if source <= self.output:
                moves[source] = True
        for node in range(min(sources, default=0) + 1, self.output + 1):
            if moves[node] or not needed[node]:
                continue
            for operand in operands[node]:
                if moves[operand] and node not in held:
                    moves[node] = True
                    found.append(node)
                    break
        return found

    def _made(self, sources: frozenset[int], moving: list[int]) -> Plan:
        freed, operands = self._freed(moving), self._operands
        functions: list[Callable[..., Any]] = []
        branchings: list[Branching | None] = []
        for node in moving:
            function, branching = self._simple[node], None
            if function is None:
                function, branching = self._function(node)
            functions.append(function)
            branchings.append(branching)
        width = self._width(sources, moving, freed)
        reads = [operands[node] for node in moving]
        return Plan(moving, reads, functions, branchings, freed, self._still(moving), width)

    def _width(
        self, sources: frozenset[int], moving: list[int], freed: list[tuple[int, ...]]
    ) -> int:
        """How many numbers a point holds at once, at most."""
        if self._plain:
            counts = np.fromiter(map(len, freed), np.int64, len(freed))
            alive = len(sources) + np.arange(1, len(freed) + 1) - np.cumsum(counts) + counts
            return int(alive.max(initial=len(sources)))
        sizes = [np.size(value) for value in self.values]
        live = widest = sum(sizes[source] for source in sources)
        for node, gone in zip(moving, freed, strict=True):
            live += sizes[node]
            if live > widest:
                widest = live
            for i in gone:
                live -= sizes[i]
        return widest

    def _freed(self, moving: list[int]) -> list[tuple[int, ...]]:
        """For each step the results that nothing reads after it."""
        operands, alive = self._operands, bytearray(self.output + 1)
        for node in moving:
            alive[node] = True
        freed = []
        for node in reversed(moving):
            last: tuple[int, ...] = ()
            for i in operands[node]:
                if alive[i]:
                    alive[i] = False
                    last = (*last, i)
            freed.append(last)
        return freed[::-1]

    def _still(self, moving: list[int]) -> list[Any]:
        """The recorded values, as operands of a batch."""
        if self._plain:
            return list(self.values)
        still: list[Any] = list(self.values)
        for operand in {i for node in moving for i in self._operands[node]}.difference(moving):
            still[operand] = recorded(self.values[operand], self.graph.dtype)
        return still

    def _function(self, node: int) -> tuple[Callable[..., Any], Branching | None]:
        """How any other operation is evaluated, prepared once."""
        if node not in self._prepared:
            self._prepared[node] = prepared(self.graph, node)
        return self._prepared[node]


def detaches(graph: Graph, output: int) -> list[int]:
    """The detaches on the tape up to a node."""
    found: list[int] = np.flatnonzero(graph.columns().code[: output + 1] == DETACH).tolist()
    return found


def _operands(graph: Graph, output: int) -> list[tuple[int, ...]]:
    """The operands of every node up to one."""
    tape = graph.columns()
    flat, first = tuple(tape.operand.tolist()), tape.first[: output + 1].tolist()
    ends = [*first[1:], int(np.searchsorted(tape.consumer, output, side="right"))]
    return [flat[begin:end] for begin, end in zip(first, ends, strict=True)]
