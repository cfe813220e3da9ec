"""What nodes are called: their names, else formulas made from the operands' texts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bpstep.engine import formula

if TYPE_CHECKING:
    from bpstep.engine.graph import Graph

# A chain of a million nameless operations must not carry its whole history in each name.
_LONGEST = 40


class Labels:
    """The texts of a tape's nodes, made in tape order when first asked for.

    A node without a name is called by its canonical text in parentheses, ``(e**2)``; the same
    text again gets ``#2``; one that would be too long is called by its number, ``%7``.
    """

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._parts: list[formula.Part] = []
        self._repeats: dict[str, int] = {}
        self._found: dict[str, int] = {}
        self._found_in = -1

    def find(self, label: str) -> int | None:
        """The node of that label, literals left out."""
        if self._found_in != len(self._graph):
            self._found = {self._graph.label(i): i for i in self._graph.visible()}
            self._found_in = len(self._graph)
        return self._found.get(label)

    def labels(self) -> list[str]:
        """All labels but those of literals."""
        return [self._graph.label(i) for i in self._graph.visible()]

    def text(self, node: int) -> str:
        """The label of a node."""
        if self._graph.operation(node) is None:
            # A leaf's text hangs on no other node: a literal operand costs no walk over the tape.
            return self._made(node).text
        for each in range(len(self._parts), len(self._graph)):
            self._parts.append(self._made(each))
        return self._parts[node].text

    def expression(self, node: int) -> str:
        """The node's operation on its operands' labels, spaced for reading."""
        row = self._graph.operation(node)
        if row is None:
            return ""
        parts = [self._operand(i) for i in self._graph.operands(node)]
        return formula.spaced(row.name, parts, row.given(self._graph.keywords(node)))

    def _operand(self, node: int) -> formula.Part:
        value = self._graph.values[node]
        if self._graph.role(node) == "literal" and isinstance(value, float):
            return formula.number(value)
        return formula.Part(self._graph.label(node))

    def _made(self, node: int) -> formula.Part:
        graph = self._graph
        name = graph.name_of(node)
        if name is not None:
            return formula.Part(name)
        row = graph.operation(node)
        if row is None:
            value = graph.values[node]
            return formula.number(value) if isinstance(value, float) else formula.Part(f"%{node}")
        parts = [self._inner(i) for i in graph.operands(node)]
        inner = formula.compact(row.name, parts, row.given(graph.keywords(node))).text
        text = f"({inner})" if len(inner) <= _LONGEST else f"%{node}"
        seen = self._repeats[text] = self._repeats.get(text, 0) + 1
        return formula.Part(text if seen == 1 else f"{text}#{seen}")

    def _inner(self, node: int) -> formula.Part:
        """An operand's text inside another's: without its parentheses where none are needed."""
        part = self._parts[node]
        row = self._graph.operation(node)
        if row is None or self._graph.name_of(node) or not part.text.endswith(")"):
            return part
        return formula.Part(part.text[1:-1], formula.binding(row.name))
