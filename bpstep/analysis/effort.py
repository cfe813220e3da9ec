"""How much work a check is, before it is begun."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from bpstep.analysis.elements import parse_target
from bpstep.engine.graph import Graph


@dataclass(frozen=True)
class Effort:
    """So many evaluations of the output, of so many numbers each."""

    evaluations: int
    numbers: int

    @property
    def work(self) -> int:
        """All numbers that are computed."""
        return self.evaluations * self.numbers


def tape_size(graph: Graph, output: int) -> int:
    """How many numbers an evaluation of ``output`` computes at most."""
    if graph.is_plain:
        return output + 1
    return sum(math.prod(graph.shape(node)) for node in range(output + 1))


def check_effort(graph: Graph, output: int, names: Sequence[str], steps: int) -> Effort:
    """What the differences of these targets take at so many step sizes, both ways.

    Kinks, and gradients that are not confirmed at once, take more. Raises GraphError for a name or
    an index that does not exist.
    """
    elements = sum(_elements(graph, name) for name in names)
    return Effort(2 * steps * elements, tape_size(graph, output))


def _elements(graph: Graph, name: str) -> int:
    if graph.has(name):
        return math.prod(graph.shape(graph.find(name)))
    return len(parse_target(graph, name).elements)
