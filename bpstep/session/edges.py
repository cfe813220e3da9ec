"""Look-ups in a ledger by edge of the graph: who sends what, and how far from the output."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bpstep.engine.graph import Graph
    from bpstep.engine.ledger import Ledger


def index_of(graph: Graph, name: str) -> int | None:
    """A node's place on the tape, None where the graph has no node of that name."""
    from bpstep.engine.errors import GraphError

    try:
        return graph.find(name)
    except GraphError:
        return None


def sent_by(ledger: Ledger, node: int) -> range:
    """The steps at which ``node`` sends: one after the other, by ascending operand position.

    Consumers send in reverse tape order, so the ledger's sources descend and are bisected.
    """
    sources = ledger.sources
    first = _first_at_most(sources, node)
    return range(first + 2, _first_at_most(sources, node - 1) + 2)


def _first_at_most(descending: Sequence[int], bound: int) -> int:
    low, high = 0, len(descending)
    while low < high:
        middle = (low + high) // 2
        if descending[middle] > bound:
            low = middle + 1
        else:
            high = middle
    return low


def depths(ledger: Ledger) -> dict[int, int]:
    """The fewest edges from the output to each node that receives anything."""
    found = {ledger.output: 0}
    for source, target in zip(ledger.sources, ledger.targets, strict=True):
        depth = found[source] + 1
        if depth < found.get(target, depth + 1):
            found[target] = depth
    return found
