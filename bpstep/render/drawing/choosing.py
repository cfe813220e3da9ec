"""Which nodes of a graph are drawn: all of them, or those about the selected one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from bpstep.engine.arithmetic import Array
    from bpstep.engine.graph import Graph

LEVELS = 2
"""A neighbourhood goes so far up and so far down."""

MOST_NEAR = 20
"""A neighbourhood has no more boxes above, and no more below."""

MOST_BESIDE = 8
"""So many consumers, and so many operands, of one node are drawn in a neighbourhood."""


@dataclass(frozen=True, eq=False)
class Joint:
    """An operand position between two drawn nodes."""

    operand: int
    consumer: int
    position: int


@dataclass(frozen=True, eq=False)
class Choice:
    """Nodes to draw, in tape order, of ``total`` there are, and what joins them.

    ``left_out`` counts, by node, the operand positions that join it to nodes that are not drawn.
    """

    nodes: tuple[int, ...]
    joints: tuple[Joint, ...]
    total: int
    left_out: Mapping[int, int]

    @property
    def whole(self) -> bool:
        """Whether every node is drawn."""
        return len(self.nodes) == self.total


@lru_cache(maxsize=8)
def choose(
    graph: Graph, length: int, most: int, selected: int | None, sender: int | None
) -> Choice:
    """The nodes that are shown, where they are not more than `most`, else a neighbourhood.

    `length` is the graph's. The `sender` is the consumer that the step is about: of many
    consumers, those about it are drawn.
    """
    near = _near(graph, length)
    if near.total <= most:
        nodes = tuple(np.flatnonzero(near.shown).tolist())
    else:
        center = length - 1 if selected is None else selected
        up = _reached(center, near.operands)
        down = _reached(center, lambda node: near.consumers(node, sender))
        nodes = tuple(sorted({center, *up, *down}))
    joints = _joints(graph, nodes)
    return Choice(nodes, joints, near.total, near.left_out(nodes, joints))


def centered(graph: Graph, length: int, most: int) -> bool:
    """Whether a graph is so large that only a neighbourhood is drawn."""
    return _near(graph, length).total > most


def _reached(center: int, step: Callable[[int], list[int]]) -> list[int]:
    found: dict[int, None] = {}
    level = [center]
    for _ in range(LEVELS):
        level = [node for known in level for node in step(known)]
        level = list(dict.fromkeys(level))[: MOST_NEAR - len(found)]
        found.update(dict.fromkeys(level))
    return list(found)


def _joints(graph: Graph, nodes: tuple[int, ...]) -> tuple[Joint, ...]:
    drawn = frozenset(nodes)
    return tuple(
        Joint(operand, consumer, position)
        for consumer in nodes
        for position, operand in enumerate(graph.operands(consumer))
        if operand in drawn
    )


@dataclass(frozen=True, eq=False)
class _Near:
    """Who reads whom, as flat arrays: looked up in no more time than there are answers.

    ``shown`` says which nodes are no literals, ``consumer`` has the consumers of each node from
    its entry in ``first`` on, in tape order.
    """

    graph: Graph
    shown: Array
    total: int
    first: Array
    consumer: Array

    def consumers(self, node: int, sender: int | None) -> list[int]:
        """Consumers of a node, those about the sender if it is one of them, else the first."""
        found = self.consumer[self.first[node] : self.first[node + 1]]
        start = 0
        if sender is not None and len(found) > MOST_BESIDE:
            place = min(int(np.searchsorted(found, sender)), len(found) - 1)
            start = place - place % MOST_BESIDE if found[place] == sender else 0
        return list(dict.fromkeys(found[start : start + MOST_BESIDE].tolist()))

    def operands(self, node: int) -> list[int]:
        """Operands of a node that are no literals."""
        distinct = dict.fromkeys(i for i in self.graph.operands(node) if self.shown[i])
        return list(distinct)[:MOST_BESIDE]

    def left_out(self, nodes: tuple[int, ...], joints: tuple[Joint, ...]) -> dict[int, int]:
        """How many operand positions of each node are not drawn, on either side."""
        if len(nodes) == self.total:
            return {}
        counts = {node: self._positions(node) for node in nodes}
        for joint in joints:
            counts[joint.consumer] -= 1
            counts[joint.operand] -= 1
        return {node: count for node, count in counts.items() if count}

    def _positions(self, node: int) -> int:
        operands = int(self.shown[list(self.graph.operands(node))].sum())
        return operands + int(self.first[node + 1] - self.first[node])


@lru_cache(maxsize=4)
def _near(graph: Graph, length: int) -> _Near:
    shown = np.zeros(length, dtype=np.bool_)
    shown[graph.visible()] = True
    columns = graph.columns()
    order = np.argsort(columns.operand, kind="stable")
    first = np.searchsorted(columns.operand[order], np.arange(length + 1))
    return _Near(graph, shown, int(shown.sum()), first, columns.consumer[order])
