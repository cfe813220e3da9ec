"""A plan: leaves and operations in tape order, which can be recorded again from other values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bpstep.engine.arithmetic import Value
from bpstep.engine.errors import GraphError
from bpstep.engine.formula import Part, number
from bpstep.engine.graph import Graph, Node
from bpstep.scenario.binding import bind
from bpstep.scenario.entries import Entry
from bpstep.scenario.expressions import canonical_part
from bpstep.scenario.leaves import MAX_TOTAL, Leaf
from bpstep.scenario.syntax import Expr, Name, Number, Shape, Word, fold

# Names of inner operations repeat their operands' texts, and so can outgrow the file.
MAX_CHARACTERS = 20_000_000

# What an operation reads: an earlier place on the plan (int), or a number written in (float).
Operand = int | float


@dataclass(frozen=True, slots=True, eq=False)
class Instruction:
    """One operation: what it reads, and its node's name."""

    operation: str
    operands: tuple[Operand, ...]
    keywords: Mapping[str, Any]
    name: str
    entry: Entry
    expr: Expr


Failed = Callable[[Instruction, GraphError], None]


@dataclass(frozen=True, eq=False)
class Plan:
    """Everything that is recorded, in order: leaves first, then one instruction an operation."""

    dtype: str
    conventions: str | Mapping[str, object]
    leaves: tuple[Leaf, ...]
    instructions: tuple[Instruction, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """Every node's name, in tape order."""
        return (*(leaf.name for leaf in self.leaves), *(each.name for each in self.instructions))

    def record(self, values: Mapping[str, Value], failed: Failed | None = None) -> Graph:
        """A fresh graph from these leaf values (by name; the others are as in the file).

        Raises GraphError where shapes do not fit, or tells ``failed`` and leaves the operation
        out, with everything that reads it. Raises GraphError where all of it is too large.
        """
        graph = Graph(self.dtype, self.conventions)
        nodes: list[Node | None] = [
            add_leaf(graph, leaf, values.get(leaf.name, leaf.value)) for leaf in self.leaves
        ]
        size = sum(np.size(leaf.value) for leaf in self.leaves)
        for instruction in self.instructions:
            node = _apply(graph, instruction, nodes, failed)
            nodes.append(node)
            size += 1 if node is None or type(node.value) is float else np.size(node.value)
            if size > MAX_TOTAL:
                raise GraphError(f"all values together exceed {MAX_TOTAL} numbers", "too-large")
        return graph


def _apply(
    graph: Graph, instruction: Instruction, nodes: list[Node | None], failed: Failed | None
) -> Node | None:
    operands = [nodes[o] if isinstance(o, int) else o for o in instruction.operands]
    if None in operands:
        return None
    try:
        node = graph.apply(instruction.operation, *operands, **instruction.keywords)
    except GraphError as error:
        if failed is None:
            raise
        failed(instruction, error)
        return None
    return graph.name(instruction.name, node)


def add_leaf(graph: Graph, leaf: Leaf, value: Value) -> Node:
    """Records a leaf in its role."""
    if leaf.role == "constant":
        return graph.constant(leaf.name, value)
    add: Callable[..., Node] = graph.param if leaf.role == "param" else graph.input
    return add(leaf.name, value, grad=leaf.grad)


def instructions(entries: Iterable[Entry], leaves: Sequence[str]) -> list[Instruction]:
    """Entries in evaluation order -> operations in tape order.

    Inner operations stand directly before the entry they belong to, left to right, named by
    their canonical text in parentheses; one that comes again gets `#2`, `#3` …. Raises GraphError
    where those texts grow out of bounds.
    """
    writer = _Writer({name: place for place, name in enumerate(leaves)})
    for entry in entries:
        writer.add(entry)
    return writer.written


class _Writer:
    """Writes instructions, and knows which place of the plan each name has."""

    def __init__(self, places: dict[str, int]) -> None:
        self.written: list[Instruction] = []
        self._places = places
        self._leaves = len(places)
        self._texts: dict[str, int] = {}
        self._characters = 0

    def add(self, entry: Entry) -> None:
        expr = entry.expr
        if expr is None:
            return

        def combine(node: Expr, operands: Sequence[tuple[Operand, Part]]) -> tuple[Operand, Part]:
            return self._combine(entry, node, operands)

        place, _ = fold(expr, combine)
        if isinstance(expr, (Name, Number)):
            place = self._write("identity", (place,), {}, entry, expr)
        self._places[entry.name] = int(place)

    def _combine(
        self, entry: Entry, node: Expr, operands: Sequence[tuple[Operand, Part]]
    ) -> tuple[Operand, Part]:
        match node:
            case Number(value=value):
                return value, number(value)
            case Name(id=name):
                return self._places[name], Part(name)
            case Word() | Shape():
                return 0.0, Part("")  # an argument; binding the call has taken its value
            case _:
                application = bind(node)  # type: ignore[arg-type]
                read = operands[: len(application.operands)]
                part = canonical_part(application, [part for _, part in read])
                places = tuple(place for place, _ in read)
                name = entry.name if node is entry.expr else self._inner_name(part.text)
                operation = application.operation.name
                return self._write(operation, places, application.keywords, entry, node, name), part

    def _inner_name(self, text: str) -> str:
        self._characters += len(text)
        if self._characters > MAX_CHARACTERS:
            raise GraphError("the expressions are too long to be named", "too-large")
        count = self._texts[text] = self._texts.get(text, 0) + 1
        return f"({text})" if count == 1 else f"({text})#{count}"

    def _write(
        self,
        operation: str,
        operands: tuple[Operand, ...],
        keywords: Mapping[str, Any],
        entry: Entry,
        node: Expr,
        name: str | None = None,
    ) -> int:
        self.written.append(
            Instruction(operation, operands, keywords, name or entry.name, entry, node)
        )
        return self._leaves + len(self.written) - 1
