"""Forward-only evaluation of a recorded tape at changed values.

Nothing here reads a derivative rule: what judges the reverse pass must not make its mistakes.
Detached values are rebuilt, and everything else holds what the forward pass recorded, whatever
has overwritten it since.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping
from typing import Any, NamedTuple

import numpy as np

from bpstep.analysis.progress import breathing
from bpstep.engine.arithmetic import Value
from bpstep.engine.graph import Graph
from bpstep.engine.operation import finish


class _Step(NamedTuple):
    """One operation to be evaluated again."""

    node: int
    forward: Callable[..., Any]
    operands: tuple[int, ...]
    keywords: Mapping[str, Any]


class Replay:
    """The part of a tape that depends on given nodes, ready to be evaluated many times.

    ``sources`` are the nodes that will change; nothing that does not depend on them is evaluated
    again, and nothing that ``output`` (default: the whole tape) does not depend on.
    """

    def __init__(self, graph: Graph, sources: Collection[int], output: int | None = None) -> None:
        self._dtype = graph.dtype
        self._recorded = recorded_values(graph)
        self._steps = _steps(graph, sources, output)

    @property
    def largest(self) -> float:
        """The largest finite size of a recorded value that is evaluated again."""
        return max((largest_size(self._recorded[step.node]) for step in self._steps), default=0.0)

    def values(self, overrides: Mapping[int, Value]) -> list[Value]:
        """The value of every node, in tape order, with some of the sources changed.

        A source that is an operation keeps the value it is given. Scalars are computed with
        exactly the arithmetic of the recording.
        """
        values = self._recorded.copy()
        for node, value in overrides.items():
            values[node] = value
        dtype = self._dtype
        double = dtype == np.float64
        with np.errstate(all="ignore"):
            for node, forward, operands, keywords in breathing(self._steps):
                result = forward(*[values[operand] for operand in operands], **keywords)
                exact = double and type(result) is float
                values[node] = result if exact else finish(result, dtype)
        return values


def evaluate(graph: Graph, overrides: Mapping[int, Value]) -> list[Value]:
    """The value of every node with the values of some replaced, in their own shape and dtype."""
    return Replay(graph, overrides.keys()).values(overrides)


def recorded_values(graph: Graph) -> list[Value]:
    """The value of every node as the forward pass recorded it."""
    values = graph.values.copy()
    for node in graph.overwritten:
        values[node] = graph.recorded(node)
    return values


def largest_size(value: Value) -> float:
    """The largest finite size of an element."""
    if isinstance(value, float):
        return abs(value) if math.isfinite(value) else 0.0
    return float(np.max(np.abs(value), initial=0.0, where=np.isfinite(value)))


def _steps(graph: Graph, sources: Collection[int], output: int | None) -> tuple[_Step, ...]:
    """The operations that depend on the sources, in tape order."""
    if not sources:
        return ()
    changed = bytearray(len(graph))
    for source in sources:
        changed[source] = True
    steps = []
    for node in range(min(sources) + 1, len(graph) if output is None else output + 1):
        operation = graph.operation(node)
        if operation is None or changed[node]:
            continue
        operands = graph.operands(node)
        if any(changed[operand] for operand in operands):
            changed[node] = True
            steps.append(_Step(node, operation.forward, operands, graph.keywords(node)))
    return tuple(steps if output is None else _needed(steps, output))


def _needed(steps: list[_Step], output: int) -> list[_Step]:
    """Those of the steps that the output depends on."""
    needed = {output}
    kept = []
    for step in reversed(steps):
        if step.node in needed:
            needed.update(step.operands)
            kept.append(step)
    return kept[::-1]
