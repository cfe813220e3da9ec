"""The text that a node is written in, with the node's line: a scenario's file, or a tape's own."""

from __future__ import annotations

import os
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from bpstep.render.equation import equation
from bpstep.render.numbers import value_text
from bpstep.scenario.model import Scenario
from bpstep.scenario.source import Source

if TYPE_CHECKING:
    from bpstep.engine.graph import Graph
    from bpstep.session.session import Session

WITHOUT_FILE = {"-": "standard input"}
PYTHON = "recorded in Python: there is no file"


@dataclass(frozen=True, eq=False)
class Listing:
    """Numbered lines: ``line`` gives the text of one, counted from 1; ``name`` says whose."""

    name: str
    length: int
    line: Callable[[int], str]
    yaml: bool = True


@dataclass(frozen=True, eq=False)
class Place:
    """Where a node is written."""

    listing: Listing
    line: int


def place(session: Session, node: int) -> Place | None:
    """Where a node is written; None for one that is written nowhere, as a literal."""
    graph, subject = session.graph, session.scenario
    if graph is None:
        return None
    if not isinstance(subject, Scenario):
        return _on_tape(graph, node)
    name = entry_name(subject, graph, node)
    if name is None:
        return None
    source = subject.inherited.get(name)
    return Place(_own(subject) if source is None else _file(source), subject.lines[name])


def own(session: Session) -> Listing | None:
    """The text that the session was opened from."""
    if isinstance(session.scenario, Scenario):
        return _own(session.scenario)
    return None if session.graph is None else _tape(session.graph, len(session.graph))


def entry_name(scenario: Scenario, graph: Graph, node: int) -> str | None:
    """The leaf or the entry of the file that a node belongs to.

    Inner operations stand on the tape directly before the entry in which they are written.
    """
    for index in range(node, len(graph)):
        name = graph.label(index)
        if name in scenario.lines:
            return name
    return None


@lru_cache(maxsize=8)
def _own(scenario: Scenario) -> Listing:
    return _file(Source(scenario.path, scenario.text))


@lru_cache(maxsize=32)
def _file(source: Source) -> Listing:
    name = WITHOUT_FILE.get(source.path) or os.path.basename(source.path)
    return Listing(name, source.length, source.line)


@lru_cache(maxsize=8)
def _tape(graph: Graph, length: int) -> Listing:
    """A line for each node, in tape order."""
    nodes = _nodes(graph, length)
    return Listing(PYTHON, len(nodes), lambda line: _equation(graph, nodes[line - 1]), yaml=False)


def _on_tape(graph: Graph, node: int) -> Place:
    length = len(graph)
    return Place(_tape(graph, length), bisect_left(_nodes(graph, length), node) + 1)


@lru_cache(maxsize=8)
def _nodes(graph: Graph, length: int) -> list[int]:
    return graph.visible()


def _equation(graph: Graph, node: int) -> str:
    made = graph.expression(node)
    if made:
        return equation(graph.label(node), made)
    return f"{graph.label(node)} = {value_text(graph.recorded(node))}   # {graph.role(node)}"
