"""A graph recorded in Python is debugged like a scenario, its leaves changed on a copy."""

from __future__ import annotations

import numpy as np

import bpstep
from bpstep.analysis.again import copied
from bpstep.session.commands import execute
from bpstep.session.recorded import Recorded
from bpstep.session.session import Session


def recorded():
    g = bpstep.Graph(conventions="jax")
    x, w = g.input("x", 2.0), g.param("w", [[1.0, -2.0]], grad=True)
    frozen, c = g.param("frozen", 3.0, grad=False), g.constant("c", 0.5)
    h = g.name("h", bpstep.abs(x * w) * c)
    return g.name("loss", bpstep.sum(h, axis=1)[0] * frozen + (x - 2.0))


def test_it_is_stepped_and_changed():
    loss = recorded()
    session = Session.open(Recorded(loss))
    assert session.graph is loss.graph
    assert session.total == len(bpstep.backward(loss))
    outcome = execute(session.at(4), "set x = 3; goto end; print grad(x)")
    assert outcome.session.graph is not loss.graph
    assert outcome.reports[-1].value == 5.5
    assert loss.graph.values[loss.graph.find("x")] == 2.0


def test_a_copy_is_the_same_tape():
    graph = recorded().graph
    copy = copied(graph, {graph.label(leaf): graph.values[leaf] for leaf in graph.leaves()})
    assert len(copy) == len(graph)
    for node in range(len(graph)):
        assert np.array_equal(copy.values[node], graph.values[node])
        for read in (
            type(graph).label,
            type(graph).expression,
            type(graph).role,
            type(graph).operands,
            type(graph).requires_grad,
        ):
            assert read(copy, node) == read(graph, node)
    assert copy.conventions == graph.conventions
