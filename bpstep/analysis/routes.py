"""Chains of contributions from a pass's output to one node: counted, listed, searched.

A route is a tuple of edges. An edge is numbered as its contribution is (0 is the first after the
seed). Nothing recurses, and nothing but ``every_route`` takes time that grows with the number of
routes.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterator
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from bpstep.analysis.progress import breathing, counted
from bpstep.engine.arithmetic import Array, Value
from bpstep.engine.ledger import Ledger
from bpstep.engine.rules import Edge, contribution

Route = tuple[int, ...]
Flags = NDArray[np.bool_]

_QUEUE = 4096


class Routes:
    """The contributions of a ledger that lie on a route to ``target``.

    ``edges`` are their indices in order of arrival, ``sending`` the same by sender. With ``cut``,
    which tells the contributions that a detach keeps from arriving, only routes through at least
    one of these count: every node is there twice, before the first such edge and behind it.
    """

    def __init__(self, ledger: Ledger, target: int, cut: Flags | None = None) -> None:
        self.ledger = ledger
        self.nodes = ledger.output + 1
        self.target = target if cut is None else target + self.nodes
        self.sources, self.targets = self._twice(cut)
        self.edges = self._leading_to(self.target)
        self.sending: dict[int, list[int]] = {}
        for k in self.edges:
            self.sending.setdefault(self.sources[k], []).append(k)
        self.count, self.length = self._totals()
        self._rules: dict[int, str] = {}

    def _twice(self, cut: Flags | None) -> tuple[list[int], list[int]]:
        """Where each edge begins and ends; those before the first cut edge, then those behind."""
        sources, targets = self.ledger.sources, self.ledger.targets
        if cut is not None:
            before = np.where(cut, targets + self.nodes, targets)
            sources = np.concatenate([sources, sources + self.nodes])
            targets = np.concatenate([before, targets + self.nodes])
        return sources.tolist(), targets.tolist()

    def _leading_to(self, target: int) -> list[int]:
        """A node sends after it has received: backwards, every sender is known in time."""
        leading = {target}
        found = []
        for k in breathing(range(len(self.targets) - 1, -1, -1)):
            if self.targets[k] in leading:
                leading.add(self.sources[k])
                found.append(k)
        return self._reached(found[::-1])

    def _reached(self, edges: list[int]) -> list[int]:
        """Those that something arrives at: before the first cut edge much is out of reach."""
        reached = {self.ledger.output}
        kept = []
        for k in edges:
            if self.sources[k] in reached:
                reached.add(self.targets[k])
                kept.append(k)
        return kept

    def _totals(self) -> tuple[int, int]:
        """The number of routes and the sum of their lengths, each node's from its senders'."""
        counts, lengths = {self.ledger.output: 1}, {self.ledger.output: 0}
        for source, edges in breathing(self.sending.items()):
            # Counts may have a million bits: they are dropped once they are passed on.
            count, length = counts.pop(source), lengths.pop(source)
            for k in edges:
                receiver = self.targets[k]
                counts[receiver] = counts.get(receiver, 0) + count
                lengths[receiver] = lengths.get(receiver, 0) + length + count
        return counts.get(self.target, 0), lengths.get(self.target, 0)

    @cached_property
    def scalar(self) -> bool:
        """Whether every node on a route is a number, so that a share is a product."""
        shape = self.ledger.graph.shape
        if self.ledger.graph.is_plain:
            return True
        return all(shape(node % self.nodes) == () for node in (self.target, *self.sending))

    def entry(self, k: int) -> int:
        """The contribution in the ledger that is sent along an edge."""
        return k % len(self.ledger.sources)

    def edge(self, k: int) -> Edge:
        """The operand position that a contribution travelled along."""
        entry, ledger = self.entry(k), self.ledger
        source, target = int(ledger.sources[entry]), int(ledger.targets[entry])
        return Edge(ledger.graph, source, int(ledger.operands[entry]), target)

    def receiver(self, k: int) -> str:
        """The label of the node that an edge leads to."""
        return self.ledger.graph.label(self.targets[k] % self.nodes)

    def carry(self, k: int, upstream: Value) -> Value:
        """What an edge would send for another upstream gradient than it got."""
        if self._factors is not None and isinstance(upstream, float):
            sent = upstream * self._factors[self.entry(k)]
            if not math.isnan(sent):
                return sent
        elif isinstance(upstream, np.ndarray):
            product = self._elementwise(k, upstream)
            if product is not None:
                return product
        # Conventions may settle what is not a number.
        return contribution(self.edge(k), upstream)[0]

    def _elementwise(self, k: int, upstream: Array) -> Array | None:
        """The product with a recorded local derivative of the receiver's own shape, if finite."""
        local, shape = self.factor(k), self.ledger.graph.shape(self.targets[k] % self.nodes)
        if local is None or upstream.shape != shape or np.shape(local) not in ((), shape):
            return None
        with np.errstate(all="ignore"):
            sent: Array = upstream * local
        return sent if np.isfinite(sent).all() else None

    @cached_property
    def _factors(self) -> list[float] | None:
        """All local derivatives of a tape of float64 numbers; None for any other."""
        if not self.ledger.graph.is_plain:
            return None
        factors: list[float] = self.ledger.arrays()["local"].tolist()
        return factors

    def factor(self, k: int) -> Value | None:
        """The local derivative of an edge; None where its rule has no elementwise form."""
        return self.ledger.local(self.entry(k) + 2)

    def rule(self, k: int) -> str:
        """The rule of an edge as a formula; routes share most of theirs, so each is made once."""
        entry = self.entry(k)
        if entry not in self._rules:
            self._rules[entry] = self.edge(k).text
        return self._rules[entry]

    def share(self, route: Route) -> Value:
        """The contribution at the end of a route that alone carries upstream gradient."""
        value: Value = 1.0
        for k in route:
            value = self.carry(k, value)
        return value


