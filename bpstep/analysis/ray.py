"""The loss along the ray of gradient descent: what a step of any rate would give, and cross.

All rates are evaluated together, forward only. The point at rate 0 is the recorded one.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from bpstep.analysis.extrapolation import Floats
from bpstep.analysis.progress import advance
from bpstep.analysis.sweep import MEMORY, MOST_ROWS
from bpstep.analysis.tape import Branching, Flags, Given, Tape
from bpstep.engine.arithmetic import Array, Value
from bpstep.engine.graph import Graph

EPSILON = float(np.finfo(np.float64).eps)

GRID = 64
"""So many rates are tried first, so that a branch that changes twice is caught the first time."""

MOST_CUTS = 15
"""Rates tried at once inside the interval that holds a change of branches."""

ROUNDS = 60
"""An interval that is halved so often is as narrow as the spacing of floats."""

WORK = 50_000_000
"""Numbers evaluated at most in one round of cuts, if one cut of each interval allows it."""


@dataclass(frozen=True)
class Crossing:
    """The smallest rate at which a node takes another branch; 0 where it leaves a tie at once."""

    node: str
    rate: float


class Ray:
    """A scalar node as a function of the rate: every named leaf moves by −rate·gradient.

    ``gradients`` holds the gradient of each leaf by its number. Detached copies are rebuilt.
    """

    def __init__(self, graph: Graph, output: int, gradients: Mapping[int, Value]) -> None:
        self._tape = Tape(graph, output, held=False)
        self._gradients = gradients
        self._plan = self._tape.plan(gradients)

    def losses(self, rates: Sequence[float] | Floats) -> Floats:
        """The loss at each rate, shape (n,)."""
        wanted = np.asarray(rates, dtype=np.float64)
        parts = [self._evaluated(part, None) for part in self._parts(wanted)]
        return np.concatenate(parts) if parts else np.empty(0)

    def crossings(self, nodes: Sequence[int], rate: float) -> Mapping[int, float]:
        """For each of the nodes the smallest rate up to ``rate`` at which its branch changes.

        A node that takes the same branch at the end of the ray, or that the loss does not depend
        on, is left out; so are all at a rate that is not finite.
        """
        if not nodes or not math.isfinite(rate):
            return {}
        grid = rate * (np.arange(1, GRID + 1) / GRID)
        changed = self._changed(nodes, grid)
        low, high = {}, {}
        for node, flags in changed.items():
            if flags.any():
                first = int(np.argmax(flags))
                low[node], high[node] = grid[first - 1] if first else 0.0, grid[first]
        self._cut(low, high, EPSILON * abs(rate))
        return {node: float(high[node]) if low[node] != 0 else 0.0 for node in low}

    def _cut(self, low: dict[int, float], high: dict[int, float], narrow: float) -> None:
        """Narrow every interval down; all are cut in the same round."""
        for number in range(ROUNDS):
            advance(number, ROUNDS, "crossings")
            wide = [node for node in low if abs(high[node] - low[node]) > narrow]
            if not wide:
                return
            work = len(wide) * max(1, self._plan.operations)
            cuts = min(MOST_CUTS, max(1, WORK // work))
            inside = np.arange(1, cuts + 1) / (cuts + 1)
            rates = [low[node] + (high[node] - low[node]) * inside for node in wide]
            changed = self._changed(wide, np.concatenate(rates))
            for k, node in enumerate(wide):
                tried, flags = rates[k], changed[node][k * cuts : (k + 1) * cuts]
                first = int(np.argmax(flags)) if flags.any() else cuts
                before = (low[node], *tried)[first]
                low[node], high[node] = before, (*tried, high[node])[first]

    def _changed(self, nodes: Sequence[int], rates: Floats) -> Mapping[int, Flags]:
        """At which rates each node takes another branch than at rate 0."""
        watch = _Watched(frozenset(nodes))
        for part in self._parts(rates):
            self._evaluated(part, watch)
        return {node: np.concatenate(flags) for node, flags in watch.changed.items()}

    def _parts(self, rates: Floats) -> Sequence[Floats]:
        """The rates in parts that fit into memory."""
        rows = max(1, min(MOST_ROWS, MEMORY // (8 * max(1, self._plan.width))))
        return [rates[k : k + rows] for k in range(0, len(rates), rows)]

    def _evaluated(self, rates: Floats, watch: _Watched | None) -> Floats:
        if not self._gradients:
            return np.full(len(rates), self._tape.loss)
        wanted = np.concatenate([[0.0], rates])
        moved = {node: self._moved(node, wanted) for node in self._gradients}
        return self._tape.evaluate(self._plan, moved, watch)[1:]

    def _moved(self, node: int, rates: Floats) -> Array:
        """A leaf at every rate, rounded as a step of a program rounds it."""
        dtype = self._tape.graph.dtype
        value = np.asarray(self._tape.values[node], dtype=dtype)
        gradient = np.asarray(self._gradients[node], dtype=np.float64)
        with np.errstate(all="ignore"):
            steps = rates.reshape((-1, *(1,) * gradient.ndim)) * gradient
            return np.asarray(value - steps.astype(dtype), dtype=dtype)


class _Watched:
    """Notes at which points some nodes take another branch than at the first one."""

    def __init__(self, nodes: frozenset[int]) -> None:
        self._nodes = nodes
        self.changed: dict[int, list[Flags]] = {}

    def __call__(self, at: Branching, operands: Given, result: Array) -> None:
        """Compare the branches of one operation."""
        if at.node not in self._nodes:
            return
        codes = np.asarray(at.code(operands, result))
        codes = codes.reshape(len(codes), -1) if codes.ndim else codes.reshape(1, 1)
        # nan is a code of its own, and equal to itself.
        same = (codes == codes[:1]) | (np.isnan(codes) & np.isnan(codes[:1]))
        self.changed.setdefault(at.node, []).append(~same.all(axis=1)[1:])
