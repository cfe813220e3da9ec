"""Random reverse passes, right ones and ones with a fault, and how the audit judges them.

What is wrong in a faulty pass is told by comparing it with the right one, which the audit never
sees. The figures over many graphs come from ``tests/benchmarks/measure_audit.py``.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from random_graphs import Computation, random_computation

from bpstep.analysis.audit import audit
from bpstep.engine.errors import BpstepError
from bpstep.engine.faults import Fault, faulty_reverse
from bpstep.engine.graph import Graph
from bpstep.engine.ledger import Ledger
from bpstep.engine.ops import OPERATIONS
from bpstep.engine.reverse import reverse

SMOOTH = [row.name for row in OPERATIONS.values() if row.records and row.branch is None]
SCALAR_SMOOTH = [name for name in SMOOTH if name not in {"matmul", "concat", "index", "dot"}]
SEEN = 1e-4
"""A fault counts where it changes some leaf's gradient by more than this, relative."""


@dataclass(frozen=True)
class Sort:
    """A sort of random graphs."""

    name: str
    tensors: bool = False
    smooth: bool = False
    ties: bool = False
    products: bool = False
    dtype: str = "float64"


SORTS = (
    Sort("smooth numbers", smooth=True),
    Sort("numbers with kinks", ties=True),
    Sort("smooth tensors", tensors=True, smooth=True),
    Sort("tensors with kinks", tensors=True, ties=True),
    Sort("float32 numbers", ties=True, dtype="float32"),
    Sort("float32 tensors", tensors=True, ties=True, dtype="float32"),
)


def graphs(sort: Sort, seed: int) -> Iterator[tuple[Graph, int, np.random.Generator]]:
    """Random graphs with a finite loss, without end, each with the generator that made it."""
    for number in itertools.count():
        rng = np.random.default_rng([seed, number])
        made = _products(rng) if sort.products else _anything(sort, rng)
        graph, nodes = made.record(sort.dtype)
        loss = nodes[-1].index
        for node in nodes[len(made.leaves) :]:
            graph.name(f"n{node.index}", node)
        if graph.requires_grad(loss) and abs(float(graph.values[loss])) < 1e6:
            yield graph, loss, rng


def count_edges(ledger: Ledger) -> int:
    """Contributions of a pass."""
    return len(ledger) - 1


@dataclass
class Quiet:
    """Right passes that were audited, and those of them that were accused."""

    passes: int = 0
    edges: int = 0
    accused: int = 0


def measure_quiet(sort: Sort, count: int, seed: int = 1) -> Quiet:
    """Audit right passes."""
    found = Quiet()
    for graph, loss, _ in itertools.islice(graphs(sort, seed), count):
        ledger = reverse(graph, loss)
        found.passes += 1
        found.edges += count_edges(ledger)
        found.accused += bool(audit(graph, ledger))
    return found


def _anything(sort: Sort, rng: np.random.Generator) -> Computation:
    names = None
    if sort.smooth:
        names = SMOOTH if sort.tensors else SCALAR_SMOOTH
    made = random_computation(rng, int(rng.integers(4, 16)), tensors=sort.tensors, names=names)
    if not sort.ties:
        made.leaves = [rng.normal(size=np.shape(leaf)) for leaf in made.leaves]
    return made


def _products(rng: np.random.Generator) -> Computation:
    """Products of square matrices and vectors, some of them bent."""
    size = int(rng.integers(2, 4))
    made = Computation([rng.normal(size=(size, size)) for _ in range(3)])
    last = 0
    for _ in range(int(rng.integers(2, 6))):
        nodes = len(made.leaves) + len(made.steps)
        pair = (last, int(rng.integers(nodes)))
        made.steps.append(("matmul", pair if rng.random() < 0.5 else pair[::-1], {}))
        made.steps.append((str(rng.choice(["tanh", "sin", "identity"])), (nodes,), {}))
        last = nodes + 1
    made.steps.append(("sum", (last,), {}))
    return made


# ---- faults ----


def _any_edge(ledger: Ledger, rng: np.random.Generator) -> int:
    return int(rng.integers(len(ledger.sources)))


