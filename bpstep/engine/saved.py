"""Saved values: what became of them between the forward pass and the rule that reads them."""

from __future__ import annotations

from bpstep.engine.errors import RunError
from bpstep.engine.graph import Graph
from bpstep.engine.reverse import Edges
from bpstep.engine.rules import Edge
from bpstep.engine.statements import Settings


class SavedValues:
    """Which values of one recorded graph were overwritten or freed, and by which statement.

    ``mutated`` and ``freed`` map a node to that statement's text and number. Saved is exactly what
    a rule of the table reads, so an addition never fails.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.mutated: dict[int, tuple[str, int]] = {}
        self.freed: dict[int, tuple[str, int]] = {}

    def passed(self, edges: Edges, statement: str, number: int) -> None:
        """A reverse pass is over: without ``retain_graph`` it freed what its rules had saved."""
        if not self.settings.retain_graph:
            for node in edges.source.tolist():
                self.freed.setdefault(node, (statement, number))

    def first_unusable(self, graph: Graph, edges: Edges) -> tuple[int | None, RunError | None]:
        """The first contribution whose rule reads a value that is gone or was changed.

        Returns how many contributions the pass can make, and the error that ends it.
        """
        if not self.freed and (not self.mutated or self.settings.versions == "ignore"):
            return None, None
        for k, columns in enumerate(zip(*(column.tolist() for column in edges), strict=True)):
            edge = Edge(graph, *columns)
            saved = edge.saved()
            if saved and edge.source in self.freed:
                return k, self._freed_error(edge, saved[0])
            stale = [node for node in saved if node in self.mutated]
            if stale and self.settings.versions == "check":
                return k, self._stale_error(edge, stale[0])
        return None, None

    def _freed_error(self, edge: Edge, saved: int) -> RunError:
        text, number = self.freed[edge.source]
        node, value = edge.graph.label(edge.source), edge.graph.label(saved)
        return RunError(
            f"the values saved for {node} = {edge.graph.expression(edge.source)} are gone: its rule"
            f" {edge.text} reads {value}, and statement {number}, {text!r}, freed the graph"
            " (retain_graph: false)",
            "graph-freed",
            node=node,
            consumer=node,
            statement=text,
            statement_number=number,
        )

    def _stale_error(self, edge: Edge, stale: int) -> RunError:
        text, number = self.mutated[stale]
        node, consumer = edge.graph.label(stale), edge.graph.label(edge.source)
        reader = f"{consumer} = {edge.graph.expression(edge.source)}"
        return RunError(
            f"{node} was changed after it was saved: statement {number}, {text!r}, overwrote it,"
            f" and {reader} reads it in its rule, {edge.text}",
            "stale-value",
            node=node,
            consumer=consumer,
            statement=text,
            statement_number=number,
        )
