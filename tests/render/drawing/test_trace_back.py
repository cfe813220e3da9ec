"""A painted picture, followed line by line, gives back the edges it was made from, and no other."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from picture_tracer import TIPS, Picture
from random_drawings import Drawing, expected, laid, layered_drawing, painted, random_drawing
from rich.cells import cell_len

from bpstep.render.drawing.paint import Mark
from bpstep.render.drawing.shape import Box, Edge, Layout, Style

STYLES = st.builds(Style, st.booleans(), st.booleans(), st.sampled_from((1, 2, 3)))


@st.composite
def drawings(draw: st.DrawFn, most: int = 10) -> Drawing:
    rng = random.Random(draw(st.integers(0, 2**32)))
    if draw(st.booleans()):
        return random_drawing(rng, most, draw(st.integers(1, most)))
    return layered_drawing(rng, rng.randint(2, 3), rng.randint(2, 4))


def edges_of(lines: list[str], style: Style) -> Counter[tuple[str, str]]:
    return Picture(lines, style.framed, style.ascii).edges()


@given(drawings(), STYLES)
@settings(max_examples=600, deadline=None)
def test_a_picture_gives_back_its_edges(drawing: Drawing, style: Style) -> None:
    layout = laid(drawing, style)
    lines = painted(layout, drawing[0])
    assert edges_of(lines, style) == expected(drawing[1])
    assert all(len(line) <= layout.width for line in lines)
    assert not style.ascii or all(line.isascii() for line in lines)


@given(drawings(), STYLES, st.data())
@settings(max_examples=150, deadline=None)
def test_marks_leave_the_lines_as_they_are(
    drawing: Drawing, style: Style, data: st.DataObject
) -> None:
    boxes, edges = drawing
    layout = laid(drawing, style)
    kinds = st.sampled_from((Mark(), Mark(dashed=True), Mark(heavy=True), Mark(rank=2)))
    marks = {edge.key: data.draw(kinds) for edge in edges}
    assert edges_of(painted(layout, boxes, marks), style) == expected(edges)


@given(drawings(), STYLES, st.data())
@settings(max_examples=150, deadline=None)
def test_a_label_stands_beside_the_end_of_its_edge(
    drawing: Drawing, style: Style, data: st.DataObject
) -> None:
    boxes, edges = drawing
    if not edges:
        return
    layout = laid(drawing, style)
    edge = data.draw(st.sampled_from(edges))
    label = "7" * edge.label
    lines = painted(layout, boxes, {edge.key: Mark(heavy=True, label=label)})
    spot = layout.spots[edge.key]
    up = "^" if style.ascii else "▲"
    assert lines[spot.y][spot.x] == up
    assert sum(line.count(up) for line in lines) == 1
    around = lines[spot.y][max(0, spot.x - edge.label) : spot.x + 1 + edge.label]
    assert around.startswith(label + up) or around.endswith(up + label)
    assert edges_of(lines, style) == expected(edges)


@given(drawings(), st.booleans())
@settings(max_examples=150, deadline=None)
def test_all_labels_have_room_at_once(drawing: Drawing, framed: bool) -> None:
    boxes, edges = drawing
    style = Style(framed)
    layout = laid(drawing, style)
    marks = {edge.key: Mark(label="7" * edge.label) for edge in edges}
    lines = painted(layout, boxes, marks)
    assert sum(line.count("7") for line in without_boxes(lines, layout)) == sum(
        edge.label for edge in edges
    )
    assert edges_of(lines, style) == expected(edges)


def without_boxes(lines: list[str], layout: Layout) -> list[str]:
    return [
        "".join(c for x, c in enumerate(line) if layout.box_at(x, y) is None)
        for y, line in enumerate(lines)
    ]


HEAVY = "┃━┏┓┗┛"


@given(drawings(), st.booleans(), st.data())
@settings(max_examples=150, deadline=None)
def test_a_heavy_mark_is_on_its_own_edge_only(
    drawing: Drawing, framed: bool, data: st.DataObject
) -> None:
    boxes, edges = drawing
    if not edges:
        return
    layout = laid(drawing, Style(framed))
    edge = data.draw(st.sampled_from(edges))
    plain = painted(layout, boxes)
    marked = painted(layout, boxes, {edge.key: Mark(heavy=True)})
    changed = {
        (x, y)
        for y, (before, after) in enumerate(zip(plain, marked, strict=True))
        for x, (a, b) in enumerate(zip(before, after, strict=True))
        if a != b
    }
    assert changed
    outside = {cell for cell in changed if layout.box_at(*cell) is None}
    # A junction of four ways is a dot, heavy or not.
    outside |= {
        (x, y)
        for y, line in enumerate(marked)
        for x, character in enumerate(line)
        if character == "●" and edge.key in layout.edges_at(x, y)
    }
    assert all(edge.key in layout.edges_at(*cell) for cell in outside)
    feet = {layout.box_at(*cell) for cell in changed - outside}
    assert feet == ({edge.source} if framed else set())
    # From the box above to the tip below without a break.
    reached = {(layout.spots[edge.key].x, layout.spots[edge.key].y)}
    waiting = list(reached)
    while waiting:
        x, y = waiting.pop()
        for cell in {(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)} & (outside - reached):
            reached.add(cell)
            waiting.append(cell)
    assert reached == outside
    assert min(y for _, y in outside) == top_below(layout, edge)


def top_below(layout: Layout, edge: Edge) -> int:
    return layout.box(edge.source).bottom


@pytest.mark.parametrize("style", [Style(f, a) for f in (False, True) for a in (False, True)])
def test_identical_edges_are_lines_of_their_own(style: Style) -> None:
    boxes = [Box(0, 6), Box(1, 6), Box(2, 6)]
    for far in (1, 2):
        edges = [
            Edge(0, 0, far, 0, 1),
            Edge(1, 0, far, 1, 1),
            Edge(2, 0, 1, 0 if far > 1 else 2, 1),
        ]
        edges.append(Edge(3, 1, 2, 2, 1))
        layout = laid((boxes, edges), style)
        assert edges_of(painted(layout, boxes), style) == expected(edges)
        for key in (0, 1):
            lines = painted(layout, boxes, {key: Mark(heavy=True, label="5")})
            assert sum(line.count("5") for line in lines) == 1
            spot = layout.spots[key]
            assert lines[spot.y][spot.x] in TIPS


@pytest.mark.parametrize("style", [Style(f, a) for f in (False, True) for a in (False, True)])
def test_many_consumers_and_many_operands(style: Style) -> None:
    boxes = [Box(key, 6) for key in range(42)]
    edges = [Edge(key, 0, key + 1, 0, 2) for key in range(40)]
    edges += [Edge(40 + key, key + 1, 41, key, 2) for key in range(40)]
    layout = laid((boxes, edges), style)
    assert edges_of(painted(layout, boxes), style) == expected(edges)
    assert all(cell_len(line) <= layout.width for line in painted(layout, boxes))


def test_a_drawing_of_nothing_and_of_one_box() -> None:
    assert painted(laid(([], []), Style()), []) == []
    assert painted(laid(([Box(0, 4)], []), Style()), [Box(0, 4)]) == ["[ n0 ]"]
