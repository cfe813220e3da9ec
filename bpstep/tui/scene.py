"""What a screen shows: a session and the selected node, one value that is bound to its widgets."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from bpstep.session.edges import index_of

if TYPE_CHECKING:
    from bpstep.engine.graph import Graph
    from bpstep.session.session import Session


@lru_cache(maxsize=8)
def _visible(graph: Graph, length: int) -> Sequence[int]:
    """The nodes that are shown, in tape order: looked up once for each length of a graph."""
    return graph.visible()


@dataclass(frozen=True, eq=False)
class Scene:
    """A session and the node that was chosen in its graph; without one the current is selected."""

    session: Session
    chosen: int | None = None

    @property
    def nodes(self) -> Sequence[int]:
        """The nodes of the current graph that are shown, in tape order."""
        graph = self.session.graph
        return _visible(graph, len(graph)) if graph is not None else ()

    @property
    def selected(self) -> int | None:
        """The selected node: the chosen one, else the one that receives at this step."""
        return self.session.receiver if self.chosen is None else self.chosen

    def moved(self, session: Session) -> Scene:
        """After a motion, or a run: the node of the chosen one's name stays chosen."""
        chosen = self.chosen
        if chosen is not None and session.graph is not self.session.graph:
            chosen = _same_node(self.session.graph, chosen, session.graph)
        return Scene(session, chosen)

    def choosing(self, index: int) -> Scene:
        """With another node selected."""
        return replace(self, chosen=index)

    def following(self) -> Scene:
        """With the current node selected again."""
        return replace(self, chosen=None)

    def choosing_by(self, rows: int) -> Scene:
        """With the selection moved so many rows down the reverse order, no further than it goes."""
        if not self.nodes:
            return self
        here = self.row_of(self.selected) if self.selected is not None else 0
        row = min(max(here + rows, 0), len(self.nodes) - 1)
        return self.choosing(self.nodes[-1 - row])

    def row_of(self, index: int) -> int:
        """The row of a node in reverse order, 0 first."""
        return len(self.nodes) - 1 - bisect_left(self.nodes, index)


def _same_node(before: Graph | None, index: int, after: Graph | None) -> int | None:
    if before is None or after is None:
        return None
    return index_of(after, before.label(index))
