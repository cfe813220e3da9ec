"""The reverse pass: the tape backwards, every contribution added where it arrives.

Reverse order is tape order backwards, so no sort and no recursion is needed. A node that has
received everything sends to its operands in ascending position. ``reverse`` gives the ledger.
"""

from __future__ import annotations

import reprlib
from collections.abc import Mapping
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from bpstep.engine.arithmetic import Array, Value
from bpstep.engine.errors import GraphError
from bpstep.engine.graph import Graph, Node
from bpstep.engine.ledger import Ledger, Steps
from bpstep.engine.operation import finish
from bpstep.engine.ops import CODES, TABLE
from bpstep.engine.rules import Edge, contribution, local_derivative, locals_of_kind, masked

DETACH = CODES["detach"]


def backward(output: Node) -> Ledger:
    """Run the reverse pass from a scalar node and return its ledger of contributions.

    Raises GraphError: ``loss-not-scalar`` where the node's shape is not (), ``no-gradient`` where
    it depends on no leaf with a gradient, ``argument`` where it is no node.
    """
    check_loss(output)
    return reverse(output.graph, output.index)


def check_loss(output: Node) -> None:
    """Raise GraphError where this is no node, or nothing can be differentiated from it."""
    if not isinstance(output, Node):
        raise GraphError(f"a recorded node is meant, not {reprlib.repr(output)}", "argument")
    check_output(output.graph, output.index)


def check_output(graph: Graph, output: int) -> None:
    """Raise GraphError where nothing can be differentiated from this node."""
    if graph.shape(output) != ():
        raise GraphError(
            f"{graph.label(output)} has shape {graph.shape(output)}: only a scalar, of shape (),"
            " has a gradient",
            "loss-not-scalar",
        )
    if not graph.requires_grad(output):
        raise GraphError(f"{graph.label(output)} depends on no leaf with a gradient", "no-gradient")


def reverse(
    graph: Graph,
    output: int,
    *,
    buffers: Mapping[int, Value] | None = None,
    open_detach: bool = False,
    stop: int | None = None,
) -> Ledger:
    """The ledger of one pass from a scalar node whose adjoint is seeded with 1.

    ``buffers`` are leaves' gradients from earlier passes, which running sums start from;
    ``open_detach`` differentiates through every detach; ``stop`` ends the pass after that many
    contributions.
    """
    edges = edges_in_order(graph, output, open_detach=open_detach)
    expected = np.bincount(edges.target, minlength=output + 1)
    if stop is not None:
        edges = Edges(*(column[:stop] for column in edges))
    adjoints: list[Value | None] = [None] * (output + 1)
    for leaf, value in (buffers or {}).items():
        if leaf <= output:
            adjoints[leaf] = value
    adjoints[output] = 1.0
    sweep = _sweep_floats if graph.is_plain else _sweep_values
    steps = sweep(graph, adjoints, edges)
    return Ledger(graph, output, steps, expected, buffers or {})


class Edges(NamedTuple):
    """Every contribution of a pass, in order: flat arrays of node numbers and positions."""

    source: Array
    operand: Array
    target: Array


def edges_in_order(graph: Graph, output: int, *, open_detach: bool = False) -> Edges:
    """What a pass from ``output`` sends: consumers backwards, operands of each in order."""
    tape = graph.columns()
    count = int(np.searchsorted(tape.consumer, output, side="right"))
    consumer, operand_node = tape.consumer[:count], tape.operand[:count]
    position = np.arange(count) - tape.first[consumer]
    needs = _opened_needs(graph) if open_detach else tape.needs
    kept = needs[consumer] & needs[operand_node]
    kept &= _differentiable(tape.code[consumer], position, open_detach)
    backwards = np.flatnonzero(kept)[np.argsort(-consumer[kept], kind="stable")]
    found = Edges(consumer[backwards], position[backwards], operand_node[backwards])
    return _reachable(found, output)


def _opened_needs(graph: Graph) -> Array:
    """Which nodes would require a gradient with every detach opened."""
    needs = graph.columns().needs.tolist()
    for node in range(len(graph)):
        row = graph.operation(node)
        if row is not None and (row.records or row.name == "detach"):
            needs[node] = any(needs[i] for i in graph.operands(node))
    return np.array(needs, dtype=bool)


def _differentiable(codes: Array, position: Array, open_detach: bool) -> Array:
    """Which operand positions have a derivative rule: not the condition of ``where``."""
    allowed = np.ones(len(codes), dtype=bool)
    for code in set(codes.tolist()):
        row = TABLE[code]
        if not row.records:
            allowed[codes == code] = open_detach and code == DETACH
        for place, rule in enumerate(row.rules):
            if rule is None:
                allowed[(codes == code) & (position == place)] = False
    return allowed


