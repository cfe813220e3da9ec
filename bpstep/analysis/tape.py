"""A recorded tape evaluated forward at many points at once: one array a node.

The first row of every batch is the recorded point itself, so that differences are taken between
results of the same functions (``math`` and NumPy may differ by a rounding). Only what depends on
the moved nodes is evaluated again, and an array is let go after its last use. Nothing here reads
a derivative rule: what judges the reverse pass must not make its mistakes.
"""

from __future__ import annotations

import math
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

Flags = NDArray[np.bool_]
Given = Sequence[Any]
"""The operands of one operation: batches, and what is the same at all points."""


class Step(NamedTuple):
    """One operation to be evaluated again.

    ``code`` gives the branch of every point, ``pieces`` also which elements are tied; both are
    None where the operation is not pieced together. ``freed`` are the nodes read for the last time.
    """

    node: int
    operands: tuple[int, ...]
    function: Callable[..., Any]
    code: Callable[[Given, Any], Array] | None
    pieces: Callable[[Given, Any], Pieces | None] | None
    freed: tuple[int, ...]


class Watch(Protocol):
    """Looks at every operation with branches while the tape is evaluated."""

    def __call__(self, step: Step, operands: Given, result: Any) -> None:
        """Called in tape order; ``result`` is what the operation gave."""


class Plan(NamedTuple):
    """What is evaluated when some nodes move: the steps, and what stays as it is.

    ``width`` is how many numbers a point holds in arrays at once, at most.
    """

    sources: frozenset[int]
    steps: tuple[Step, ...]
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
        self._needed = self._dependencies()
        self._plans: dict[frozenset[int], Plan] = {}

    @property
    def loss(self) -> float:
        """The output as it was recorded."""
        return float(self.values[self.output])

    def depends_on(self, node: int) -> bool:
        """Whether the output depends on a node at all, not counting what is held."""
        return node <= self.output and bool(self._needed[node])

    def plan(self, sources: Collection[int]) -> Plan:
        """What is evaluated again when these nodes move."""
        key = frozenset(sources)
        if key not in self._plans:
            self._plans[key] = self._made(key)
        return self._plans[key]

    def evaluate(self, plan: Plan, moved: Mapping[int, Array], watch: Watch | None) -> Floats:
        """The output at every point, shape (B,); ``moved`` holds arrays (B, \\*shape) by node.

        The moved nodes are among the plan's sources, and their first row is the recorded point.
        """
        values = plan.still.copy()
        for node, batch in moved.items():
            values[node] = batch
        with np.errstate(all="ignore"):
            for step in plan.steps:
                node, operands, function, code, _, freed = step
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

    def _dependencies(self) -> bytearray:
        """Which nodes the output depends on."""
        needed = bytearray(self.output + 1)
        needed[self.output] = True
        for node in range(self.output, -1, -1):
            if needed[node] and not self._is_held(node):
                for operand in self.graph.operands(node):
                    needed[operand] = True
        return needed

    def _is_held(self, node: int) -> bool:
        row = self.graph.operation(node)
        return self.held and row is not None and row.name == "detach"

    def _made(self, sources: frozenset[int]) -> Plan:
        moves = bytearray(self.output + 1)
        for source in sources:
            if source <= self.output:
                moves[source] = True
        dirty: list[int] = []
        for node in range(min(sources, default=0) + 1, self.output + 1):
            if moves[node] or not self._needed[node] or self._is_held(node):
                continue
            if any(moves[i] for i in self.graph.operands(node)):
                moves[node] = True
                dirty.append(node)
        freed, width = self._lifetimes(sources, dirty)
        steps = [self._step(node, freed.get(node, ())) for node in dirty]
        return Plan(sources, tuple(steps), self._still(dirty), width)

    def _lifetimes(
        self, sources: frozenset[int], dirty: Sequence[int]
    ) -> tuple[Mapping[int, tuple[int, ...]], int]:
        """What each step reads for the last time, and the most numbers a point holds at once."""
        last: dict[int, int] = {}
        for node in dirty:
            for operand in self.graph.operands(node):
                last[operand] = node
        freed: dict[int, tuple[int, ...]] = {}
        evaluated = set(dirty)
        for operand, node in last.items():
            if operand in evaluated:
                freed[node] = (*freed.get(node, ()), operand)
        size = {node: math.prod(self.graph.shape(node)) for node in (*sources, *dirty)}
        live = widest = sum(size[source] for source in sources)
        for node in dirty:
            live += size[node]
            widest = max(widest, live)
            live -= sum(size[i] for i in freed.get(node, ()))
        return freed, widest

    def _still(self, dirty: Sequence[int]) -> list[Any]:
        """The recorded values, as operands of a batch."""
        if self.graph.is_plain:
            return list(self.values)
        still: list[Any] = list(self.values)
        for operand in {i for node in dirty for i in self.graph.operands(node)}.difference(dirty):
            still[operand] = _recorded(self.values[operand], self.graph.dtype)
        return still

    def _step(self, node: int, freed: tuple[int, ...]) -> Step:
        graph, row = self.graph, self.graph.operation(node)
        assert row is not None, "a leaf is not evaluated"
        function = _lean(graph, node, row) or _general(graph, node, row)
        code = pieced = None
        if row.branch is not None and row.branch.tied is not None:
            pieced = partial(_pieces, graph, node, row)
            code = _lean_code(graph, node, row) or _codes(pieced)
        return Step(node, graph.operands(node), function, code, pieced, freed)


def _lean(graph: Graph, node: int, row: Operation) -> Callable[..., Any] | None:
    """The operation's own function, where a number among arrays is all there is to broadcast."""
    if not (graph.is_plain and row.elementwise):
        return None
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


def _lean_code(graph: Graph, node: int, row: Operation) -> Callable[[Given, Any], Array] | None:
    """The branch of an elementwise operation on numbers, without looking for ties."""
    if not (graph.is_plain and row.elementwise):
        return None
    assert row.branch is not None, "asked only of operations with branches"
    function, keywords = row.branch.code, {**graph.keywords(node), "moves": moving(graph, node)}
    names = parameters(function)

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
