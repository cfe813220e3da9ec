"""Reverse passes that are wrong on purpose, so that a check can be seen to catch them.

Each kind breaks one thing that a hand-written reverse pass can get wrong: how contributions are
added, which are sent, when they are sent, or with which local derivative. All else is the right
pass: the same order, the same rules, a ledger of the same form.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from bpstep.engine.arithmetic import Array, Value
from bpstep.engine.errors import GraphError, RunError
from bpstep.engine.graph import Graph
from bpstep.engine.ledger import Ledger, Steps
from bpstep.engine.operation import finish
from bpstep.engine.reverse import Edges, edges_in_order
from bpstep.engine.rules import Edge, contribution
from bpstep.engine.tensors import expand, unbroadcast, untransposed_pullback

KINDS = ("overwrite", "drop", "single_operand", "revisit", "early", "rule", "transpose")
MOST_STEPS = 1_000_000


@dataclass(frozen=True, eq=False)
class Fault:
    """What is broken, by node names.

    ``kind`` is one of KINDS. ``node`` narrows a fault to one receiver (``overwrite``, ``drop``) or
    one operation (``rule``, ``transpose``, ``single_operand``: its repeated operand); ``source``
    is the consumer whose contribution is dropped; ``op`` names an operation of the table;
    ``operand`` an operand position; ``value`` the local derivative that replaces the right one.
    """

    kind: str
    node: str | None = None
    source: str | None = None
    op: str | None = None
    operand: int | None = None
    value: Value | None = None


Sent = tuple[Value, Value | None]


def faulty_reverse(
    graph: Graph,
    output: int,
    fault: Fault,
    *,
    buffers: Mapping[int, Value] | None = None,
    stop: int | None = None,
) -> Ledger:
    """The ledger of a pass with a fault; its arguments are those of ``reverse``.

    Raises GraphError where a replaced rule does not fit the shapes, RunError (``fault-too-long``)
    where revisiting shared nodes takes more than a million steps.
    """
    broken = _Broken(graph, fault)
    pass_ = _Pass(graph, output, broken, dict(buffers or {}))
    edges = edges_in_order(graph, output)
    if fault.kind == "revisit":
        pass_.revisit(edges, stop)
    else:
        pass_.sweep(broken.kept(edges if stop is None else Edges(*(c[:stop] for c in edges))))
    return pass_.ledger()


class _Broken:
    """A fault's names looked up: what it changes in which edges."""

    def __init__(self, graph: Graph, fault: Fault) -> None:
        self.graph = graph
        self.fault = fault
        self.node = None if fault.node is None else graph.find(fault.node)
        self.source = None if fault.source is None else graph.find(fault.source)

    def kept(self, edges: Edges) -> Edges:
        """The edges that are sent at all."""
        if self.fault.kind == "drop":
            lost = (edges.source == self.source) & (edges.target == self.node)
            if self.fault.operand is not None:
                lost &= edges.operand == self.fault.operand
            return Edges(*(column[~lost] for column in edges))
        if self.fault.kind == "single_operand":
            pairs = np.stack([edges.source, edges.target], axis=1)
            _, first = np.unique(pairs, axis=0, return_index=True)
            kept = np.zeros(len(edges.source), dtype=bool)
            kept[first] = True
            if self.node is not None:
                kept |= edges.target != self.node
            return Edges(*(column[kept] for column in edges))
        return edges

    def overwrites(self, target: int) -> bool:
        """Whether a contribution replaces the receiver's buffer."""
        return self.fault.kind == "overwrite" and self.node in (None, target)

    def sent(self, edge: Edge, upstream: Value) -> Sent:
        """What an edge sends, and with which local derivative."""
        if self.fault.operand in (None, edge.operand):
            if self.fault.kind == "rule" and self._breaks_rule_of(edge):
                return self._replaced(edge, upstream)
            if self.fault.kind == "transpose" and self._breaks_product(edge):
                return self._untransposed(edge, upstream), None
        return contribution(edge, upstream)

    def _breaks_rule_of(self, edge: Edge) -> bool:
        named = self.fault.op is not None and edge.operation.name == self.fault.op
        return named or (self.node is not None and edge.source == self.node)

    def _breaks_product(self, edge: Edge) -> bool:
        return edge.operation.name == "matmul" and self.node in (None, edge.source)

    def _replaced(self, edge: Edge, upstream: Value) -> Sent:
        assert self.fault.value is not None, "a fault of kind rule has a value"
        graph, shape = self.graph, self.graph.shape(edge.target)
        local = finish(np.asarray(self.fault.value), graph.dtype)
        if edge.rule.form == "spread":
            keywords = graph.keywords(edge.source)
            axis, keepdims = keywords.get("axis"), keywords.get("keepdims", False)
            upstream = expand(upstream, axis, keepdims, shape)
        with np.errstate(all="ignore"):
            product = _fitting(edge, lambda: _filling(np.asarray(upstream * local), shape))
            sent = _fitting(edge, lambda: unbroadcast(product, shape))
        return finish(sent, graph.dtype), local

    def _untransposed(self, edge: Edge, upstream: Value) -> Value:
        a, b = (self.graph.values[i] for i in self.graph.operands(edge.source))
        with np.errstate(all="ignore"):
            sent = _fitting(edge, lambda: untransposed_pullback(upstream, a, b, edge.operand))
        if np.shape(sent) != self.graph.shape(edge.target):
            raise _misfit(edge)
        return finish(sent, self.graph.dtype)


