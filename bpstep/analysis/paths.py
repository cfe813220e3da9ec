"""The paths along which a gradient arrives: their number, the largest of them, each one's share.

A path is a chain of contributions from the output to a node; an operand used twice makes two. Its
share is the contribution to the node if only that path carried upstream gradient; the shares of
all paths add to the gradient of the pass. There can be exponentially many, so they are counted
without listing them, and for scalars the largest are found without looking at the others.
"""

from __future__ import annotations

import heapq
import math
from dataclasses import dataclass

import numpy as np

from bpstep.analysis.routes import Route, Routes, every_route, largest_routes
from bpstep.engine.arithmetic import Value
from bpstep.engine.ledger import Ledger

WALKED = 100_000
"""Edges walked at most to look at every path; beyond it scalars are searched, tensors cut off."""


@dataclass(frozen=True, eq=False)
class Path:
    """One path, from the output to the node.

    ``nodes`` are labels, the output's first. ``factors`` and ``rules`` have one entry an edge: the
    local derivative (None where the rule has no elementwise form) and its formula. ``product`` is
    the path's share, in the node's shape.
    """

    nodes: tuple[str, ...]
    factors: tuple[Value | None, ...]
    rules: tuple[str, ...]
    product: Value


@dataclass(frozen=True, eq=False)
class PathsResult:
    """The paths to a node.

    ``count`` is the exact number of all paths (it can have more digits than ``str`` prints).
    ``paths`` are the largest by absolute product (for tensors: by norm; one that is not a number
    counts as largest), equal ones in the
    order in which they are sent. ``total`` is the sum over all paths, the
    gradient that the pass alone produced; None where nothing arrives. ``complete`` is False where
    only some of the paths of a tensor computation were looked at, and a larger one may exist.
    """

    node: str
    count: int
    paths: tuple[Path, ...]
    total: Value | None
    complete: bool

    @property
    def shown(self) -> int:
        """How many paths are listed."""
        return len(self.paths)


def paths(ledger: Ledger, node: str | int, limit: int = 10) -> PathsResult:
    """The ``limit`` largest paths from the output of a pass to a node.

    Raises GraphError (``unknown-name``) for a node that does not exist.
    """
    target = ledger.graph.find(node)
    routes = Routes(ledger, target)
    complete = routes.length <= WALKED or routes.scalar
    if routes.length <= WALKED:
        found = every_route(routes)
    elif routes.scalar:
        found = largest_routes(routes, limit)
    else:
        found = every_route(routes, budget=max(WALKED, 2 * len(routes.edges)))
    largest = heapq.nlargest(limit, found, key=lambda pair: _size(pair[1]))
    return PathsResult(
        node=ledger.graph.label(target),
        count=routes.count,
        paths=tuple(_path(routes, route, share) for route, share in largest),
        total=ledger.own_grad(target),
        complete=complete,
    )


def _path(routes: Routes, route: Route, share: Value) -> Path:
    """A route in words of the graph."""
    label = routes.ledger.graph.label
    return Path(
        nodes=(label(routes.ledger.output), *(label(routes.targets[k]) for k in route)),
        factors=tuple(routes.factor(k) for k in route),
        rules=tuple(routes.rule(k) for k in route),
        product=share,
    )


def _size(share: Value) -> float:
    """The norm of a share; inf where it is not a number, which is what people look for."""
    with np.errstate(all="ignore"):
        size = float(np.linalg.norm(np.ravel(share)))
    return math.inf if math.isnan(size) else size
