"""A recorded tape evaluated forward at many points at once: one array a node.

The first row of every batch is the recorded point itself, so that differences are taken between
results of the same functions (``math`` and NumPy may differ by a rounding). Only what depends on
the moved nodes is evaluated again, and an array is let go after its last use. Nothing here reads
a derivative rule: what judges the reverse pass must not make its mistakes.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from bpstep.analysis.batch import Pieces, kernel, moving, pieces
from bpstep.analysis.extrapolation import Floats
from bpstep.analysis.forward import recorded_values
from bpstep.engine.arithmetic import Array, Value
from bpstep.engine.graph import Graph
from bpstep.engine.operation import Operation, parameters
from bpstep.engine.ops import CODES

Flags = NDArray[np.bool_]
DETACH = CODES["detach"]

Given = Sequence[Any]
"""The operands of one operation: batches, and what is the same at all points."""


class Step(NamedTuple):
    """One operation to be evaluated again.

    ``code`` gives the branch of every point, ``pieces`` also which elements are tied; both are
    None where the operation is not pieced together.
    """

    node: int
    operands: tuple[int, ...]
    function: Callable[..., Any]
    code: Callable[[Given, Any], Array] | None
    pieces: Callable[[Given, Any], Pieces | None] | None


class Watch(Protocol):
    """Looks at every operation with branches while the tape is evaluated."""

    def __call__(self, step: Step, operands: Given, result: Any) -> None:
        """Called in tape order; ``result`` is what the operation gave."""


class Plan(NamedTuple):
    """What is evaluated when some nodes move: the steps, and what stays as it is.

    ``freed`` are for each step the nodes that are read for the last time; ``width`` is how many
    numbers a point holds in arrays at once, at most.
    """

    steps: tuple[Step, ...]
    freed: tuple[tuple[int, ...], ...]
    still: list[Any]
    width: int


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
        self._steps: dict[int, Step] = {}
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
        values = plan.still.copy()
        for node, batch in moved.items():
            values[node] = batch
        with np.errstate(all="ignore"):
            for step, freed in zip(plan.steps, plan.freed, strict=True):
                node, operands, function, code, _ = step
                given = [values[i] for i in operands]
                values[node] = result = function(*given)
                if code is not None and watch is not None:
                    watch(step, given, result)
                for i in freed:
                    values[i] = None
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
        operands = [_recorded(self.values[i], self.graph.dtype) for i in self.graph.operands(node)]
        result = _recorded(self.values[node], self.graph.dtype)
        found = _pieces(self.graph, node, row, operands, result)
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
        freed = self._freed(moving)
        live = widest = sum(self._size(source) for source in sources)
        for node, gone in zip(moving, freed, strict=True):
            live += self._size(node)
            widest = max(widest, live)
            for i in gone:
                live -= self._size(i)
        steps = tuple([self._step(node) for node in moving])
        return Plan(steps, tuple(freed), self._still(moving), widest)

    def _size(self, node: int) -> int:
        """How many numbers a node's value is."""
        value = self.values[node]
        return 1 if isinstance(value, float) else value.size

    def _freed(self, moving: list[int]) -> list[tuple[int, ...]]:
        """For each step the results that nothing reads after it."""
        operands, alive = self._operands, bytearray(self.output + 1)
        for node in moving:
            alive[node] = True
        freed = []
        for node in reversed(moving):
            last = [i for i in operands[node] if alive[i]]
            for i in last:
                alive[i] = False
            freed.append(tuple(dict.fromkeys(last)) if last else ())
        return freed[::-1]

    def _still(self, moving: list[int]) -> list[Any]:
        """The recorded values, as operands of a batch."""
        if self._plain:
            return list(self.values)
        still: list[Any] = list(self.values)
        for operand in {i for node in moving for i in self._operands[node]}.difference(moving):
            still[operand] = _recorded(self.values[operand], self.graph.dtype)
        return still

    def _step(self, node: int) -> Step:
        found = self._steps.get(node)
        if found is None:
            found = self._steps[node] = self._prepared(node)
        return found

    def _prepared(self, node: int) -> Step:
        graph, row = self.graph, self.graph.operation(node)
        assert row is not None, "a leaf is not evaluated"
        operands, branch = self._operands[node], row.branch
        lean = self._plain and row.elementwise
        if lean and branch is None and not row.keywords:
            return Step(node, operands, row.forward, None, None)
        function = _lean(graph, node, row) if lean else _general(graph, node, row)
        if branch is None or branch.tied is None:
            return Step(node, operands, function, None, None)
        pieced = partial(_pieces, graph, node, row)
        code = _lean_code(graph, node, row) if lean else _codes(pieced)
        return Step(node, operands, function, code, pieced)


def detaches(graph: Graph, output: int) -> list[int]:
    """The detaches on the tape up to a node."""
    found: list[int] = np.flatnonzero(graph.columns().code[: output + 1] == DETACH).tolist()
    return found


def _operands(graph: Graph, output: int) -> list[tuple[int, ...]]:
    """The operands of every node up to one."""
    tape = graph.columns()
    flat, first = tape.operand.tolist(), tape.first[: output + 1].tolist()
    ends = [*first[1:], int(np.searchsorted(tape.consumer, output, side="right"))]
    return [tuple(flat[begin:end]) for begin, end in zip(first, ends, strict=True)]


def _lean(graph: Graph, node: int, row: Operation) -> Callable[..., Any]:
    """The operation's own function: among numbers nothing has to be aligned."""
    keywords = graph.keywords(node)
    return partial(row.forward, **keywords) if keywords else row.forward


def _general(graph: Graph, node: int, row: Operation) -> Callable[..., Any]:
    shapes = [graph.shape(i) for i in graph.operands(node)]
    function = kernel(row, shapes, graph.keywords(node), graph.dtype)
    return lambda *operands: function([_batch(x, graph.dtype) for x in operands])


def _recorded(value: Value, dtype: Any) -> Array:
    """A recorded value as a batch of one point."""
    return np.asarray(value, dtype)[None]


def _batch(value: float | Array, dtype: Any) -> Array:
    """A batch as it is; a number that is the same at all points as a batch of one."""
    return np.full(1, value, dtype) if isinstance(value, float) else value


def _lean_code(graph: Graph, node: int, row: Operation) -> Callable[[Given, Any], Array]:
    """The branch of an elementwise operation on numbers, without looking for ties."""
    assert row.branch is not None, "asked only of operations with branches"
    function = row.branch.code
    names = parameters(function)
    if names == ("a",):
        return lambda given, result: np.asarray(function(given[0]))
    keywords = {**graph.keywords(node), "moves": moving(graph, node)}

    def code(given: Given, result: Any) -> Array:
        known = {**keywords, "y": result, **dict(zip("abc", given, strict=False))}
        return np.asarray(function(**{name: known[name] for name in names}))

    return code


def _codes(pieced: Callable[[Given, Any], Pieces | None]) -> Callable[[Given, Any], Array]:
    def code(given: Given, result: Any) -> Array:
        found = pieced(given, result)
        assert found is not None, "asked only of operations with pieces of their own"
        return found.codes

    return code


def _pieces(graph: Graph, node: int, row: Operation, given: Given, result: Any) -> Pieces | None:
    shapes = [graph.shape(i) for i in graph.operands(node)]
    operands = [_batch(x, graph.dtype) for x in given]
    batch = _batch(result, graph.dtype)
    return pieces(row, operands, batch, shapes, graph.keywords(node), moving(graph, node))