def _drop(graph: Graph, ledger: Ledger, rng: np.random.Generator) -> Fault:
    k = _any_edge(ledger, rng)
    source, target = int(ledger.sources[k]), int(ledger.targets[k])
    return Fault("drop", node=graph.label(target), source=graph.label(source))


def _rule(graph: Graph, ledger: Ledger, rng: np.random.Generator) -> Fault:
    source = int(ledger.sources[_any_edge(ledger, rng)])
    return Fault("rule", node=graph.label(source), value=float(np.round(rng.normal(), 3)))


def _transpose(graph: Graph, ledger: Ledger, rng: np.random.Generator) -> Fault:
    return Fault("transpose", operand=int(rng.integers(2)))


MAKE: dict[str, Callable[[Graph, Ledger, np.random.Generator], Fault]] = {
    "drop": _drop,
    "rule": _rule,
    "transpose": _transpose,
}


def broken(
    graph: Graph, loss: int, kind: str, rng: np.random.Generator
) -> tuple[Ledger, Ledger] | None:
    """The right pass and one with a fault; None where that fault cannot be put there."""
    right = reverse(graph, loss)
    if not count_edges(right):
        return None
    fault = MAKE.get(kind, lambda *_: Fault(kind))(graph, right, rng)
    try:
        wrong = faulty_reverse(graph, loss, fault)
    except BpstepError:
        return None
    grads = [
        g for ledger in (right, wrong) for i in range(loss + 1) if (g := ledger.grad(i)) is not None
    ]
    return (right, wrong) if all(np.all(np.isfinite(g)) for g in grads) else None


def change(right: Any, wrong: Any) -> float:
    """The largest change relative to the larger of both."""
    a, b = (np.zeros(1) if x is None else np.asarray(x) for x in (right, wrong))
    size = max(float(np.max(np.abs(a), initial=0)), float(np.max(np.abs(b), initial=0)))
    return float(np.max(np.abs(a - b), initial=0)) / size if size else 0.0


def matters(graph: Graph, right: Ledger, wrong: Ledger) -> bool:
    """Whether a leaf's gradient is visibly another."""
    return any(change(right.grad(i), wrong.grad(i)) > SEEN for i in graph.params())


def culprit(graph: Graph, right: Ledger, wrong: Ledger) -> tuple[int, int]:
    """The first node in reverse order whose adjoint is wrong, and its cause, from both passes.

    The cause is the consumer that sent something else in all; where none did, the sum is wrong.
    """
    tolerance = 1e-9 if graph.dtype == np.float64 else 1e-3
    for node in range(right.output, -1, -1):
        if change(right.grad(node), wrong.grad(node)) > tolerance:
            break
    for source in sorted(set(right.sources[right.targets == node].tolist()), reverse=True):
        if change(sent(right, source, node), sent(wrong, source, node)) > tolerance:
            return node, source
    return node, node


def sent(ledger: Ledger, source: int, target: int) -> Any:
    """What a consumer sent to a node in all."""
    chosen = np.flatnonzero((ledger.sources == source) & (ledger.targets == target))
    return sum((np.asarray(ledger.value(k + 2)) for k in chosen.tolist()), start=np.zeros(()))


@dataclass
class Hits:
    """Faults that matter, and those named rightly; ``missed`` keeps the numbers of the graphs."""

    faults: int = 0
    named: int = 0
    missed: tuple[str, ...] = ()


def measure_faults(sort: Sort, kind: str, count: int, seed: int = 2, limit: int = 60) -> Hits:
    """Audit passes with a fault of a kind until ``count`` of them matter."""
    found = Hits()
    for graph, loss, rng in itertools.islice(graphs(sort, seed), limit * count):
        passes = broken(graph, loss, kind, rng)
        if passes is None or not matters(graph, *passes):
            continue
        found.faults += 1
        first = next(iter(audit(graph, passes[1])), None)
        expected = culprit(graph, *passes)
        if first is not None and (first.node, first.cause) == expected:
            found.named += 1
        else:
            got = None if first is None else (first.node, first.cause, first.reason)
            found.missed += (f"{graph.expression(expected[1])}: {expected} was {got}",)
        if found.faults == count:
            break
    return found
