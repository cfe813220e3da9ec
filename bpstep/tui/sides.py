"""What the comparison shows: two sessions in step, their nodes in rows, one of them selected."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

import numpy as np

from bpstep.analysis.aligned_nodes import NOWHERE, Nodes, align_nodes
from bpstep.analysis.aligned_steps import Steps, align_steps
from bpstep.analysis.differing import differing_rows
from bpstep.engine.graph import Graph
from bpstep.session.edges import index_of
from bpstep.tui.scene import Scene

if TYPE_CHECKING:
    from bpstep.engine.arithmetic import Array
    from bpstep.engine.run import Pass
    from bpstep.session.session import Session

_NO_GRAPH = Graph()
"""Stands for the graph of a run without a forward pass."""


@dataclass(frozen=True, eq=False)
class Sides:
    """A session, and beside it another, which stands at the same step.

    ``other`` is that other session as it was opened: where it stands is looked up. ``chosen`` is
    the name of the node that was chosen; without one the node that receives here is selected.
    ``narrowed`` says that only nodes that differ are listed.
    """

    left: Session
    other: Session
    chosen: str | None = None
    narrowed: bool = False

    # Steps.

    @property
    def steps(self) -> Steps:
        """The steps of both runs, aligned once for each pair of runs."""
        return align_steps(self.left.run, self.other.run)

    @cached_property
    def right(self) -> Session:
        """The other session at the same step, or at the last one before it that both have.

        Where this session is at its end, so is the other.
        """
        at_end = self.left.end is not None
        return self.other.at(self.other.total if at_end else self._standing(self.left.position))

    @cached_property
    def same(self) -> bool:
        """Whether the other run has the step at which this one stands."""
        return int(self.steps.there[self.left.position]) != NOWHERE

    @property
    def own_there(self) -> int:
        """How many steps of its own the other run has done since the last one that both have."""
        before = self._standing(max(self.left.position - 1, 0))
        common = 1 if self.same and self.left.position else 0
        return self.right.position - before - common

    def _standing(self, position: int) -> int:
        return self.steps.standing(position)

    # Nodes: aligned rows, of which the last is the first in reverse order.

    @cached_property
    def nodes(self) -> Nodes:
        """The nodes of both graphs."""
        return align_nodes(*(_graph(side) for side in (self.left, self.right)))

    @cached_property
    def listed(self) -> Sequence[int]:
        """The aligned rows that are listed, in reverse order."""
        passes = self.left.pass_, self.right.pass_
        if self.narrowed and passes[0] is not None and passes[1] is not None:
            return _differing(passes[0], passes[1])
        return range(len(self.nodes) - 1, -1, -1)

    @cached_property
    def selected(self) -> int | None:
        """The aligned row of the selected node."""
        if self.chosen is not None:
            return self._row_named(self.chosen)
        receiver = self.left.receiver
        return None if receiver is None else self.nodes.row_of_left(receiver)

    @property
    def selected_name(self) -> str | None:
        """The name of the selected node."""
        row = self.selected
        return None if row is None else self.name(row)

    def name(self, row: int) -> str:
        """The name of the node in a row."""
        left, right = self.places(row)
        session, index = (self.left, left) if left is not None else (self.right, right)
        assert index is not None, "a row is of a node in one of the graphs"
        return _graph(session).label(index)

    def places(self, row: int) -> tuple[int | None, int | None]:
        """The node of a row in both graphs, None where one has it not."""
        found = int(self.nodes.left[row]), int(self.nodes.right[row])
        left, right = (None if index == NOWHERE else index for index in found)
        return left, right

    def scenes(self) -> tuple[Scene | None, Scene | None]:
        """Both sessions with the selected node; None for a side that does not have it."""
        row = self.selected
        if row is None:
            return Scene(self.left), Scene(self.right)
        left, right = self.places(row)
        return (
            None if left is None else Scene(self.left, left),
            None if right is None else Scene(self.right, right),
        )

    def _row_named(self, name: str) -> int | None:
        left = index_of(_graph(self.left), name)
        if left is not None:
            return self.nodes.row_of_left(left)
        right = index_of(_graph(self.right), name)
        return None if right is None else self.nodes.row_of_right(right)

    # Changes.

    def moved(self, left: Session) -> Sides:
        """After a motion of the session; the other goes along."""
        return replace(self, left=left)

    def choosing(self, row: int) -> Sides:
        """With the node of another row selected."""
        return replace(self, chosen=self.name(row))

    def choosing_by(self, lines: int) -> Sides:
        """With the selection moved so many lines down the list, no further than it goes."""
        if not self.listed:
            return self
        line = min(max(self.line_of_selected() + lines, 0), len(self.listed) - 1)
        return self.choosing(self.listed[line])

    def line_of_selected(self) -> int:
        """The line of the selected node; of one that is not listed, where it would be."""
        row, listed = self.selected, self.listed
        if row is None or not listed:
            return 0
        if isinstance(listed, range):
            return listed.index(row)
        below = np.searchsorted(-np.asarray(listed), -row)
        return min(int(below), len(listed) - 1)

    def following(self) -> Sides:
        """With the current node selected again."""
        return replace(self, chosen=None)

    def narrowing(self) -> Sides:
        """With only the nodes that differ listed, or again with all."""
        return replace(self, narrowed=not self.narrowed)


def _graph(session: Session) -> Graph:
    return _NO_GRAPH if session.graph is None else session.graph


@lru_cache(maxsize=8)
def _differing(left: Pass, right: Pass) -> Sequence[int]:
    rows: Array = np.flatnonzero(differing_rows(left, right))
    return [int(row) for row in rows[::-1]]
