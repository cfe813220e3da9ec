"""Recording, reverse pass and all contributions against micrograd's gradients, in one run.

Run it as a script. It prints two ratios: on a 2-16-16-1 network over 100 samples (about 65,000
operations), ours to micrograd's, the median of alternating runs; and on chains of 250,000 to
1,000,000 operations, the time an operation, which stays level where growth is linear.
"""

from __future__ import annotations

import gc
import random
import statistics
import sys
import threading
import time
from collections.abc import Callable
from itertools import pairwise
from typing import Any

from micrograd_reference import Value

import bpstep

SIZES = (2, 16, 16, 1)
SAMPLES = 100


def weights(seed: int) -> list[list[list[float]]]:
    rng = random.Random(seed)
    return [
        [[rng.uniform(-1, 1) for _ in range(fan_in + 1)] for _ in range(fan_out)]
        for fan_in, fan_out in pairwise(SIZES)
    ]


def network(layers: Any, inputs: list[Any], relu: Callable[[Any], Any]) -> Any:
    for depth, layer in enumerate(layers):
        outputs = []
        for *w, b in layer:
            total = b
            for wi, xi in zip(w, inputs, strict=True):
                total = total + wi * xi
            outputs.append(relu(total) if depth < len(layers) - 1 else total)
        inputs = outputs
    return inputs[0]


def mean_square(layers: Any, data: list[tuple[list[float], float]], relu: Any) -> Any:
    total: Any = None
    for x, target in data:
        error = network(layers, list(x), relu) - target
        square = error * error
        total = square if total is None else total + square
    return total * (1.0 / len(data))


def samples(seed: int) -> list[tuple[list[float], float]]:
    rng = random.Random(seed)
    return [([rng.uniform(-1, 1), rng.uniform(-1, 1)], rng.uniform(-1, 1)) for _ in range(SAMPLES)]


def by_micrograd() -> float:
    layers = [[[Value(v) for v in row] for row in layer] for layer in weights(1)]
    loss = mean_square(layers, samples(2), lambda v: v.relu())
    loss.backward()
    return layers[0][0][0].grad  # type: ignore[no-any-return]


def by_bpstep() -> tuple[float, int]:
    graph = bpstep.Graph()
    layers = [
        [
            [graph.param(f"p{i}_{j}_{k}", v) for k, v in enumerate(row)]
            for j, row in enumerate(layer)
        ]
        for i, layer in enumerate(weights(1))
    ]
    loss = mean_square(layers, samples(2), bpstep.relu)
    ledger = bpstep.backward(loss)
    ledger.arrays()
    return ledger.grad("p0_0_0"), len(graph)  # type: ignore[return-value]


def timed(function: Callable[[], Any]) -> tuple[float, Any]:
    gc.collect()
    start = time.perf_counter()
    result = function()
    return time.perf_counter() - start, result


def compare(repeats: int = 9) -> None:
    by_bpstep()  # its imports are no part of recording
    ours, theirs = [], []
    for _ in range(repeats):
        seconds, (grad, nodes) = timed(by_bpstep)
        ours.append(seconds)
        seconds, reference = timed(by_micrograd)
        theirs.append(seconds)
        assert abs(grad - reference) <= 1e-12 * (1 + abs(reference)), (grad, reference)
    ratio = statistics.median(o / t for o, t in zip(ours, theirs, strict=True))
    print(
        f"network of {nodes} nodes: bpstep {statistics.median(ours) * 1e3:.0f} ms with all"
        f" contributions, micrograd {statistics.median(theirs) * 1e3:.0f} ms for gradients alone,"
        f" ratio {ratio:.3f}"
    )


def chain(operations: int) -> float:
    graph = bpstep.Graph()
    y = graph.param("x", 1.0)
    step = graph.constant("step", 1e-7)
    for _ in range(operations // 2):
        y = y * step
        y = y + step
    ledger = bpstep.backward(y)
    assert len(ledger) == operations // 2 * 2 + 1
    return ledger.grad("x")  # type: ignore[return-value]


def linear() -> None:
    per_operation = []
    for operations in (250_000, 500_000, 1_000_000):
        seconds, _ = timed(lambda n=operations: chain(n))  # type: ignore[misc]
        per_operation.append(seconds / operations)
        print(f"chain of {operations:>9,} operations: {seconds / operations * 1e6:.2f} µs each")
    growth = per_operation[-1] / per_operation[0]
    print(f"growth from 250,000 to 1,000,000: {growth:.2f} (1 is linear)")


if __name__ == "__main__":
    # micrograd's sort recurses once a node of the longest path.
    sys.setrecursionlimit(1_000_000)
    threading.stack_size(512 * 1024 * 1024)
    for job in (compare, linear):
        thread = threading.Thread(target=job)
        thread.start()
        thread.join()
