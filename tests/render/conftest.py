"""Sessions for the tests of this folder, made without a scenario file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest

from bpstep.engine import functions as f
from bpstep.engine.graph import Graph
from bpstep.engine.program import execute
from bpstep.session.session import Session


@dataclass(frozen=True)
class Made:
    """A subject whose graph is recorded by a function of a fresh graph and the leaves' values."""

    build: Callable[[Graph, Mapping[str, Any]], None]
    leaf_values: Mapping[str, Any]
    loss: str = "loss"
    path: str = "made.yaml"
    name: str = "made"
    title: str = "Made for a test"
    dtype: str = "float64"
    conventions: str = "torch"
    notes: Mapping[str, str] = field(default_factory=dict)
    breakpoints: tuple[str, ...] = ()
    checks: tuple[Any, ...] = ()
    updates: Any = None
    fault: Any = None

    def record(self, leaves: Mapping[str, Any]) -> Graph:
        graph = Graph(self.dtype, self.conventions)
        self.build(graph, leaves)
        return graph

    def run(self, leaves: Mapping[str, Any] | None = None) -> Any:
        return execute(self, leaves=leaves)


def network(graph: Graph, leaves: Mapping[str, Any]) -> None:
    x = graph.input("x", leaves["x"])
    w, b, v = (graph.param(name, leaves[name]) for name in "wbv")
    target = graph.constant("target", 1.0)
    p = graph.name("p", w * x)
    z = graph.name("z", p + b)
    h = graph.name("h", f.relu(z))
    q = graph.name("q", v * h)
    y = graph.name("y", q + p)
    e = graph.name("e", y - target)
    graph.name("loss", 0.5 * e**2)


NETWORK = {"x": 2.0, "w": 1.0, "b": -1.0, "v": 3.0}


@pytest.fixture
def open_made():
    """Opens a session on a graph built by a function."""

    def opened(build: Callable[..., None], leaves: Mapping[str, Any], **settings: Any) -> Session:
        return Session.open(Made(build, leaves, **settings))

    return opened


@pytest.fixture
def open_network(open_made):
    """Opens a session on the network of the lesson `full`, with some settings of its own."""
    return lambda **settings: open_made(network, NETWORK, **settings)


@pytest.fixture
def full(open_made):
    """The network of the lesson `full`."""
    return open_made(network, NETWORK)


@pytest.fixture
def kink(open_made):
    """The same at b = -2, where relu sits at its kink."""
    return open_made(network, {**NETWORK, "b": -2.0})
