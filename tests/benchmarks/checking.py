"""A check of every parameter of a large scalar network against a loop over plain Python floats.

Run it as a script. It prints the processor time of a check of the 337 parameters of a 2-16-16-1
network over 100 samples (about 65,000 operations) at three step sizes, and of the same differences
by evaluating the network with Python floats: a few parameters are timed and the rest is counted.
The gradients that are checked were there before.
"""

from __future__ import annotations

import statistics
import time
from typing import Any

from recording import mean_square, samples, weights

import bpstep
from bpstep.analysis.differences import DEFAULT_STEPS, check_all

TIMED = 3
"""How many parameters the loop is timed on."""


def recorded() -> tuple[bpstep.Graph, bpstep.Node]:
    """The network on a tape."""
    graph = bpstep.Graph()
    layers = [
        [
            [graph.param(f"p{i}_{j}_{k}", v) for k, v in enumerate(row)]
            for j, row in enumerate(layer)
        ]
        for i, layer in enumerate(weights(1))
    ]
    return graph, mean_square(layers, samples(2), bpstep.relu)


def positive(x: float) -> float:
    """The ReLU of a float."""
    return x if x > 0.0 else 0.0


def by_floats(count: int, steps: tuple[float, ...]) -> tuple[float, list[float]]:
    """The central differences of the first parameters, and the seconds they took."""
    layers: Any = weights(1)
    data = samples(2)
    places = [(row, k) for layer in layers for row in layer for k in range(len(row))][:count]
    found = []
    began = time.process_time()
    for row, k in places:
        value = row[k]
        for step in steps:
            row[k] = value + step
            above = mean_square(layers, data, positive)
            row[k] = value - step
            below = mean_square(layers, data, positive)
            found.append((above - below) / (2 * step))
        row[k] = value
    return time.process_time() - began, found


def main(repeats: int = 3, steps: tuple[float, ...] | None = None) -> None:
    """Print both times and their ratio."""
    graph, loss = recorded()
    ledger = bpstep.backward(loss)
    parameters = len(graph.params())
    checks, loops = [], []
    for _ in range(repeats):
        seconds, plain = by_floats(TIMED, steps or DEFAULT_STEPS)
        loops.append(seconds * parameters / TIMED)
        began = time.process_time()
        results = check_all(graph, loss.index, steps, ledger)
        checks.append(time.process_time() - began)
        rows = [row.central for result in results[:TIMED] for row in result.rows]
        assert all(abs(a - b) <= 1e-6 * (1 + abs(a)) for a, b in zip(plain, rows, strict=True))
    ratio = statistics.median(c / p for c, p in zip(checks, loops, strict=True))
    verdicts = sorted({result.verdict for result in results})
    print(
        f"{parameters} parameters of {len(graph)} nodes: {statistics.median(checks):.2f} s with"
        f" verdicts ({', '.join(verdicts)}), {statistics.median(loops):.1f} s by Python floats,"
        f" ratio {ratio:.4f} (a twentieth is 0.05)"
    )


if __name__ == "__main__":
    main()
    main(steps=(1e-4, 1e-5, 1e-6))
