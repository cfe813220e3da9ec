"""One operation on a tape of its own, for every row of the table: operands it takes, and keywords.

Nothing here is written for a single operation but the shapes and keyword arguments that some need,
so that a new row is tested without another line.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from bpstep.engine.errors import GraphError
from bpstep.engine.graph import Graph, Node
from bpstep.engine.operation import Operation
from bpstep.engine.rules import Edge

SHAPES: dict[int, list[tuple[tuple[int, ...], ...]]] = {
    1: [((),), ((3,),), ((2, 3),), ((2, 1, 3),)],
    2: [
        ((), ()),
        ((3,), (3,)),
        ((2, 3), ()),
        ((), (2, 3)),
        ((2, 3), (3,)),
        ((2, 1), (1, 3)),
        ((2, 3), (3, 2)),
        ((3,), (3, 2)),
        ((2, 2, 3), (3, 2)),
        ((2, 3), (2, 3, 2)),
        ((2, 3), (2, 3)),
    ],
    3: [((), (), ()), ((2, 3), (3,), ()), ((), (2, 3), (2, 1)), ((3,), (2, 3), (2, 3))],
}
CHOICES: dict[str, list[Any]] = {
    "axis": [0, -1, (0, -1), None],
    "keepdims": [False, True],
    "slope": [0.2],
    "min": [0.5, None],
    "max": [1.2, None],
    "shape": [(-1,), (3, -1)],
    "index": [(0,), (-1, 1), (1, 0, 2)],
}


@dataclass(frozen=True)
class Case:
    """One operation recorded on leaves ``x0 x1 …``; ``node`` is its result."""

    graph: Graph
    node: Node

    def edges(self) -> list[Edge]:
        """The operand positions that have a derivative rule."""
        operands = self.graph.operands(self.node.index)
        edges = [Edge(self.graph, self.node.index, k, target) for k, target in enumerate(operands)]
        return [edge for edge in edges if edge.operation.rule(edge.operand) is not None]


def smooth(shape: tuple[int, ...], place: int) -> Any:
    """Values in (0.3, 1.5), all apart from one another, from integers and from halves."""
    count = int(np.prod(shape, dtype=int))
    order = np.random.default_rng(place).permutation(count)
    values = 0.31 + 0.017 * place + 1.07 * (order + 0.43) / max(count, 2)
    return values.reshape(shape) if shape else float(values[0])


def keyword_choices(row: Operation) -> Iterator[dict[str, Any]]:
    """Every combination of the keyword arguments to try."""
    names = [keyword.name for keyword in row.keywords]
    for values in itertools.product(*(CHOICES[name] for name in names)):
        yield dict(zip(names, values, strict=True))


def cases(row: Operation, dtype: str = "float64", sign: float = 1.0) -> list[Case]:
    """The operation at smooth points: numbers, tensors, broadcast ones, every keyword.

    ``sign`` −1 negates the first operand, which takes the other branch of what has two.
    """
    found = []
    for shapes, keywords in itertools.product(SHAPES[row.least], keyword_choices(row)):
        graph = Graph(dtype)
        signs = [sign] + [1.0] * len(shapes)
        leaves = [
            graph.param(f"x{k}", signs[k] * smooth(shape, k)) for k, shape in enumerate(shapes)
        ]
        try:
            found.append(Case(graph, graph.apply(row.name, *leaves, **keywords)))
        except GraphError:
            continue
    return found
