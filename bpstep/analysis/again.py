"""A tape recorded again at other leaf values, and reversed as it was: with the same fault."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from bpstep.engine.arithmetic import Value
from bpstep.engine.faults import Fault, faulty_reverse
from bpstep.engine.graph import Graph, Node
from bpstep.engine.ledger import Ledger
from bpstep.engine.reverse import reverse

Again = Callable[[Mapping[str, Value]], tuple[Graph, Ledger]]
"""Records at the leaf values given by name and goes back; the other leaves stay as they are."""


def recorder(graph: Graph, output: int, fault: Fault | None = None) -> Again:
    """Records copies of a tape and reverses them from the same node."""

    def again(leaves: Mapping[str, Value]) -> tuple[Graph, Ledger]:
        recorded = {graph.label(leaf): graph.recorded(leaf) for leaf in graph.leaves()}
        copy = copied(graph, {**recorded, **leaves})
        if fault is None:
            return copy, reverse(copy, output)
        return copy, faulty_reverse(copy, output, fault)

    return again


def copied(graph: Graph, leaves: Mapping[str, Value]) -> Graph:
    """The same leaves, operations and names recorded again, from other leaf values."""
    copy = Graph(dtype=str(graph.dtype), conventions=graph.conventions)
    nodes: list[Node] = []
    for index in range(len(graph)):
        if graph.operation(index) is None:
            nodes.append(_leaf(copy, graph, index, leaves))
        else:
            nodes.append(_applied(copy, graph, index, nodes))
    return copy


def _leaf(copy: Graph, graph: Graph, index: int, leaves: Mapping[str, Value]) -> Node:
    role = graph.role(index)
    if role == "literal":
        return copy.literal(graph.recorded(index))
    name = graph.label(index)
    if role == "constant":
        return copy.constant(name, leaves[name])
    record = copy.param if role == "param" else copy.input
    return record(name, leaves[name], grad=graph.requires_grad(index))


def _applied(copy: Graph, graph: Graph, index: int, nodes: list[Node]) -> Node:
    operation = graph.operation(index)
    assert operation is not None, "leaves are recorded elsewhere"
    operands = [nodes[operand] for operand in graph.operands(index)]
    node = copy.apply(operation.name, *operands, **graph.keywords(index))
    name = graph.name_of(index)
    return node if name is None else copy.name(name, node)
