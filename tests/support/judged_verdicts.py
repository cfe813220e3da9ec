"""Verdicts on random reverse passes, right ones and ones with a fault.

The figures over many graphs come from ``tests/benchmarks/measure_verdicts.py``.
"""

from __future__ import annotations

import itertools
from collections import Counter
from dataclasses import dataclass, field

import numpy as np
from judged_passes import SEEN, Sort, broken, change, graphs, sent

from bpstep.analysis.differences import CheckResult, check_all
from bpstep.engine.graph import Graph
from bpstep.engine.ledger import Ledger

HIDDEN = 1e-7
"""What the rounding of the loss hides, relative to it and at least absolutely."""

ACCUSING = ("mismatch", "kink", "jump", "convention", "nonfinite")


@dataclass
class Right:
    """The verdicts on right passes; ``accused`` tells which were not left in peace, and how."""

    graphs: int = 0
    verdicts: Counter[str] = field(default_factory=Counter)
    accused: list[str] = field(default_factory=list)


def measure_right(sort: Sort, count: int, seed: int = 1) -> Right:
    """Check every leaf of right passes."""
    found = Right()
    for number, (graph, loss, _) in enumerate(itertools.islice(graphs(sort, seed), count)):
        found.graphs += 1
        for result in check_all(graph, loss):
            found.verdicts.update(each.verdict for each in result.elements)
            checked = (*result.elements, *([result.direction] if result.direction else []))
            found.accused += [
                f"graph {number}, {result.wrt}{each.index or ''}: {each.evidence}"
                for each in checked
                if each.verdict in ACCUSING
            ]
    return found


@dataclass
class Wrong:
    """Faults that can be seen at a leaf, and how many were named with the right node and cause."""

    graphs: int = 0
    leaves: int = 0
    named: int = 0
    missed: list[str] = field(default_factory=list)
    accused: list[str] = field(default_factory=list)


def measure_wrong(sort: Sort, kind: str, count: int, seed: int = 2, limit: int = 60) -> Wrong:
    """Check passes with a fault of a kind until ``count`` of them show at some leaf."""
    found = Wrong()
    for number, (graph, loss, rng) in enumerate(graphs(sort, seed)):
        if found.graphs == count or number == limit * count:
            return found
        passes = broken(graph, loss, kind, rng)
        if passes is None or not any(shows(graph, *passes, leaf) for leaf in graph.params()):
            continue
        found.graphs += 1
        for result in check_all(graph, loss, ledger=passes[1]):
            _count(found, result, graph, passes, f"{kind} in graph {number}")
    return found


def _count(
    found: Wrong, result: CheckResult, graph: Graph, passes: tuple[Ledger, Ledger], where: str
) -> None:
    leaf = graph.find(result.wrt)
    if not shows(graph, *passes, leaf):
        untouched = change(*(ledger.grad(leaf) for ledger in passes)) == 0
        if untouched and result.verdict in ACCUSING:
            found.accused.append(f"{where}, {result.wrt}: {result.evidence}")
        return
    found.leaves += 1
    expected = tuple(graph.label(node) for node in culprit_above(graph, *passes, leaf))
    if (result.verdict, result.node, result.cause) == ("mismatch", *expected):
        found.named += 1
    else:
        found.missed.append(f"{where}, {result.wrt}: {expected} was {result.evidence}")


def shows(graph: Graph, right: Ledger, wrong: Ledger, leaf: int) -> bool:
    """Whether a fault changes a leaf's gradient by enough to be seen in differences of the loss."""
    a, b = (0.0 if x is None else x for x in (right.grad(leaf), wrong.grad(leaf)))
    loss = abs(float(graph.values[right.output]))
    size = np.maximum(np.abs(a), np.abs(b))
    seen = (np.abs(np.subtract(a, b)) > SEEN * size) & (
        np.abs(np.subtract(a, b)) > HIDDEN * max(loss, 1.0)
    )
    return bool(np.any(seen))


def culprit_above(graph: Graph, right: Ledger, wrong: Ledger, leaf: int) -> tuple[int, int]:
    """The first wrong node in reverse order on the way to a leaf, and its cause, by both passes.

    The cause is the consumer that sent something else in all; where none did, the sum is wrong.
    """
    tolerance = 1e-9 if graph.dtype == np.float64 else 1e-3
    above = {leaf}
    for source, target in zip(
        right.sources[::-1].tolist(), right.targets[::-1].tolist(), strict=True
    ):
        if target in above:
            above.add(source)
    node = next(
        node
        for node in sorted(above, reverse=True)
        if change(right.grad(node), wrong.grad(node)) > tolerance
    )
    for source in sorted(set(right.sources[right.targets == node].tolist()), reverse=True):
        if change(sent(right, source, node), sent(wrong, source, node)) > tolerance:
            return node, source
    return node, node
