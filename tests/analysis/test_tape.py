"""A tape at many points at once: the values of point after point, and who shares a smooth piece."""

import itertools

import numpy as np
import pytest
from judged_passes import SORTS, Sort, graphs

from bpstep.analysis.branches import signature
from bpstep.analysis.forward import evaluate
from bpstep.analysis.sweep import HERE, MOST_ROWS, Element, Sweep
from bpstep.analysis.tape import Tape
from bpstep.engine.graph import Graph

STEPS = np.array([0.3, 1e-3, -0.2, -1e-6, 0.0])


def elements_of(graph):
    return [
        Element(leaf, index) for leaf in graph.params() for index in np.ndindex(graph.shape(leaf))
    ]


def moved(graph, element, step):
    """The leaf's value with one element moved, by itself."""
    value = np.array(graph.values[element.node], dtype=graph.dtype)
    value[element.index] += np.asarray(step, dtype=graph.dtype)
    return value if value.ndim else float(value)


@pytest.mark.parametrize("sort", SORTS, ids=lambda sort: sort.name)
def test_a_batch_is_point_after_point(sort):
    for graph, loss, _ in itertools.islice(graphs(sort, 5), 12):
        elements = elements_of(graph)
        sweep = Sweep(Tape(graph, loss, held=False), elements)
        points = sweep.at(elements, np.tile(STEPS, (len(elements), 1)))
        relative = 1e-9 if graph.dtype == np.float64 else 1e-2
        for row, element in enumerate(elements):
            for column, step in enumerate(STEPS):
                values = evaluate(graph, {element.node: moved(graph, element, step)})
                expected = float(values[loss])
                found = points.losses[row, column]
                if np.isfinite(expected) and abs(expected) < 1e6:
                    assert found == pytest.approx(expected, rel=relative, abs=relative)


def test_points_on_one_piece_are_those_whose_operations_take_the_same_branches():
    apart = 0
    for graph, loss, _ in itertools.islice(graphs(Sort("numbers"), 6), 30):
        elements = elements_of(graph)
        tape = Tape(graph, loss)
        points = Sweep(tape, elements).at(elements, np.tile(STEPS, (len(elements), 1)))
        here = signature(graph, evaluate(graph, {}))
        counted = [node for node in here if tape.depends_on(node)]
        for row, element in enumerate(elements):
            for column, step in enumerate(STEPS):
                values = evaluate(graph, {element.node: moved(graph, element, step)})
                there = signature(graph, values)
                if points.same[row, column]:
                    for node in counted:
                        assert np.array_equal(here[node], there[node], equal_nan=True)
                apart += not points.same[row, column]
    assert apart > 10


def network():
    graph = Graph()
    x, w = graph.param("x", 2.0), graph.param("w", 1.0)
    z = graph.name("z", x * w - 1.0)
    return graph, graph.name("loss", graph.apply("relu", z) + graph.apply("detach", x))


def test_detached_values_are_held_or_rebuilt():
    graph, loss = network()
    element = Element(graph.find("x"), ())
    for held, expected in ((True, 4.0), (False, 5.0)):
        points = Sweep(Tape(graph, loss.index, held=held), [element]).at([element], np.ones((1, 1)))
        assert (points.here, points.losses.tolist()) == (3.0, [[expected]])


def test_an_offset_may_be_compared_with_another():
    graph, loss = network()
    element = Element(graph.find("x"), ())
    sweep = Sweep(Tape(graph, loss.index), [element])
    offsets = np.array([[-2.0, -1.5, 1.0]])
    assert sweep.at([element], offsets).same.tolist() == [[False, False, True]]
    assert sweep.at([element], offsets, [0, 0, 0]).same.tolist() == [[True, True, False]]
    assert sweep.at([element], offsets, [HERE, 0, HERE]).same.tolist() == [[False, True, True]]
    assert sweep.changed == {graph.find("(relu(z))")}
    assert sweep.same([element], offsets, [0, 0, 0]).tolist() == [[True, True, False]]


def test_an_interior_node_is_moved_by_itself():
    graph, loss = network()
    element = Element(graph.find("z"), ())
    points = Sweep(Tape(graph, loss.index), [element]).at([element], np.array([[0.5, -3.0]]))
    assert points.losses.tolist() == [[3.5, 2.0]]
    assert points.same.tolist() == [[True, False]]


def test_large_batches_are_cut_into_parts():
    graph = Graph()
    x = graph.param("x", np.linspace(0.5, 1.5, 50))
    loss = graph.apply("sum", x * x)
    elements = elements_of(graph)
    steps = np.linspace(0, 1, MOST_ROWS // 20)
    points = Sweep(Tape(graph, loss.index), elements).at(elements, np.tile(steps, (50, 1)))
    start = np.linspace(0.5, 1.5, 50)[:, None]
    expected = float(loss.value) + 2 * start * steps + steps**2
    assert np.allclose(points.losses, expected, rtol=1e-12)


def test_only_what_moves_is_evaluated_and_arrays_are_let_go():
    graph = Graph()
    x, still = graph.param("x", 1.0), graph.param("still", 2.0)
    other = still * 3.0
    y = x
    for _ in range(100):
        y = y * 0.5 + other
    tape = Tape(graph, (y + still * still).index)
    plan = tape.plan({x.index})
    assert plan.operations == 201
    assert plan.width <= 3
    assert not tape.depends_on(graph.literal(1.0).index)


def test_ties_at_the_point():
    graph = Graph()
    x = graph.param("x", 0.0)
    y = graph.apply("relu", x)
    loss = y + graph.apply("maximum", x, 1.0)
    assert Tape(graph, loss.index).tied() == (y.index,)
