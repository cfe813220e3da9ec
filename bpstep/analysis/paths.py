"""The paths along which a gradient arrives: their number, the largest of them, each one's share.

A path is a chain of contributions from the output to a node; an operand used twice makes two. Its
share is the contribution to the node if only that path carried upstream gradient; the shares of
all paths add to the gradient of the pass. There can be exponentially many, so they are counted
without listing them, and for scalars the largest are found without looking at the others.

The paths are those of the recorded graph, also where the pass has a fault: their sum is then what
should have arrived. A path through a detach is a ghost: it is listed apart, and adds to nothing.
"""

from __future__ import annotations

import heapq
import math
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from bpstep.analysis.progress import breathing
from bpstep.analysis.routes import Route, Routes, every_route, largest_routes
from bpstep.engine.arithmetic import Value
from bpstep.engine.ledger import Ledger
from bpstep.engine.reverse import DETACH, reverse

WALKED = 100_000
"""Edges walked at most to look at every path; beyond it scalars are searched, tensors cut off."""

AGREEMENT = {np.dtype(np.float64): 1e-9, np.dtype(np.float32): 1e-4}
"""How far the sum of the shares may be from the gradient, relative to the sum of their sizes."""


@dataclass(frozen=True)
class PathEdge:
    """One edge of a path: ``source`` sends to ``target``.

    ``factor`` is the local derivative (None where the rule has no elementwise form), ``rule`` its
    formula. ``cut``: ``source`` is a detach, and nothing is sent in earnest.
    """

    source: str
    target: str
    factor: Value | None
    rule: str
    cut: bool


@dataclass(frozen=True, eq=False)
class Path:
    """One path, from the output to the node; ``product`` is its share, in the node's shape.

    Its nodes and factors are looked up when they are asked for: a path can have a million.
    """

    product: Value
    _routes: Routes
    _route: Route

    @property
    def length(self) -> int:
        """The number of edges."""
        return len(self._route)

    def edge(self, place: int) -> PathEdge:
        """The edge at a place, 0 being the output's."""
        routes, k = self._routes, self._route[place]
        edge = routes.edge(k)
        return PathEdge(
            source=edge.graph.label(edge.source),
            target=routes.receiver(k),
            factor=routes.factor(k),
            rule=routes.rule(k),
            cut=edge.operation.name == "detach",
        )

    def carries(self, source: int, operand: int) -> bool:
        """Whether it leads from a node of the tape, by number, to its operand at a position."""
        routes, route = self._routes, self._route
        # An operand is older than its consumer: the numbers on a path only fall.
        place = bisect_left(route, -source, key=lambda k: -(routes.sources[k] % routes.nodes))
        if place == len(route) or routes.sources[route[place]] % routes.nodes != source:
            return False
        return int(routes.ledger.operands[routes.entry(route[place])]) == operand

    def arrived(self, ledger: Ledger, step: int) -> bool | None:
        """Whether its last edge has been sent after so many steps; None where that is not known.

        It is known of the pass that the path was found in: not of one with a fault.
        """
        if self._routes.ledger is not ledger or not self._route:
            return None
        return self._routes.entry(self._route[-1]) + 2 <= step

    @cached_property
    def nodes(self) -> tuple[str, ...]:
        """The labels of all its nodes, the output's first."""
        ledger = self._routes.ledger
        return (ledger.graph.label(ledger.output), *map(self._routes.receiver, self._route))

    @cached_property
    def factors(self) -> tuple[Value | None, ...]:
        """The local derivative of each edge; None where its rule has no elementwise form."""
        return tuple(map(self._routes.factor, self._route))

    @cached_property
    def rules(self) -> tuple[str, ...]:
        """The rule of each edge as a formula."""
        return tuple(map(self._routes.rule, self._route))


@dataclass(frozen=True, eq=False)
class PathsResult:
    """The paths to a node.

    ``count`` is the exact number of all paths (it can have more digits than ``str`` prints).
    ``paths`` are the largest by absolute product (for tensors: by norm; one that is not a number
    counts as largest), equal ones in the order in which they are sent. ``total`` is the sum over
    all paths, None where there is none, and ``gradient`` what the pass alone produced; ``agree``
    says whether they are the same up to rounding. ``complete`` is False where only some of the
    paths of a tensor computation were looked at, and a larger one may exist. ``ghosts`` are the
    largest of the ``ghost_count`` paths through a detach.
    """

    node: str
    count: int
    paths: tuple[Path, ...]
    total: Value | None
    gradient: Value | None
    agree: bool
    complete: bool
    ghosts: tuple[Path, ...] = ()
    ghost_count: int = 0

    @property
    def shown(self) -> int:
        """How many paths are listed."""
        return len(self.paths)


