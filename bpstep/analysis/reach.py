"""How the output depends on every node, read off the tape: not at all, openly, or past a detach."""

from __future__ import annotations

from dataclasses import dataclass

from bpstep.engine.graph import Graph
from bpstep.engine.operation import Operation


@dataclass(frozen=True, eq=False)
class Reach:
    """What a walk from the output finds, one entry a node up to it.

    ``depth``: the fewest edges from the output, through detaches too; None where there is no path.
    ``open``: whether a path without a detach leads there. Comparisons and conditions make no path.
    """

    graph: Graph
    output: int
    depth: list[int | None]
    open: list[bool]

    @classmethod
    def of(cls, graph: Graph, output: int) -> Reach:
        """Walk the tape back from ``output``."""
        depth: list[int | None] = [None] * (output + 1)
        open_ = [False] * (output + 1)
        depth[output], open_[output] = 0, True
        for node in range(output, -1, -1):
            here, row = depth[node], graph.operation(node)
            if here is None or row is None:
                continue
            for position, operand in enumerate(graph.operands(node)):
                if not _follows(row, position):
                    continue
                known = depth[operand]
                depth[operand] = here + 1 if known is None else min(known, here + 1)
                open_[operand] |= open_[node] and row.records
        return cls(graph, output, depth, open_)

    def reached(self, node: int) -> bool:
        """Whether the output depends on a node at all, through detaches too."""
        return node <= self.output and self.depth[node] is not None

    def cuts(self, node: int) -> tuple[int, ...]:
        """The detaches that are met first on the ways from the output to a node, nearest first."""
        leads = [False] * (self.output + 1)
        leads[node] = True
        found = []
        for index in range(node + 1, self.output + 1):
            row = self.graph.operation(index)
            if row is None:
                continue
            for position, operand in enumerate(self.graph.operands(index)):
                leads[index] |= leads[operand] and _follows(row, position)
            if leads[index] and _is_detach(row) and self.open[index]:
                found.append(index)
        return tuple(sorted(found, key=lambda it: (self.depth[it] or 0, -it)))

    def detached_below(self, node: int) -> tuple[int, ...]:
        """The detaches under a node for which nothing is recorded, which is why it has none."""
        found, seen, stack = [], {node}, [node]
        while stack:
            index = stack.pop()
            row = self.graph.operation(index)
            operands = self.graph.operands(index)
            if row is not None and _is_detach(row) and self.graph.requires_grad(operands[0]):
                found.append(index)
                continue
            stack.extend(set(operands) - seen)
            seen.update(operands)
        return tuple(sorted(found, reverse=True))


def _is_detach(row: Operation) -> bool:
    return row.name == "detach"


def _follows(row: Operation, position: int) -> bool:
    """Whether a path goes on to this operand: it has a rule, or is what a detach copies."""
    return _is_detach(row) or row.rule(position) is not None
