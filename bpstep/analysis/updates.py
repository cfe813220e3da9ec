"""What one step of gradient descent would do, at several rates, without taking it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from bpstep.analysis.branches import crossed
from bpstep.analysis.extrapolation import Floats
from bpstep.analysis.forward import evaluate, recorded_values
from bpstep.analysis.ray import Crossing, Ray
from bpstep.engine.arithmetic import Value, divide
from bpstep.engine.errors import GraphError
from bpstep.engine.graph import Graph
from bpstep.engine.program import Run, descended


@dataclass(frozen=True, eq=False)
class UpdateResult:
    """One step at one rate: the new parameters and the loss with them.

    ``predicted`` is the change of the loss that the gradients promise, −rate·Σg² over the updated
    parameters; ``actual`` is the change that came. ``crossed`` names the nodes whose branch changed
    on the way, in tape order; ``crossings`` at which rate, in that order.
    """

    rate: float
    params: Mapping[str, Value]
    loss: float
    predicted: float
    actual: float
    crossed: tuple[str, ...]
    crossings: tuple[Crossing, ...] = ()

    @property
    def ratio(self) -> float:
        """The actual change over the predicted one: 1 for a small step; nan where none is."""
        return divide(self.actual, self.predicted)


@dataclass(frozen=True, eq=False)
class LossCurve:
    """The loss along the ray of gradient descent: ``losses`` at ``rates``, both of shape (n,).

    ``slope`` is −Σg², the slope at rate 0 that the gradients promise.
    """

    rates: Floats
    losses: Floats
    slope: float


def update(
    run: Run, rates: Sequence[float], params: Sequence[str] | None = None
) -> tuple[UpdateResult, ...]:
    """Try each rate from the leaf values of the last forward, all parameters at once.

    The gradients are those of the last reverse pass alone; a parameter that it sent nothing stays
    as it is. ``params`` are names of leaves (default: every parameter). Raises GraphError:
    ``no-gradient`` before the first reverse pass, ``unknown-name`` for a name that is not there.
    """
    graph, output, gradients = _descent(run, params)
    ray = _ray(graph, output, gradients)
    return tuple(
        _with_crossings(ray, graph, try_rate(graph, output, gradients, rate)) for rate in rates
    )


def curve(run: Run, rates: Sequence[float], params: Sequence[str] | None = None) -> LossCurve:
    """The loss at each rate, for a plot; arguments and errors are those of ``update``."""
    graph, output, gradients = _descent(run, params)
    losses = _ray(graph, output, gradients).losses(rates)
    known = (gradient for gradient in gradients.values() if gradient is not None)
    return LossCurve(np.asarray(rates, dtype=np.float64), losses, 0.0 - _sum_of_squares(known))


def _descent(
    run: Run, params: Sequence[str] | None
) -> tuple[Graph, int, Mapping[str, Value | None]]:
    """The tape to step on, its output, and the last pass's gradient of each leaf by name."""
    graph = run.graph
    if graph is None or not run.passes:
        raise GraphError("there is no gradient to step along before a backward", "no-gradient")
    ledger = run.passes[-1].ledger
    names = [graph.label(leaf) for leaf in graph.params()] if params is None else list(params)
    gradients = {name: ledger.own_grad(name) for name in names}
    return graph, graph.find(ledger.graph.label(ledger.output)), gradients


def _ray(graph: Graph, output: int, gradients: Mapping[str, Value | None]) -> Ray:
    known = {graph.find(name): each for name, each in gradients.items() if each is not None}
    return Ray(graph, output, known)


def _with_crossings(ray: Ray, graph: Graph, result: UpdateResult) -> UpdateResult:
    """At which rate each of the crossed branches changes, the first one first."""
    found = ray.crossings([graph.find(name) for name in result.crossed], result.rate)
    crossings = (Crossing(graph.label(node), rate) for node, rate in found.items())
    return replace(result, crossings=tuple(sorted(crossings, key=lambda it: abs(it.rate))))


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
