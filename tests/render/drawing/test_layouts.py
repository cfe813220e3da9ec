"""Boxes and lines have their places: none overlap, every cell is known; it is quick."""

from __future__ import annotations

import random
import time
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from picture_tracer import Picture
from random_drawings import Drawing, expected, laid, layered_drawing, painted, random_drawing

from bpstep.render.drawing.layering import layers
from bpstep.render.drawing.routing import Net, route
from bpstep.render.drawing.shape import Box, Edge, Style, lay_out

SMALL = "x->p,w->p,p->z,b->z,z->h,h->q,v->q,q->y,p->y,y->e,t->e,e->L"


def graph(text: str) -> Drawing:
    """Boxes and edges of ``a->b,b->c``; the names are numbered so that edges lead upwards."""
    pairs = [tuple(edge.split("->")) for edge in text.split(",")]
    waiting = list(dict.fromkeys(name for pair in pairs for name in pair))
    keys: dict[str, int] = {}
    while waiting:
        ready = [n for n in waiting if all(a in keys for a, b in pairs if b == n)]
        keys.update(zip(ready, range(len(keys), len(keys) + len(ready)), strict=True))
        waiting = [name for name in waiting if name not in keys]
    boxes = [Box(key, 10) for key in keys.values()]
    return boxes, [Edge(n, keys[a], keys[b], 0, 1) for n, (a, b) in enumerate(pairs)]


def big() -> str:
    edges: list[str] = []
    for i in range(1, 5):
        for j in (1, 2):
            edges += [f"x{j}->m{j}{i}", f"w{j}{i}->m{j}{i}", f"m{j}{i}->z{i}"]
        edges += [f"b{i}->z{i}"] if i < 4 else []
        edges += [f"z{i}->h{i}", f"h{i}->q{i}", f"v{i}->q{i}", f"q{i}->y"]
    return ",".join([*edges, "y->e", "e->L"])


@given(st.integers(0, 2**32), st.booleans())
@settings(max_examples=100)
def test_boxes_have_cells_of_their_own(seed: int, framed: bool) -> None:
    boxes, edges = random_drawing(random.Random(seed), 12)
    layout = lay_out(boxes, edges, Style(framed))
    owners: dict[tuple[int, int], int] = {}
    for box in boxes:
        region = layout.box(box.key)
        assert region.width >= box.width + 2
        for y in range(region.y, region.bottom):
            for x in range(region.x, region.right):
                assert owners.setdefault((x, y), box.key) == box.key
    for y in range(-1, layout.height + 1):
        for x in range(-1, layout.width + 1):
            assert layout.box_at(x, y) == owners.get((x, y))
    for y, line in enumerate(layout.lines):
        assert not any((x, y) in owners for x in line), "a line runs through a box"


@given(st.integers(0, 2**32))
@settings(max_examples=100)
def test_everything_can_be_walked_to(seed: int) -> None:
    boxes, edges = random_drawing(random.Random(seed), 12)
    layout = lay_out(boxes, edges, Style())
    for box in boxes:
        here = layout.box(box.key)
        right = layout.neighbour(box.key, "right")
        if right is not None:
            assert layout.neighbour(right, "left") == box.key
            assert layout.box(right).x >= here.right
        up, down = layout.neighbour(box.key, "up"), layout.neighbour(box.key, "down")
        assert up is None or layout.box(up).bottom <= here.y
        assert down is None or layout.box(down).y >= here.bottom
        sources = {edge.source for edge in edges if edge.target == box.key}
        assert not sources or up in sources
        targets = {edge.target for edge in edges if edge.source == box.key}
        assert not targets or down in targets


@given(st.integers(0, 2**32))
@settings(max_examples=200)
def test_consumers_stand_below_their_operands(seed: int) -> None:
    boxes, edges = random_drawing(random.Random(seed), 40)
    found = layers([box.key for box in boxes], edges)
    assert all(found[edge.source] < found[edge.target] for edge in edges)
    assert set(found.values()) == set(range(max(found.values()) + 1)), "an empty layer"


def test_leaves_stand_just_above_their_first_consumer() -> None:
    boxes, edges = graph(SMALL)
    found = layers([box.key for box in boxes], edges)
    consumers: dict[int, set[int]] = {}
    for edge in edges:
        consumers.setdefault(edge.source, set()).add(found[edge.target])
    read = {edge.target for edge in edges}
    assert all(found[key] == min(consumers[key]) - 1 for key in found if key not in read)


@pytest.mark.parametrize(("text", "most"), [(SMALL, 0), (big(), 18)])
def test_no_more_crossings_than_the_prototype(text: str, most: int) -> None:
    drawing = graph(text)
    layout = lay_out(*drawing, Style())
    assert layout.crossings <= most
    lines = painted(layout, drawing[0])
    assert Picture(lines, framed=False, ascii_only=False).edges() == expected(drawing[1])


def test_the_same_drawing_every_time() -> None:
    boxes, edges = layered_drawing(random.Random(5), 4, 5)
    once = painted(lay_out(boxes, edges, Style()), boxes)
    again = painted(lay_out(boxes[::-1], edges, Style()), boxes)
    assert once == again


@pytest.mark.parametrize("seed", range(5))
def test_lines_that_wait_for_each_other_take_two_tracks(seed: int) -> None:
    """Each of two lines has to be above the other: one is led round by a free column."""
    rng = random.Random(seed)
    left, right = sorted(rng.sample(range(0, 40, 2), 2))
    nets = [Net(left, {right: [0]}), Net(right, {left: [1]})]
    routed, tracks = route(nets)
    assert tracks == 3
    assert len(routed) == 3
    (lower,) = (net for net in routed if net.first is not None)
    assert lower.first is not None
    assert lower.first.track < lower.track
    (other,) = (net for net in routed if net not in (lower, lower.first))
    assert lower.first.track < other.track < lower.track


def test_a_ring_of_waiting_lines_is_broken() -> None:
    columns = [2, 6, 10, 14, 18]
    turned = columns[1:] + columns[:1]
    nets = [Net(a, {b: [n]}) for n, (a, b) in enumerate(zip(columns, turned, strict=True))]
    routed, tracks = route(nets)
    for y in range(tracks):
        spans = sorted((net.low, net.high) for net in routed if net.track == y)
        assert all(a[1] + 1 < b[0] for a, b in pairwise(spans))
    assert {edge for net in routed for end in net.ends.values() for edge in end} == set(range(5))


@pytest.mark.parametrize(("count", "most"), [(60, 0.06), (150, 0.3)])
def test_it_takes_a_moment(count: int, most: float) -> None:
    """Processor time, the best of three: layers of a network, and edges that skip some."""
    edges: list[Edge] = []
    for target in range(6, count):
        sources = [target - 6, target - 6 - target % 3] if target % 4 else [max(0, target - 20)]
        edges += [Edge(len(edges) + n, max(0, s), target, n, 2) for n, s in enumerate(sources)]
    boxes = [Box(key, 12) for key in range(count)]
    taken = []
    for _ in range(3):
        start = time.process_time()
        laid((boxes, edges), Style())
        taken.append(time.process_time() - start)
    assert min(taken) < most
