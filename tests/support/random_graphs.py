"""Random computations as plain data, to be recorded by the engine and by an oracle.

A computation is leaves and a list of (operation, operand numbers, keyword arguments); numbers
count leaves first. Values are drawn so that the points without a derivative come up often.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from bpstep.engine.errors import GraphError
from bpstep.engine.graph import Graph, Node
from bpstep.engine.ops import OPERATIONS

SCALAR_ONLY_POINTS = [0.0, 1.0, -1.0, 0.5, 2.0, -2.0, -0.0, 3.0]
SHAPES = [(), (3,), (2, 3), (1, 3), (2, 1), (3, 3), (2, 2, 3)]
NEEDS_TENSOR = {"matmul", "concat", "index", "dot"}
ELEMENTWISE = [
    row.name
    for row in OPERATIONS.values()
    if row.name not in NEEDS_TENSOR | {"reshape", "transpose", "identity", "detach"}
]


@dataclass
class Computation:
    """Leaves, and operations on them and on one another."""

    leaves: list[Any] = field(default_factory=list)
    steps: list[tuple[str, tuple[int, ...], dict[str, Any]]] = field(default_factory=list)

    def record(
        self, dtype: str = "float64", conventions: Any = "torch"
    ) -> tuple[Graph, list[Node]]:
        """The computation on a fresh tape; the last node is the scalar loss."""
        graph = Graph(dtype, conventions)
        nodes = [graph.param(f"p{i}", value) for i, value in enumerate(self.leaves)]
        for name, operands, keywords in self.steps:
            nodes.append(graph.apply(name, *(nodes[i] for i in operands), **keywords))
        return graph, nodes


def random_computation(
    rng: np.random.Generator, size: int, *, tensors: bool, names: list[str] | None = None
) -> Computation:
    """A computation of about ``size`` operations whose last one sums everything that is left."""
    made = Computation([_leaf(rng, tensors) for _ in range(int(rng.integers(2, 5)))])
    graph, nodes = made.record()
    for _ in range(size):
        step = _step(rng, nodes, tensors, names)
        try:
            nodes.append(graph.apply(step[0], *(nodes[i] for i in step[1]), **step[2]))
        except GraphError:
            continue
        made.steps.append(step)
    return _with_loss(made, nodes)


def _leaf(rng: np.random.Generator, tensors: bool) -> Any:
    shape = SHAPES[int(rng.integers(len(SHAPES)))] if tensors else ()
    if rng.random() < 0.5:
        return rng.choice(SCALAR_ONLY_POINTS, size=shape) + 0.0
    return np.round(rng.normal(size=shape), 3)


def _step(
    rng: np.random.Generator, nodes: list[Node], tensors: bool, names: list[str] | None
) -> tuple[str, tuple[int, ...], dict[str, Any]]:
    choices = names or (list(OPERATIONS) if tensors else ELEMENTWISE)
    name = str(rng.choice(choices))
    count = OPERATIONS[name].least
    recent = np.arange(len(nodes))
    weights = (recent + 1.0) / np.sum(recent + 1.0)
    operands = tuple(int(i) for i in rng.choice(recent, size=count, p=weights))
    return name, operands, _keywords(rng, name, nodes[operands[0]])


def _keywords(rng: np.random.Generator, name: str, first: Node) -> dict[str, Any]:
    rank = len(first.shape)
    if name == "clamp":
        return {"min": -1.0, "max": float(rng.choice([0.5, 1.0, 2.0]))}
    if name == "leaky_relu":
        return {"slope": float(rng.choice([0.01, 0.2]))}
    if name == "reshape":
        return {"shape": (int(np.prod(first.shape)),)}
    if name == "index":
        return {"index": tuple(int(rng.integers(n)) for n in first.shape[: rng.integers(1, 3)])}
    takes = {keyword.name for keyword in OPERATIONS[name].keywords}
    keywords: dict[str, Any] = {}
    if "axis" in takes and rank and rng.random() < 0.6:
        keywords["axis"] = int(rng.integers(rank))
    if "keepdims" in takes and rng.random() < 0.4:
        keywords["keepdims"] = True
    return keywords


def _with_loss(made: Computation, nodes: list[Node]) -> Computation:
    """Add up the means of all nodes that nothing reads, and of all leaves, into one scalar."""
    used = {i for _, operands, _ in made.steps for i in operands}
    ends = [i for i in range(len(nodes)) if i not in used] or [len(nodes) - 1]
    count = len(nodes)
    total: int | None = None
    for end in ends:
        made.steps.append(("sum", (end,), {}))
        count += 1
        if total is not None:
            made.steps.append(("add", (total, count - 1), {}))
            count += 1
        total = count - 1
    return made