def every_route(routes: Routes, budget: int | None = None) -> Iterator[tuple[Route, Value]]:
    """Each route with its share, depth first in order of arrival.

    ``budget`` ends the walk after that many edges, those of the routes found included.
    """
    output, left = routes.ledger.output, math.inf if budget is None else budget
    if output == routes.target:
        yield (), 1.0
        return
    trail: list[int] = []
    values: list[Value] = [1.0]
    stack = [iter(routes.sending.get(output, ()))]
    while stack and left > 0:
        k = next(stack[-1], None)
        if k is None:
            stack.pop()
            values.pop()
            del trail[-1:]
            continue
        left -= 1
        value, receiver = routes.carry(k, values[-1]), routes.targets[k]
        if receiver == routes.target:
            left -= len(trail)
            yield (*trail, k), value
            continue
        trail.append(k)
        values.append(value)
        stack.append(iter(routes.sending[receiver]))


def largest_routes(routes: Routes, limit: int) -> Iterator[tuple[Route, Value]]:
    """The ``limit`` largest routes of a scalar computation by |product|, largest first.

    The best way on from every node is known exactly, so the best route is read off, and each
    further one is the best that leaves a known one at some place (Lawler, "A procedure for
    computing the k best solutions", 1972). The time grows with their length, not their number.
    """
    search = _Search(routes)
    route, free = search.best_from(routes.ledger.output), 0
    queue: list[tuple[float, int, Route, int, int]] = []
    serial = 0
    wanted = min(limit, routes.count)
    for _ in counted(range(wanted), wanted, "paths"):
        yield route, routes.share(route)
        for size, place, k in search.deviations(route, free):
            serial += 1
            heapq.heappush(queue, (-size, serial, route, place, k))
            if len(queue) > _QUEUE + 2 * limit:
                queue = heapq.nsmallest(limit, queue)
        if not queue:
            return
        _, _, known, place, k = heapq.heappop(queue)
        route, free = (*known[:place], k, *search.best_from(routes.targets[k])), place + 1


class _Search:
    """The size of every edge and of the best way on from every node, as logarithms.

    A factor that is not finite counts as larger than all, also beside a zero.
    """

    def __init__(self, routes: Routes) -> None:
        self._routes = routes
        self._size = {k: _log(routes.carry(k, 1.0)) for k in routes.edges}
        self._best = {routes.target: 0.0}
        self._choice: dict[int, int] = {}
        for k in breathing(reversed(routes.edges)):
            source = routes.sources[k]
            size = _plus(self._size[k], self._best[routes.targets[k]])
            if source not in self._choice or size >= self._best[source]:
                self._best[source], self._choice[source] = size, k

    def best_from(self, node: int) -> Route:
        """The largest way on from a node to the target."""
        route = []
        while node != self._routes.target:
            route.append(self._choice[node])
            node = self._routes.targets[route[-1]]
        return tuple(route)

    def deviations(self, route: Route, free: int) -> Iterator[tuple[float, int, int]]:
        """Ways to leave a route from place ``free`` on: (size of the best such, place, edge)."""
        routes, before = self._routes, 0.0
        for place, taken in enumerate(route):
            if place >= free:
                for k in routes.sending[routes.sources[taken]]:
                    if k != taken:
                        size = _plus(self._size[k], self._best[routes.targets[k]])
                        yield _plus(before, size), place, k
            before = _plus(before, self._size[taken])


def _log(factor: Value) -> float:
    """log2 |factor|, of inf and nan inf."""
    size = abs(float(factor))
    if not math.isfinite(size):
        return math.inf
    return math.log2(size) if size else -math.inf


def _plus(a: float, b: float) -> float:
    """The logarithm of a product; what is not finite wins over a zero."""
    return math.inf if math.inf in (a, b) else a + b
