"""What one step of gradient descent would do, at several rates, without taking it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from bpstep.analysis.branches import crossed
from bpstep.analysis.forward import evaluate, recorded_values
from bpstep.engine.arithmetic import Value
from bpstep.engine.errors import GraphError
from bpstep.engine.graph import Graph
from bpstep.engine.program import Run, descended


@dataclass(frozen=True, eq=False)
class UpdateResult:
    """One step at one rate: the new parameters and the loss with them.

    ``predicted`` is the change of the loss that the gradients promise, −rate·Σg² over the updated
    parameters; ``actual`` is the change that came. ``crossed`` names the nodes whose branch changed
    on the way, in tape order.
    """

    rate: float
    params: Mapping[str, Value]
    loss: float
    predicted: float
    actual: float
    crossed: tuple[str, ...]


def update(
    run: Run, rates: Sequence[float], params: Sequence[str] | None = None
) -> tuple[UpdateResult, ...]:
    """Try each rate from the leaf values of the last forward, all parameters at once.

    The gradients are those of the last reverse pass alone; a parameter that it sent nothing stays
    as it is. ``params`` are names of leaves (default: every parameter). Raises GraphError:
    ``no-gradient`` before the first reverse pass, ``unknown-name`` for a name that is not there.
    """
    graph = run.graph
    if graph is None or not run.passes:
        raise GraphError("there is no gradient to step along before a backward", "no-gradient")
    ledger = run.passes[-1].ledger
    names = [graph.label(leaf) for leaf in graph.params()] if params is None else list(params)
    gradients = {name: ledger.own_grad(name) for name in names}
    output = graph.find(ledger.graph.label(ledger.output))
    return tuple(try_rate(graph, output, gradients, rate) for rate in rates)


def try_rate(
    graph: Graph, output: int, gradients: Mapping[str, Value | None], rate: float
) -> UpdateResult:
    """Move the named leaves by −rate times their gradients and evaluate ``output`` again."""
    before = recorded_values(graph)
    leaves = {name: before[graph.find(name)] for name in gradients}
    known = {name: gradient for name, gradient in gradients.items() if gradient is not None}
    moved = leaves | descended(leaves, known, rate, graph.dtype)
    after = evaluate(graph, {graph.find(name): value for name, value in moved.items()})
    return UpdateResult(
        rate=rate,
        params=moved,
        loss=float(after[output]),
        # Subtracted from 0.0, so that no change is 0.0 and not -0.0.
        predicted=0.0 - rate * _sum_of_squares(known.values()),
        actual=float(after[output]) - float(before[output]),
        crossed=crossed(graph, before, after),
    )


def _sum_of_squares(gradients: Iterable[Value]) -> float:
    """Σg² over all elements, added in order."""
    total = 0.0
    with np.errstate(all="ignore"):
        for gradient in gradients:
            total += float(np.sum(np.square(gradient)))
    return total
