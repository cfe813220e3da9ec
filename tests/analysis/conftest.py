"""Graphs that several tests of the analysis use."""

from collections.abc import Callable

import pytest

from bpstep.engine.graph import Graph, Node

Network = Callable[..., tuple[Graph, Node]]


def build_network(b: float = -1.0, *, detached: bool = False) -> tuple[Graph, Node]:
    graph = Graph()
    x, w = graph.input("x", 2.0), graph.param("w", 1.0)
    bias, v = graph.param("b", b), graph.param("v", 3.0)
    target = graph.constant("target", 1.0)
    p = graph.name("p", w * x)
    z = graph.name("z", p + bias)
    h = graph.name("h", graph.apply("relu", z))
    q = graph.name("q", v * h)
    skip = graph.name("skip", graph.apply("detach", p)) if detached else p
    y = graph.name("y", q + skip)
    e = graph.name("e", y - target)
    return graph, graph.name("loss", 0.5 * e**2)


@pytest.fixture
def network() -> Network:
    return build_network
