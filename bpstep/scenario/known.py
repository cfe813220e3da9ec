"""What the rest of a file may refer to: its leaves, its nodes and their shapes."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from collections.abc import Mapping as Table
from dataclasses import dataclass

from bpstep.engine.errors import GraphError
from bpstep.engine.graph import Graph
from bpstep.engine.reverse import check_output
from bpstep.scenario.leaves import Leaf
from bpstep.scenario.locate import Mapping, Scalar, Sequence, Tree
from bpstep.scenario.names import unknown
from bpstep.scenario.problems import Problems
from bpstep.scenario.snippets import Snippet
from bpstep.scenario.source import Span


@dataclass(frozen=True, eq=False)
class Known:
    """A file's names. Where its graph has problems, not all of them can be looked up.

    nodes are all names, inner operations too; graph holds those that could be recorded, and
    complete says that nothing is missing. no_gradient says that the file expects a backward from
    a node that depends on no leaf with a gradient.
    """

    leaves: Table[str, Leaf | None]
    nodes: Collection[str]
    graph: Graph
    complete: bool
    places: Table[str, Snippet]
    no_gradient: bool = False

    def place(self, name: str) -> Span:
        """Where a leaf or an entry is defined."""
        key = self.places[name]
        return key.span(0, len(key.text))

    def index(self, name: str) -> int | None:
        """The node's place on the tape, or None where it could not be recorded."""
        try:
            return self.graph.find(name)
        except GraphError:
            return None

    def shape(self, name: str) -> tuple[int, ...] | None:
        """The node's shape, or None where it could not be recorded."""
        index = self.index(name)
        return None if index is None else self.graph.shape(index)

    def sends(self, consumer: str, operand: str) -> bool:
        """Whether the first reads the second; true where one of them could not be recorded."""
        source, target = self.index(consumer), self.index(operand)
        return source is None or target is None or target in self.graph.operands(source)

    def check_output(self, index: int, span: Span, problems: Problems) -> None:
        """A problem where nothing can be differentiated from a node, unless that is expected."""
        try:
            check_output(self.graph, index)
        except GraphError as error:
            if error.code != "no-gradient" or not self.no_gradient:
                problems.add(span, f"{error.code}: {error}")

    def is_node(self, name: str) -> bool:
        """Whether a name is a node's, or may be the one of an inner operation left out."""
        return name in self.nodes or (not self.complete and name.startswith("("))

    def check_node(self, span: Span, name: str, problems: Problems) -> bool:
        """Whether a name is a node's; a problem where it is not."""
        if not self.is_node(name):
            unknown(span, name, self.nodes, problems)
        return self.is_node(name)

    def check_leaf(self, span: Span, name: str, problems: Problems) -> bool:
        """Whether a name is a leaf's; a problem where it is not."""
        if name not in self.leaves:
            unknown(span, name, self.leaves, problems, what="leaf")
        return name in self.leaves


def fields(tree: Tree | None) -> Iterator[tuple[str, Scalar, Tree]]:
    """Name, key and value of each entry of a mapping; nothing where the tree is none."""
    if isinstance(tree, Mapping):
        for name, (key, value) in tree.entries.items():
            yield name, key, value


def items(tree: Tree | None) -> tuple[Tree, ...]:
    """The items of a list; nothing where the tree is none."""
    return tree.items if isinstance(tree, Sequence) else ()


def text(tree: Tree | None) -> str | None:
    """A scalar's text, or None where the tree is no text."""
    return tree.value if isinstance(tree, Scalar) and isinstance(tree.value, str) else None
