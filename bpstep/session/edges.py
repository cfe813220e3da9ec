"""Look-ups in a ledger by edge of the graph: who sends what, and how far from the output."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bpstep.engine.operation import finish
from bpstep.engine.rules import Edge, local_derivative

if TYPE_CHECKING:
    from bpstep.engine.arithmetic import Array, Value
    from bpstep.engine.graph import Graph
    from bpstep.engine.ledger import Contribution, Ledger


def index_of(graph: Graph, name: str) -> int | None:
    """A node's place on the tape, None where the graph has no node of that name."""
    # Asking first: the error for an unknown name looks for near ones, which takes seconds in a
    # large graph.
    return graph.find(name) if graph.has(name) else None


def sent_by(ledger: Ledger, node: int) -> range:
    """The steps at which ``node`` sends: one after the other, by ascending operand position.

    Consumers send in reverse tape order, so the ledger's sources descend and are bisected.
    """
    sources = ledger.sources
    first = _first_at_most(sources, node)
    return range(first + 2, _first_at_most(sources, node - 1) + 2)


def _first_at_most(descending: Array, bound: int) -> int:
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
    for source, target in zip(ledger.sources.tolist(), ledger.targets.tolist(), strict=True):
        depth = found[source] + 1
        if depth < found.get(target, depth + 1):
            found[target] = depth
    return found


def sending(ledger: Ledger, node: int, position: int) -> Contribution | None:
    """What ``node`` sends to its operand at ``position`` in this pass, if it does."""
    for step in sent_by(ledger, node):
        if ledger.operands[step - 2] == position:
            return ledger.contribution(step)
    return None


def local_value(ledger: Ledger | None, graph: Graph, node: int, position: int) -> Value | None:
    """The local derivative of a node with respect to one operand: the one that the pass used,
    else what the rule gives; None where there is no rule, or the rule has no elementwise form.
    """
    entry = sending(ledger, node, position) if ledger is not None else None
    if entry is not None:
        return entry.local
    edge = Edge(graph, node, position, graph.operands(node)[position])
    rule = edge.operation.rule(position)
    if rule is None or rule.form != "local":
        return None
    return finish(local_derivative(edge), graph.dtype)


def rule_text(graph: Graph, node: int, position: int) -> str:
    """The formula of that local derivative; empty where the operation has no rule for it."""
    edge = Edge(graph, node, position, graph.operands(node)[position])
    return edge.text if edge.operation.rule(position) is not None else ""
