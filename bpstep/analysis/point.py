"""A recorded point and its reverse pass, as a check sees them: what is wrong in it, what is tied.

Everything that many elements share is found once, and only when it is asked for: the audit of the
ledger, the operations between two branches, the same pass at points near by.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property

import numpy as np

from bpstep.analysis.accuracy import Accuracy, accuracy
from bpstep.analysis.again import Again
from bpstep.analysis.audit import WrongEdge, audit
from bpstep.analysis.elements import element
from bpstep.analysis.finding import UsedConvention
from bpstep.analysis.forward import largest_size
from bpstep.analysis.progress import breathing
from bpstep.analysis.sweep import Element
from bpstep.analysis.tape import Tape, detaches
from bpstep.engine.arithmetic import Array, Value
from bpstep.engine.graph import Graph
from bpstep.engine.ledger import Ledger
from bpstep.engine.reverse import edges_in_order
from bpstep.engine.rules import Edge, contribution

ASIDE = 1e-3
"""How far off the point it is looked, relative to the size of each leaf."""

DIRECTIONS_ASIDE = 2
"""How many random directions, each both ways."""


class Point:
    """One point of a graph: its tape with detached values held, and its ledger.

    ``is_aside`` says that it was chosen beside another one, to be off its ties.
    """

    def __init__(
        self, graph: Graph, ledger: Ledger, again: Again, *, is_aside: bool = False
    ) -> None:
        self.graph = graph
        self.ledger = ledger
        self.output = ledger.output
        self.is_aside = is_aside
        self.tape = Tape(graph, ledger.output)
        self.accuracy: Accuracy = accuracy(graph.dtype)
        self._again = again
        self._gradients: dict[int, Value | None] = {}
        self._below: dict[int, frozenset[int]] = {}

    def gradient(self, node: int) -> Value | None:
        """What the pass alone produced for a node; None where nothing arrives."""
        if node not in self._gradients:
            self._gradients[node] = self.ledger.own_grad(node)
        return self._gradients[node]

    def slope(self, direction: Mapping[int, Array]) -> float:
        """What the gradient says of a direction; what nothing arrives at counts as 0."""
        total = 0.0
        for node, along in direction.items():
            gradient = self.gradient(node)
            if gradient is not None:
                moving = np.asarray(along) != 0
                factors = np.asarray(along)[moving] * np.asarray(gradient)[moving]
                total += float(factors.sum())
        return total

    def element(self, place: Element) -> float | None:
        """The gradient of one element; None where nothing arrives."""
        gradient = self.gradient(place.node)
        return None if gradient is None else element(gradient, place.index)

    # ---- detached values ----

    @cached_property
    def rebuilt(self) -> Tape:
        """The tape with detached values rebuilt; the held one where nothing is detached."""
        return Tape(self.graph, self.output, held=False) if self.detaches else self.tape

    @cached_property
    def detaches(self) -> tuple[int, ...]:
        """The detaches that the output depends on."""
        found = detaches(self.graph, self.output)
        open_ = Tape(self.graph, self.output, held=False) if found else self.tape
        return tuple(i for i in found if open_.depends_on(i))

    def detaches_of(self, node: int) -> tuple[int, ...]:
        """Those that hold something which depends on a node."""
        return tuple(i for i in self.detaches if node in self._computed_from(i))

    # ---- what is wrong, what is tied ----

    @cached_property
    def wrong(self) -> tuple[WrongEdge, ...]:
        """What the audit finds wrong in the ledger, in reverse tape order."""
        return audit(self.graph, self.ledger)

    @cached_property
    def swallows(self) -> bool:
        """Whether values on the tape are so large that their rounding hides others from the output.

        A leaf that the output then does not move with may have a gradient all the same.
        """
        values = self.tape.values
        whole = [np.array(values)] if self.graph.is_plain else values
        largest = max((largest_size(value) for value in whole), default=0.0)
        return self.accuracy.epsilon * largest > self.accuracy.floor * max(1.0, abs(self.tape.loss))

    def blame(self, nodes: Sequence[int]) -> WrongEdge | None:
        """The first wrong edge, from the output, whose error can reach one of these nodes."""
        return next(iter(self.errors_above(nodes)), None)

    def errors_above(self, nodes: Sequence[int]) -> tuple[WrongEdge, ...]:
        """All wrong edges whose error can reach one of these nodes."""
        return tuple(it for it in self.wrong if self.below(it.node).intersection(nodes))

    def below(self, node: int) -> frozenset[int]:
        """What a node's adjoint is sent on to, and itself."""
        if node not in self._below:
            self._below[node] = _closure(node, self._receivers)
        return self._below[node]

    def between(self, upper: int, lower: Sequence[int]) -> tuple[str, ...]:
        """The nodes on the ways from one down to others, without the first, in reverse order."""
        leads = set(lower)
        below = self.below(upper)
        for index in sorted(below):
            if not leads.isdisjoint(self._receivers(index)):
                leads.add(index)
        on_the_way = sorted((leads & below) - {upper}, reverse=True)
        return tuple(self.graph.label(index) for index in on_the_way)

    def effect(self, wrong: WrongEdge, place: Mapping[int, Array]) -> float:
        """What an error does to the slope along a direction: sent on by the right rules."""
        assert wrong.expected is not None, "asked only of errors whose size is known"
        graph = self.graph
        with np.errstate(all="ignore"):
            error = np.asarray(wrong.expected, float) - np.asarray(wrong.found, float)
        adjoints: dict[int, Array] = {wrong.node: error}
        columns = (column.tolist() for column in edges_in_order(graph, self.output))
        for source, operand, target in breathing(zip(*columns, strict=True)):
            if source in adjoints:
                upstream = adjoints[source] if graph.shape(source) else float(adjoints[source])
                sent, _ = contribution(Edge(graph, source, operand, target), upstream)
                with np.errstate(all="ignore"):
                    adjoints[target] = adjoints.get(target, 0.0) + np.asarray(sent, float)
        return sum(
            float((np.asarray(along) * adjoints[node])[np.asarray(along) != 0].sum())
            for node, along in place.items()
            if node in adjoints
        )

    @cached_property
    def tied(self) -> frozenset[int]:
        """The nodes that sit between two branches here."""
        return frozenset(self.tape.tied())

    def conventions(self, nodes: Sequence[int]) -> tuple[UsedConvention, ...]:
        """The conventions that decided something on the way from the output to these nodes."""
        ledger = self.ledger
        steps = np.flatnonzero(np.isin(ledger.sources, list(self.tied))) + 2
        used: dict[UsedConvention, None] = {}
        for step in breathing(steps.tolist()):
            contribution = ledger.contribution(step)
            reaches = self.below(contribution.target_id).intersection(nodes)
            if contribution.convention is not None and reaches:
                convention = contribution.convention
                used[UsedConvention(contribution.source, convention.key, convention.used)] = None
        return tuple(used)

    # ---- near by ----

    @cached_property
    def aside(self) -> tuple[Point, ...]:
        """The same pass at four points near by, in random directions, where nothing is tied."""
        random = np.random.default_rng(0)
        leaves = [i for i in self.graph.leaves() if self.graph.requires_grad(i)]
        leaves = [leaf for leaf in leaves if self.tape.depends_on(leaf)]
        points = []
        for _ in range(DIRECTIONS_ASIDE):
            directions = {leaf: self._any_way(leaf, random) for leaf in leaves}
            for step in (ASIDE, -ASIDE):
                graph, ledger = self._again(
                    {self.graph.label(i): self._stepped(i, step * directions[i]) for i in leaves}
                )
                points.append(Point(graph, ledger, self._again, is_aside=True))
        return tuple(points)

    def _any_way(self, leaf: int, random: np.random.Generator) -> Array:
        shape = self.graph.shape(leaf)
        signs = random.choice([-1.0, 1.0], shape)
        return np.asarray(random.uniform(0.5, 1.5, shape) * signs)

    def _stepped(self, leaf: int, step: Array) -> Value:
        value = np.asarray(self.tape.values[leaf], float)
        moved = value + step * np.maximum(1.0, np.abs(value))
        return moved if moved.ndim else float(moved)

    def _receivers(self, node: int) -> Iterator[int]:
        """Which operands a node sends its gradient to."""
        row = self.graph.operation(node)
        for position, operand in enumerate(self.graph.operands(node)):
            has_rule = row is not None and row.rule(position) is not None
            if has_rule and self.graph.requires_grad(operand):
                yield operand

    def _computed_from(self, node: int) -> frozenset[int]:
        """All that a node is computed from, through detaches too, and itself."""
        return _closure(node, self.graph.operands)


def _closure(node: int, neighbours: Callable[[int], Iterable[int]]) -> frozenset[int]:
    """All that can be reached from a node, itself included."""
    found, stack = {node}, [node]
    while stack:
        new = set(neighbours(stack.pop())) - found
        found |= new
        stack.extend(new)
    return frozenset(found)
