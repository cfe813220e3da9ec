"""Two graphs aligned node by node, by name: whole columns at once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from bpstep.engine.arithmetic import Array
from bpstep.engine.graph import Graph

NOWHERE = -1
"""Stands for a step or a node that the other run does not have."""


@dataclass(frozen=True, eq=False)
class Nodes:
    """The nodes of two graphs that are shown, a row each: the left's in tape order, every node of
    the right's own after the one that it follows there. ``left`` and ``right`` are their places on
    the tapes, NOWHERE where a graph has no node of that name.
    """

    left: Array
    right: Array

    def __len__(self) -> int:
        return len(self.left)

    @cached_property
    def _rows(self) -> tuple[dict[int, int], dict[int, int]]:
        rows = range(len(self))
        return (
            dict(zip(self.left.tolist(), rows, strict=True)),
            dict(zip(self.right.tolist(), rows, strict=True)),
        )

    def row_of_left(self, index: int) -> int | None:
        """The row of a node of the left graph."""
        return self._rows[0].get(index)

    def row_of_right(self, index: int) -> int | None:
        """The row of a node of the right graph."""
        return self._rows[1].get(index)


@lru_cache(maxsize=16)
def align_nodes(left: Graph, right: Graph) -> Nodes:
    """Align two graphs that are recorded to their ends."""
    ours, theirs = np.array(left.visible(), int), np.array(right.visible(), int)
    there = places_in(left, right)[ours]
    here = places_in(right, left)[theirs]
    own = here == NOWHERE
    # What a right node of its own follows: the last common node before it.
    last = np.maximum.accumulate(np.where(own, -1, np.arange(len(here))))
    anchors = np.where(last < 0, -1, here[last])[own]
    order = np.lexsort(
        (
            np.concatenate([np.full(len(ours), -1), theirs[own]]),
            np.concatenate([ours, anchors]),
        )
    )
    return Nodes(
        np.concatenate([ours, np.full(own.sum(), NOWHERE)])[order],
        np.concatenate([there, theirs[own]])[order],
    )


@lru_cache(maxsize=32)
def places_in(graph: Graph, other: Graph) -> Array:
    """For each node of a graph its place in another, NOWHERE where there is none of its name."""
    places = np.full(len(graph), NOWHERE)
    for node in graph.visible():
        name = graph.label(node)
        if other.has(name):
            places[node] = other.find(name)
    return places