def _filling(product: Array, shape: tuple[int, ...]) -> Array:
    """A product that is smaller than its receiver stands for each of its elements."""
    return np.broadcast_to(product, np.broadcast_shapes(product.shape, shape))


def _fitting(edge: Edge, make: Callable[[], Any]) -> Any:
    try:
        return make()
    except ValueError:
        raise _misfit(edge) from None


def _misfit(edge: Edge) -> GraphError:
    label, graph = edge.graph.label(edge.source), edge.graph
    return GraphError(
        f"the fault's contribution of {label} to {graph.label(edge.target)} does not have its"
        f" shape {graph.shape(edge.target)}",
        "shape",
    )


class _Pass:
    """A reverse pass while it runs: adjoints, and the columns of its ledger."""

    def __init__(
        self, graph: Graph, output: int, broken: _Broken, buffers: dict[int, Value]
    ) -> None:
        self.graph = graph
        self.output = output
        self.broken = broken
        self.buffers = buffers
        self.adjoints: dict[int, Value] = {**buffers, output: 1.0}
        self.first: dict[int, Value] = {output: 1.0}
        self.columns: tuple[list[Any], ...] = ([], [], [], [], [], [], [])
        self.locals: dict[tuple[int, int], Value | None] = {}

    def send(self, edge: Edge, upstream: Value) -> None:
        """One contribution arrives."""
        sent, local = self._sent(edge, upstream)
        before = self.adjoints.get(edge.target)
        if before is None or self.broken.overwrites(edge.target):
            total = sent
        else:
            with np.errstate(all="ignore"):
                total = finish(before + sent, self.graph.dtype)
        self.adjoints[edge.target] = total
        self.first.setdefault(edge.target, sent)
        entry = (edge.source, edge.operand, edge.target, upstream, local, sent, total)
        for column, value in zip(self.columns, entry, strict=True):
            column.append(value)

    def _sent(self, edge: Edge, upstream: Value) -> Sent:
        """On a tape of numbers a local derivative is looked up once, however often it is used."""
        if not self.graph.is_plain:
            return self.broken.sent(edge, upstream)
        place = (edge.source, edge.operand)
        local = self.locals.get(place)
        sent = math.nan if local is None else upstream * local
        # Conventions may settle what is not a number.
        if local is None or math.isnan(sent):
            sent, local = self.broken.sent(edge, upstream)
            self.locals[place] = local
        return sent, local

    def sweep(self, edges: Edges) -> None:
        """In tape order backwards; a fault of kind ``early`` sends on only what came first."""
        held = self.first if self.broken.fault.kind == "early" else self.adjoints
        for source, operand, target in zip(*(column.tolist() for column in edges), strict=True):
            if source in held:
                self.send(Edge(self.graph, source, operand, target), held[source])

    def revisit(self, edges: Edges, stop: int | None) -> None:
        """Depth first and without a visited set, on a stack of its own.

        With ``stop`` the pass ends where it would send that edge of the right pass.
        """
        if stop is None:
            self._refuse_endless(edges)
        outgoing, last = self._outgoing(edges, stop)
        stack = [self.output]
        while stack:
            node = stack.pop()
            upstream = self.adjoints[node]
            for edge in outgoing.get(node, []):
                if edge is last:
                    return
                self.send(edge, upstream)
            if len(self.columns[0]) > MOST_STEPS:
                raise self._too_long(node)
            stack.extend(edge.target for edge in reversed(outgoing.get(node, [])))

    def _refuse_endless(self, edges: Edges) -> None:
        """The number of steps is known beforehand: what a node sends, once for every path to it."""
        paths = {self.output: 1}
        steps = 1
        for source, target in zip(edges.source.tolist(), edges.target.tolist(), strict=True):
            steps += paths[source]
            if steps > MOST_STEPS:
                raise self._too_long(source)
            paths[target] = paths.get(target, 0) + paths[source]

    def _outgoing(
        self, edges: Edges, stop: int | None
    ) -> tuple[dict[int, list[Edge]], Edge | None]:
        """What each node sends, and the edge at which the pass has to end."""
        outgoing: dict[int, list[Edge]] = {}
        last = None
        columns = zip(*(column.tolist() for column in edges), strict=True)
        for k, (source, operand, target) in enumerate(columns):
            edge = Edge(self.graph, source, operand, target)
            outgoing.setdefault(source, []).append(edge)
            last = edge if k == stop else last
        return outgoing, last

    def _too_long(self, node: int) -> RunError:
        label = self.graph.label(node)
        return RunError(
            f"sending every shared node once for each path takes over {MOST_STEPS} steps; it was"
            f" given up at {label}",
            "fault-too-long",
            node=label,
            consumer=label,
            statement="backward",
            statement_number=1,
        )

    def ledger(self) -> Ledger:
        """What was sent, as columns of the same form as a right pass has."""
        whole = [np.array(column, dtype=np.int64) for column in self.columns[:3]]
        rest: list[Any] = list(self.columns[3:])
        if self.graph.is_plain:
            rest = [np.array(column, dtype=np.float64) for column in rest]
        expected = np.bincount(whole[2], minlength=self.output + 1)
        steps, fault = Steps(*whole, *rest), self.broken.fault
        return Ledger(self.graph, self.output, steps, expected, self.buffers, fault)
