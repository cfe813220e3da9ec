"""What should arrive in a reverse pass, by the tape alone, and what the ledger says arrived."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from bpstep.analysis.progress import breathing
from bpstep.engine.arithmetic import Array, Value
from bpstep.engine.graph import Graph
from bpstep.engine.ledger import Ledger


@dataclass(frozen=True)
class Link:
    """A consumer and one of its operands: ``places`` are all operand positions that hold it."""

    source: int
    target: int
    places: tuple[int, ...]


def links(graph: Graph, output: int) -> Mapping[int, Sequence[Link]]:
    """By receiver, every link on the way from the output, consumers in reverse tape order.

    Told from the tape, not by the reverse pass that is judged.
    """
    reached = [False] * (output + 1)
    reached[output] = graph.requires_grad(output)
    found: dict[int, list[Link]] = defaultdict(list)
    for source in breathing(range(output, -1, -1)):
        if reached[source]:
            for target, places in _receivers(graph, source).items():
                reached[target] = True
                found[target].append(Link(source, target, tuple(places)))
    return found


def by_source(incoming: Mapping[int, Sequence[Link]]) -> Mapping[int, Sequence[Link]]:
    """The same links by consumer."""
    found: dict[int, list[Link]] = defaultdict(list)
    for group in incoming.values():
        for link in group:
            found[link.source].append(link)
    return found


def _receivers(graph: Graph, source: int) -> Mapping[int, list[int]]:
    """The operands that a node sends to, with their positions."""
    row = graph.operation(source)
    found: dict[int, list[int]] = defaultdict(list)
    if row is not None:
        for place, operand in enumerate(graph.operands(source)):
            if row.rule(place) is not None and graph.requires_grad(operand):
                found[operand].append(place)
    return found


@dataclass(frozen=True, eq=False)
class Arrival:
    """One contribution as the ledger has it."""

    place: int
    upstream: Value
    value: Value


@dataclass(frozen=True, eq=False)
class Sent:
    """All that arrived over one link, in order."""

    link: Link
    shape: tuple[int, ...]
    arrivals: tuple[Arrival, ...]

    @cached_property
    def total(self) -> Array:
        """The sum of what arrived, in the receiver's shape."""
        return self._sum([np.asarray(each.value, float) for each in self.arrivals])

    @cached_property
    def weight(self) -> Array:
        """The sum of sizes: what the sum's rounding is measured by."""
        return self._sum([np.abs(each.value) for each in self.arrivals])

    def _sum(self, parts: list[Array]) -> Array:
        return np.sum(parts, axis=0) if parts else np.zeros(self.shape)

    @property
    def missing(self) -> bool:
        """Whether a position sent nothing."""
        return {each.place for each in self.arrivals} != set(self.link.places)

    @property
    def repeated(self) -> bool:
        """Whether a position sent more than once."""
        return len({each.place for each in self.arrivals}) < len(self.arrivals)

    def premature(self, adjoint: Value) -> bool:
        """Whether an upstream gradient was not the consumer's final adjoint."""
        return any(
            not np.array_equal(each.upstream, adjoint, equal_nan=True) for each in self.arrivals
        )


class Arrivals:
    """A ledger's contributions by link."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._steps: dict[tuple[int, int], list[int]] = defaultdict(list)
        pairs = zip(ledger.sources.tolist(), ledger.targets.tolist(), strict=True)
        for k, pair in breathing(enumerate(pairs)):
            self._steps[pair].append(k)

    def over(self, link: Link) -> Sent:
        """What arrived over a link."""
        ledger, steps = self._ledger, self._steps.get((link.source, link.target), [])
        arrivals = tuple(
            Arrival(int(ledger.operands[k]), ledger.upstream(k + 2), ledger.value(k + 2))
            for k in steps
        )
        return Sent(link, ledger.graph.shape(link.target), arrivals)