def paths(ledger: Ledger, node: str | int, limit: int = 10) -> PathsResult:
    """The ``limit`` largest paths from the output of a pass to a node.

    Raises GraphError (``unknown-name``) for a node that does not exist.
    """
    graph, target = ledger.graph, ledger.graph.find(node)
    right = ledger if ledger.fault is None else reverse(graph, ledger.output)
    found = _found(Routes(right, target), limit)
    gradient = ledger.own_grad(target)
    total = right.own_grad(target) if found.shares is None else _sum(found.shares)
    ghosts = _ghosts(ledger, target, limit)
    return PathsResult(
        node=graph.label(target),
        count=found.count,
        paths=found.largest,
        total=total,
        gradient=gradient,
        agree=_agree(total, gradient, found.shares, AGREEMENT[graph.dtype]),
        complete=found.complete,
        ghosts=ghosts.largest,
        ghost_count=ghosts.count,
    )


@dataclass(frozen=True, eq=False)
class _Found:
    """What was found of the routes: ``shares`` of all of them, where all were looked at."""

    count: int
    largest: tuple[Path, ...]
    shares: Sequence[Value] | None
    complete: bool


def _found(routes: Routes, limit: int) -> _Found:
    """The number of routes and the largest; all shares where they are few enough."""
    shares: list[Value] | None = None
    found: Iterable[tuple[Route, Value]]
    if routes.length <= WALKED:
        found = list(breathing(every_route(routes)))
        shares = [share for _, share in found]
    elif routes.scalar:
        found = largest_routes(routes, limit)
    else:
        found = breathing(every_route(routes, budget=max(WALKED, len(routes.edges))))
    largest = heapq.nlargest(limit, found, key=lambda pair: _size(pair[1]))
    return _Found(
        count=routes.count,
        largest=tuple(Path(share, routes, route) for route, share in largest),
        shares=shares,
        complete=shares is not None or routes.scalar,
    )


def _ghosts(ledger: Ledger, target: int, limit: int) -> _Found:
    """The routes of the same pass with every detach opened that lead through one."""
    codes = ledger.graph.columns().code
    if not (codes == DETACH).any():
        return _Found(0, (), (), True)
    opened = reverse(ledger.graph, ledger.output, open_detach=True)
    return _found(Routes(opened, target, codes[opened.sources] == DETACH), limit)


def _sum(shares: Iterable[Value]) -> Value | None:
    """All shares added in order; None of none."""
    total: Value | None = None
    with np.errstate(all="ignore"):
        for share in shares:
            total = share if total is None else total + share
    return total


def _agree(
    total: Value | None, gradient: Value | None, shares: Sequence[Value] | None, tolerance: float
) -> bool:
    """Whether the shares add to the gradient, up to the rounding of their sum."""
    if total is None or gradient is None:
        return total is gradient
    with np.errstate(all="ignore"):
        sizes: Iterator[Value] = (np.abs(share) for share in shares or (total, gradient))
        bound = tolerance * np.asarray(_sum(sizes))
        near = np.abs(np.asarray(total) - np.asarray(gradient)) <= bound
        same = np.isclose(total, gradient, rtol=0.0, atol=0.0, equal_nan=True)
    return bool(np.all(near | same))


def _size(share: Value) -> float:
    """The norm of a share; inf where it is not a number, which is what people look for."""
    with np.errstate(all="ignore"):
        size = float(np.linalg.norm(np.ravel(share)))
    return math.inf if math.isnan(size) else size


def effort(ledger: Ledger, node: str | int) -> int:
    """About how many edges ``paths`` will walk, found without walking them.

    Raises GraphError (``unknown-name``) for a node that does not exist.
    """
    routes = Routes(ledger, ledger.graph.find(node))
    return len(routes.edges) + min(routes.length, WALKED)
