"""How values and gradients flow: for every node their size, their spread and what has died.

The figures that people plot for deep networks (means, deviations, dead and saturated shares,
update-to-weight ratios), over the elements of each node.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from bpstep.analysis.progress import STRIDE, breathing, counted
from bpstep.engine.arithmetic import Array, Value
from bpstep.engine.graph import Graph
from bpstep.engine.ledger import Ledger
from bpstep.engine.rules import Edge, local_derivative

SATURATED = 1e-3
"""A local derivative this much smaller than the operation's steepest counts as saturated."""

# The steepest local derivative of the operations that saturate.
STEEPEST = {"sigmoid": 0.25, "tanh": 1.0, "erf": 2.0 / math.sqrt(math.pi)}


@dataclass(frozen=True)
class Spread:
    """Mean, standard deviation, share of exact zeros and norm of all elements of a value."""

    mean: float
    deviation: float
    zeros: float
    norm: float


@dataclass(frozen=True)
class FlowRow:
    """One node. ``gradient`` is None where nothing arrives.

    ``saturated`` is the share of elements at which a sigmoid, tanh or erf passes on less than a
    thousandth of what it passes at its steepest (None for other operations). ``ratio`` is, for a
    parameter, the norm of one update at the report's rate over the norm of the weight.
    """

    node: str
    role: str
    shape: tuple[int, ...]
    value: Spread
    gradient: Spread | None
    saturated: float | None
    ratio: float | None


@dataclass(frozen=True)
class Flow:
    """Every node in tape order, and where the first value and contribution that is not finite is.

    ``first_value`` is a node's name; ``first_step`` the step of the pass.
    """

    rate: float
    rows: tuple[FlowRow, ...]
    first_value: str | None
    first_step: int | None


def flow(ledger: Ledger, rate: float) -> Flow:
    """The figures of one reverse pass; ``rate`` is the learning rate of the update ratios."""
    graph = ledger.graph
    nodes = graph.visible()
    rows = tuple(_row(ledger, node, rate) for node in counted(nodes, len(nodes), "nodes", STRIDE))
    bad = (graph.label(node) for node in nodes if not np.all(np.isfinite(graph.values[node])))
    return Flow(rate, rows, next(bad, None), _first_step(ledger))


def _row(ledger: Ledger, node: int, rate: float) -> FlowRow:
    graph = ledger.graph
    gradient = ledger.own_grad(node)
    value = spread(graph.values[node])
    spread_of_gradient = None if gradient is None else spread(gradient)
    ratio = None
    if graph.role(node) == "param" and spread_of_gradient is not None:
        with np.errstate(all="ignore"):
            ratio = float(np.float64(rate * spread_of_gradient.norm) / value.norm)
    return FlowRow(
        node=graph.label(node),
        role=graph.role(node),
        shape=graph.shape(node),
        value=value,
        gradient=spread_of_gradient,
        saturated=_saturated(graph, node),
        ratio=ratio,
    )


def spread(value: Value) -> Spread:
    """The figures of one value; of a tensor without elements they are nan."""
    if isinstance(value, float):
        deviation = 0.0 if math.isfinite(value) else math.nan
        return Spread(value, deviation, float(value == 0), abs(value))
    elements: Array = np.asarray(value, dtype=np.float64).reshape(-1)
    if not elements.size:
        return Spread(math.nan, math.nan, math.nan, 0.0)
    with np.errstate(all="ignore"):
        return Spread(
            mean=float(np.mean(elements)),
            deviation=float(np.std(elements)),
            zeros=float(np.mean(elements == 0)),
            norm=float(np.linalg.norm(elements)),
        )


def _saturated(graph: Graph, node: int) -> float | None:
    operation = graph.operation(node)
    if operation is None or operation.name not in STEEPEST:
        return None
    operand = graph.operands(node)[0]
    local = np.abs(local_derivative(Edge(graph, node, 0, operand)))
    return float(np.mean(local < SATURATED * STEEPEST[operation.name]))


def _first_step(ledger: Ledger) -> int | None:
    """The first step whose contribution has an element that is not finite."""
    if ledger.graph.is_plain:
        broken = np.flatnonzero(~np.isfinite(ledger.arrays()["value"]))
        return int(broken[0]) + 2 if len(broken) else None
    for step in breathing(range(2, len(ledger) + 1)):
        if not np.all(np.isfinite(ledger.value(step))):
            return step
    return None
