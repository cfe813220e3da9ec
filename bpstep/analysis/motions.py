"""Single operations whose operands are moved, put together so that they are evaluated at once.

A motion is one node's operation and the directions its operands move along. Motions of numbers by
the same operation differ in their numbers only: they become rows of one group, whatever their
number. A motion of tensors is a group of its own, with a row for each direction.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from bpstep.analysis.batch import Pieces, Shape, forward, moving, pieces
from bpstep.analysis.extrapolation import Floats
from bpstep.analysis.progress import breathing
from bpstep.engine.arithmetic import Array, Value
from bpstep.engine.graph import Graph
from bpstep.engine.operation import Operation


@dataclass(frozen=True, eq=False)
class Motion:
    """A node whose operation is moved: ``directions`` by operand position, each (m, \\*shape)."""

    node: int
    directions: Mapping[int, Floats]

    def __len__(self) -> int:
        """How many directions there are."""
        return len(next(iter(self.directions.values())))


@dataclass(frozen=True, eq=False)
class Group:
    """Rows of one operation, each moved along its own direction.

    ``base`` has an array an operand, (rows, \\*shape), or (1, \\*shape) where all rows share it;
    ``directions`` by operand position have shape (rows, \\*shape).
    """

    row: Operation
    keywords: Mapping[str, Any]
    shapes: tuple[Shape, ...]
    moves: tuple[bool, ...]
    dtype: Any
    result: Shape
    base: tuple[Array, ...]
    directions: Mapping[int, Floats]

    def __len__(self) -> int:
        """The number of rows."""
        return len(next(iter(self.directions.values())))

    @property
    def epsilon(self) -> float:
        """The spacing of floats at 1."""
        return float(np.finfo(self.dtype).eps)

    @cached_property
    def start(self) -> Array:
        """The results at the point itself, (rows or 1, \\*result)."""
        return self.forward(self.base)

    def forward(self, operands: Sequence[Array]) -> Array:
        """The operation on a batch of its operands."""
        return forward(self.row, operands, self.shapes, self.keywords, self.dtype)

    def pieces(self, operands: Sequence[Array], result: Array) -> Pieces | None:
        """The pieces that a batch lies on."""
        return pieces(self.row, operands, result, self.shapes, self.keywords, self.moves)

    def chunks(self, numbers: int) -> Iterator[Group]:
        """The group in parts of so many rows that none of them has more ``numbers`` in an array."""
        shapes = [self.result, *(self.shapes[place] for place in self.directions)]
        size = max(1, numbers // max(1, *map(math.prod, shapes)))
        for start in range(0, len(self), size):
            rows = slice(start, start + size)
            yield replace(
                self,
                base=tuple(x if len(x) == 1 else x[rows] for x in self.base),
                directions={place: moved[rows] for place, moved in self.directions.items()},
            )


def alike(graph: Graph, motions: Sequence[Motion]) -> Iterator[list[int]]:
    """The places in ``motions`` of those that make one group."""
    found: dict[Hashable, list[int]] = defaultdict(list)
    for k, motion in breathing(enumerate(motions)):
        kind = _kind(graph, motion)
        found[k if kind is None else kind].append(k)
    yield from found.values()


def _kind(graph: Graph, motion: Motion) -> Hashable | None:
    """What motions of numbers share that can be evaluated together; None where tensors move."""
    row, node = _operation(graph, motion), motion.node
    operands, values = graph.operands(node), graph.values
    if not all(type(values[i]) is float for i in (node, *operands)):
        return None
    keywords = tuple(sorted(graph.keywords(node).items()))
    return row.name, len(operands), keywords, moving(graph, node), tuple(motion.directions)


def _operation(graph: Graph, motion: Motion) -> Operation:
    row = graph.operation(motion.node)
    assert row is not None, "a leaf has no operation to be moved"
    return row


def group(graph: Graph, values: Sequence[Value], motions: Sequence[Motion]) -> Group:
    """The group of motions that are alike, at the given values of all nodes."""
    node = motions[0].node
    operands = graph.operands(node)
    if len(motions) == 1:
        base = [np.asarray(values[i], graph.dtype)[None] for i in operands]
    else:
        columns = zip(*(graph.operands(motion.node) for motion in motions), strict=True)
        counts = [len(motion) for motion in motions]
        base = [
            np.repeat(np.array([values[i] for i in column], graph.dtype), counts)
            for column in columns
        ]
    return Group(
        row=_operation(graph, motions[0]),
        keywords=graph.keywords(node),
        shapes=tuple(graph.shape(i) for i in operands),
        moves=moving(graph, node),
        dtype=graph.dtype,
        result=graph.shape(node),
        base=tuple(base),
        directions={
            place: np.concatenate([motion.directions[place] for motion in motions])
            for place in motions[0].directions
        },
    )
