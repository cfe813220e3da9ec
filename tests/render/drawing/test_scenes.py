"""A session as a picture: the right nodes, the same places at every step, signs for every state."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from picture_tracer import Picture as Traced
from random_drawings import expected, painted
from random_graphs import random_computation
from rich.cells import cell_len

from bpstep.engine.graph import Graph
from bpstep.render.drawing.choosing import choose
from bpstep.render.drawing.paint import paint
from bpstep.render.drawing.painter import Painter
from bpstep.render.drawing.plan import NAME_WIDTH
from bpstep.render.drawing.scenes import Picture, picture
from bpstep.render.drawing.shape import Box, Edge, Style, lay_out
from bpstep.scenario import load
from bpstep.session.session import Session

SCENARIOS = sorted((Path(__file__).parents[3] / "scenarios").glob("*.yaml"))
STYLES = [Style(f, a) for f in (False, True) for a in (False, True)]


def opened(name: str, step: int = 0) -> Session:
    return Session.open(load(name)).at(step)


def made(session: Session, selected: int | None = None, style: Style | None = None) -> Picture:
    found = picture(session, selected, style or Style())
    assert found is not None
    return found


def lines(one: Picture) -> list[str]:
    return [line.plain for line in paint(one.layout, one.faces, one.marks)]


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_nothing_moves_through_all_steps_of_a_lesson(path: Path) -> None:
    session = opened(str(path))
    for style in STYLES:
        places = set()
        for step in range(0, session.total + 1, max(1, session.total // 8)):
            one = picture(session.at(step), None, style)
            if one is None:
                continue
            drawn = paint(one.layout, one.faces, one.marks)
            assert all(line.cell_len <= one.layout.width for line in drawn)
            assert not style.ascii or all(line.plain.isascii() for line in drawn)
            places.add(tuple(one.layout.regions.items()))
        graphs = {id(each.graph): len(each.graph) for each in session.run.passes}
        assert len(places) <= len(set(graphs.values())) or len(places) <= 1


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_lines_that_are_kept_are_those_that_would_be_painted(path: Path) -> None:
    session, painter, draw = opened(str(path)), Painter(), Random(3)
    nodes = session.graph.visible() if session.graph is not None else ()
    for number in range(40):
        style = STYLES[number // 10]
        selected = draw.choice([None, *nodes])
        one = picture(session.at(draw.randint(0, session.total)), selected, style, most=12)
        if one is not None:
            kept = [painter.line(one, y) for y in range(one.layout.height)]
            assert kept == paint(one.layout, one.faces, one.marks)


def test_gradients_that_have_not_arrived_are_blank() -> None:
    before = lines(made(opened("full")))
    assert not any("∂" in line for line in before)
    after = lines(made(opened("full", 13)))
    assert sum("∂" in line for line in after) > 6


def test_the_edge_of_the_step_is_heavy_and_says_what_it_brings() -> None:
    session = opened("full", 6)
    one = made(session)
    (heavy,) = [key for key, mark in one.marks.items() if mark.heavy]
    assert one.marks[heavy].label == "4"
    edge = one.layout.edges[heavy]
    step = session.contribution
    assert step is not None
    assert (edge.source, edge.target) == (step.target_id, step.source_id)


def test_of_identical_edges_only_that_of_the_operand_is_marked() -> None:
    for step, operand in ((2, 0), (3, 1)):
        one = made(opened("repeated-operand", step))
        (heavy,) = [key for key, mark in one.marks.items() if mark.heavy]
        assert one.layout.edges[heavy].operand == operand


def test_a_detach_shows_what_it_keeps_back() -> None:
    one = made(opened("detached-skip", 3))
    (cut,) = [mark for mark in one.marks.values() if mark.dashed]
    assert cut.label == "✂ 4"
    assert any("▼✂ 4" in line for line in lines(one))


def test_a_large_graph_is_drawn_about_the_selected_node() -> None:
    session = opened("full", 6)
    graph = session.graph
    assert graph is not None
    p = graph.find("p")
    one = picture(session, p, Style(), most=5)
    assert one is not None
    assert not one.whole
    assert one.total == len(graph.visible())
    names = {graph.label(key) for key in one.layout.regions}
    assert names == {"w", "x", "p", "z", "y", "h", "e"}
    assert one.left_out[graph.find("y")] == 1
    assert any("…1" in line for line in lines(one))


def test_the_selected_box_has_a_sign() -> None:
    session = opened("full", 6)
    assert session.graph is not None
    one = made(session, session.graph.find("e"))
    assert any("›e" in line for line in lines(one))
    assert any("▶p" in line for line in lines(one))


NAMES = ("数" * 20, "e\u0301" * 9, "👩🔬" * 5, "a[/b]" * 6)


def product(graph: Graph, leaves: Mapping[str, Any]) -> None:
    first, *others = (graph.param(name, value) for name, value in leaves.items())
    for other in others:
        first = first * other
    graph.name("loss", first)


@pytest.mark.parametrize("style", STYLES)
def test_long_and_wide_names_are_cut_to_their_boxes(style: Style, open_made: Any) -> None:
    one = made(open_made(product, dict.fromkeys(NAMES, 1.5)).at(3), None, style)
    drawn = lines(one)
    for region in one.layout.regions.values():
        assert region.width <= NAME_WIDTH + 24
        row = region.y + 1 if style.framed else region.y
        for column in (region.x, region.right - 1):
            (side,) = {c for x, c in columns(drawn[row]) if x == column}
            assert side in "()[]│|"


def columns(line: str) -> Iterator[tuple[int, str]]:
    """Every character and the column it stands in."""
    column = 0
    for character in line:
        width = cell_len(character)
        if width:
            yield column, character
        column += width


@pytest.mark.parametrize("seed", range(30))
def test_random_computations_trace_back(seed: int) -> None:
    computation = random_computation(np.random.default_rng(seed), 12, tensors=seed % 2 == 1)
    graph, _ = computation.record()
    choice = choose(graph, len(graph), 500, None, None)
    boxes = [Box(node, 8) for node in choice.nodes]
    edges = [
        Edge(key, joint.operand, joint.consumer, joint.position, 3)
        for key, joint in enumerate(choice.joints)
    ]
    assert len(edges) == sum(len(graph.operands(node)) for node in choice.nodes)
    for style in STYLES:
        drawn = painted(lay_out(boxes, edges, style), boxes)
        assert Traced(drawn, style.framed, style.ascii).edges() == expected(edges)
