"""Which side of each kink, and of each edge of a domain, an evaluation is on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from bpstep.analysis.batch import moving
from bpstep.analysis.progress import breathing
from bpstep.engine.arithmetic import Value
from bpstep.engine.graph import Graph
from bpstep.engine.operation import Operation, parameters

Code = Value
"""A node's branch: a number for a scalar, one for each element of a tensor; equal on one branch."""


def signature(graph: Graph, values: Sequence[Value]) -> Mapping[int, Code]:
    """The branch of every recorded operation that has one, at the given values of all nodes.

    In tape order. A comparison is no operation of its own here: what selects by it crosses.
    Two evaluations with equal signatures lie on one smooth piece of the function.
    """
    codes: dict[int, Code] = {}
    with np.errstate(all="ignore"):
        for node in breathing(range(len(graph))):
            operation = graph.operation(node)
            if operation is not None and operation.records and operation.branch is not None:
                codes[node] = _code(graph, node, operation, values)
    return codes


def _code(graph: Graph, node: int, operation: Operation, values: Sequence[Value]) -> Code:
    """The branch of one operation, which says by its parameters' names what it reads."""
    assert operation.branch is not None, "asked only of operations with branches"
    given = {**graph.keywords(node), "y": values[node], "moves": moving(graph, node)}
    given.update(zip("abc", (values[i] for i in graph.operands(node)), strict=False))
    code = operation.branch.code
    found: Code = code(**{name: given[name] for name in parameters(code)})
    return found


def crossed(graph: Graph, before: Sequence[Value], after: Sequence[Value]) -> tuple[str, ...]:
    """The names of the nodes that take another branch after than before, in tape order.

    ``before`` and ``after`` hold the value of every node, as ``forward.evaluate`` returns them. Of
    a tensor one element suffices. A point on a kink is a branch of its own.
    """
    old, new = signature(graph, before), signature(graph, after)
    return tuple(graph.label(node) for node in old if not _same(old[node], new[node]))


def _same(old: Code, new: Code) -> bool:
    """Equal in every element, nan being equal to nan."""
    return bool(np.array_equal(np.asarray(old), np.asarray(new), equal_nan=True))
