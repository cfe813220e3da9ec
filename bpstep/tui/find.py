"""Finds a node by a part of its name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import chain
from operator import contains, eq
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bpstep.engine.graph import Graph
    from bpstep.tui.scene import Scene

_WAYS: tuple[Callable[[str, str], bool], ...] = (eq, str.startswith, contains)
"""The best first."""


def labels(scene: Scene) -> Sequence[str]:
    """The names of the nodes that are shown, in tape order."""
    graph = scene.session.graph
    return [] if graph is None else _labels(graph, len(graph))


@lru_cache(maxsize=4)
def _labels(graph: Graph, length: int) -> Sequence[str]:
    return [graph.label(node) for node in graph.visible()]


@lru_cache(maxsize=4)
def _folded(graph: Graph, length: int) -> Sequence[str]:
    return [name.casefold() for name in reversed(_labels(graph, length))]


def find_node(scene: Scene, text: str) -> int | None:
    """The node whose name is, begins with or has ``text`` in it.

    Of several the first in reverse order from the selected node on, then from the start.
    """
    graph, wanted = scene.session.graph, text.strip().casefold()
    if graph is None or not wanted:
        return None
    known = _folded(graph, len(graph))
    here = 0 if scene.selected is None else scene.row_of(scene.selected)
    for fits in _WAYS:
        for row in chain(range(here, len(known)), range(here)):
            if fits(known[row], wanted):
                return scene.nodes[-1 - row]
    return None
