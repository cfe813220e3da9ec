"""Where a value that is not finite first arises in the forward pass, and where it is hidden."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import numpy as np

from bpstep.analysis.elements import Index
from bpstep.engine.arithmetic import Array
from bpstep.engine.graph import Graph


@dataclass(frozen=True, eq=False)
class ForwardOrigin:
    """A node whose value is not finite though its operands are; a leaf that was given such.

    ``value`` is that of the first such element, which is at ``index``; ``elements`` counts them.
    """

    node: str
    value: float
    index: Index
    elements: int


def forward_origins(graph: Graph, nodes: set[int]) -> tuple[ForwardOrigin, ...]:
    """The first values that are not finite on the way to some nodes, in tape order."""
    found = []
    seen, stack = set(nodes), list(nodes)
    while stack:
        node = stack.pop()
        broken = [i for i in graph.operands(node) if not np.isfinite(graph.recorded(i)).all()]
        mask = _arising(graph, node, broken)
        if mask.any():
            index = first_of(mask)
            value = float(np.asarray(graph.recorded(node))[index])
            found.append((node, ForwardOrigin(graph.label(node), value, index, int(mask.sum()))))
        stack.extend(set(broken) - seen)
        seen.update(broken)
    return tuple(origin for _, origin in sorted(found, key=lambda it: it[0]))


def _arising(graph: Graph, node: int, broken: list[int]) -> Array:
    """The elements of a value that are not finite without an operand's being so."""
    mask: Array = np.asarray(~np.isfinite(np.asarray(graph.recorded(node))))
    row = graph.operation(node)
    if not broken or row is None:
        return mask
    if not row.elementwise:
        return np.zeros_like(mask)
    for operand in broken:
        mask = np.asarray(mask & np.isfinite(graph.recorded(operand)))
    return mask


def hiding_where(graph: Graph, node: int) -> int | None:
    """The first ``where`` that keeps a value that is not finite out of its result."""
    seen, queue = {node}, deque([node])
    while queue:
        value = np.isfinite(graph.values[(index := queue.popleft())])
        if value.all():
            continue
        for consumer, position in graph.consumers(index):
            row = graph.operation(consumer)
            assert row is not None, "a leaf consumes nothing"
            if row.name == "where" and position > 0:
                result = np.isfinite(graph.values[consumer])
                if (~value & result).any():
                    return consumer
            if consumer not in seen:
                seen.add(consumer)
                queue.append(consumer)
    return None


def first_of(mask: Array) -> Index:
    """The index of the first element that a mask marks; () of a number."""
    return tuple(int(i) for i in np.unravel_index(int(np.argmax(mask)), mask.shape))