def _reachable(edges: Edges, output: int) -> Edges:
    """Only the edges of nodes that something arrives at: the rest of the tape is silent."""
    reached = np.zeros(output + 1, dtype=bool)
    reached[output] = True
    arrives = reached.copy()
    arrives[edges.target] = True
    # Consumers come in falling order: if each but the output receives, each is reached.
    if arrives[edges.source].all():
        return edges
    kept = np.zeros(len(edges.source), dtype=bool)
    for k, (source, target) in enumerate(
        zip(edges.source.tolist(), edges.target.tolist(), strict=True)
    ):
        if reached[source]:
            reached[target] = kept[k] = True
    return Edges(*(column[kept] for column in edges))


def _sweep_floats(graph: Graph, adjoints: list[Any], edges: Edges) -> Steps:
    """The sweep over Python floats: local derivatives by kind first, then additions in order.

    Upstream gradients and contributions are derived afterwards over whole arrays: a product of
    two floats has the same bits in either place.
    """
    local = local_derivatives(graph, edges)
    # Nothing has arrived yet: −0.0 is what leaves every number as it is when added to it.
    start = [-0.0 if adjoint is None else adjoint for adjoint in adjoints]
    sums = start.copy()
    settled: dict[int, float] = {}
    running = np.array(_added(sums, edges, local))
    if np.isnan(running).any():
        sums = start
        running, settled = _settled(graph, sums, edges, local)
    upstream = np.array(sums)[edges.source]
    with np.errstate(all="ignore"):
        value = upstream * local
    value[list(settled)] = list(settled.values())
    return Steps(*edges, upstream, local, value, running)


def _added(sums: list[float], edges: Edges, local: Array) -> list[float]:
    """Every contribution added to its receiver's sum, in order; the sums on the way."""
    running: list[float] = []
    arrive = running.append
    for source, target, slope in zip(
        edges.source.tolist(), edges.target.tolist(), local.tolist(), strict=True
    ):
        sums[target] = total = sums[target] + sums[source] * slope
        arrive(total)
    return running


def _settled(
    graph: Graph, sums: list[float], edges: Edges, local: Array
) -> tuple[Array, dict[int, float]]:
    """The same where a product is nan; also what the conventions make of each such product."""
    running = np.empty(len(local))
    settled: dict[int, float] = {}
    for k, (source, target, slope) in enumerate(
        zip(edges.source.tolist(), edges.target.tolist(), local.tolist(), strict=True)
    ):
        sent = sums[source] * slope
        if sent != sent:
            sent = settled[k] = _settle(graph, edges, k, sums[source], slope)
        sums[target] = running[k] = sums[target] + sent
    return running, settled


def _settle(graph: Graph, edges: Edges, k: int, upstream: float, slope: float) -> float:
    """A nan product as the conventions have it."""
    edge = Edge(graph, *(int(column[k]) for column in edges))
    return float(masked(edge, upstream, slope, upstream * slope))


def _sweep_values(graph: Graph, adjoints: list[Any], edges: Edges) -> Steps:
    """The sweep over tensors, and over floats that are rounded to float32."""
    columns: tuple[list[Any], ...] = ([], [], [], [])
    for source, operand, target in zip(*(column.tolist() for column in edges), strict=True):
        upstream = adjoints[source]
        sent, local = contribution(Edge(graph, source, operand, target), upstream)
        before = adjoints[target]
        with np.errstate(all="ignore"):
            total = sent if before is None else finish(before + sent, graph.dtype)
        adjoints[target] = total
        for column, entry in zip(columns, (upstream, local, sent, total), strict=True):
            column.append(entry)
    return Steps(*edges, *columns)


def local_derivatives(graph: Graph, edges: Edges) -> Array:
    """The local derivative of every edge of a scalar tape, one kind of edge at a time."""
    tape = graph.columns()
    values = np.array(graph.values)

    def column(sources: Array, name: str) -> Array:
        nodes = sources if name == "y" else tape.operand[tape.first[sources] + "ab".index(name)]
        return np.asarray(values[nodes])

    local = np.empty(len(edges.source))
    kinds = tape.code[edges.source] * _PLACES + np.minimum(edges.operand, _PLACES - 1)
    for kind in set(kinds.tolist()):
        chosen = np.flatnonzero(kinds == kind)
        edge = Edge(graph, *(int(each[chosen[0]]) for each in edges))
        if _over_arrays(edge) and not graph.overwritten:
            local[chosen] = locals_of_kind(edge, partial(column, edges.source[chosen]))
        else:
            local[chosen] = [_one_local(graph, edges, k) for k in chosen.tolist()]
    return local


# Operand positions that have kinds of their own; those beyond share the last one's rule.
_PLACES = 4


def _over_arrays(edge: Edge) -> bool:
    """Whether one call over arrays gives the same bits as a call an edge."""
    rule = edge.rule
    reads = {*rule.reads, *(rule.kink.reads if rule.kink else ())}
    plain = not edge.operation.keywords and reads <= {"a", "b", "y"}
    return plain and rule.form == "local" and rule.exact


def _one_local(graph: Graph, edges: Edges, k: int) -> float:
    return float(local_derivative(Edge(graph, *(int(column[k]) for column in edges))))
