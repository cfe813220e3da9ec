"""The page: one file, offline, with every step in it, and nothing of a user's that is not text."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser

import pytest

import bpstep
from bpstep.render import lines
from bpstep.render.drawing.paint import paint
from bpstep.render.drawing.parts import Style
from bpstep.render.drawing.scenes import picture
from bpstep.render.html import page, window
from bpstep.render.html.pictures import MOST_DRAWN, Pictures
from bpstep.session import listing
from bpstep.session.commands import execute
from bpstep.session.recorded import Recorded
from bpstep.session.session import Session

HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(2)>\x1b[31m&amp;\u2028"
VOID = {"meta", "input", "br"}
LOADS = {"src", "href", "srcset", "data", "action", "poster", "background"}


class Reader(HTMLParser):
    """Collects elements, and checks that they are closed in order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, list[str]] = {}
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.setdefault(self.open[-1] if self.open else "", []).append(data)


def data_of(text: str):
    (found,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', text, re.S)
    return json.loads(found)


def chain(length: int) -> Session:
    graph = bpstep.Graph()
    node = graph.param("w", 1.0)
    for _ in range(length):
        node = node * 1.0
    return Session.open(Recorded(graph.name("loss", node)))


def test_nothing_is_loaded_from_elsewhere(full):
    text = page(full.at(6))
    for tag, attributes in Reader(text).found:
        assert tag not in {"link", "iframe", "img", "object", "embed", "base"}
        for name in LOADS & set(attributes):
            assert (attributes[name] or "").startswith("#")
    assert not re.search(r"https?://|@import|url\(", text)


def test_a_gradient_is_so_far_until_its_node_is_complete(full):
    frames = data_of(page(full))["frames"]
    heads = [(frames[step]["card"]["grad_head"], frames[step]["card"]["count"]) for step in (6, 9)]
    assert heads == [("gradient so far", "◐ 1 of 2 arrived"), ("gradient", "● 1 of 1 arrived")]


def test_every_step_is_in_the_page(full):
    data = data_of(page(full.at(6)))
    assert (data["first"], data["last"], data["at"]) == (0, 13, 6)
    frame = data["frames"][6]
    assert frame["place"] == "step 6 of 13 · ◐ p has 1 of 2"
    assert "p receives 4 × 1 = 4" in frame["why"]
    assert frame["card"]["rows"] == [
        ["▶", "y = q + p", "1", "4", "1", "4", "4", ""],
        ["", "z = p + b", "0", "·", "·", "·", "·", ""],
    ]
    assert data["frames"][10]["card"]["rows"][1][3:7] == ["12", "1", "12", "16"]


def test_the_reverse_order_adds_up_to_what_the_session_says(full):
    data = data_of(page(full))
    rows = [row[:] for row in data["passes"]["1"]["rows"]]
    for step, frame in enumerate(data["frames"]):
        for row, signs, grad in frame["set"]:
            rows[row][2:4] = signs, grad
        now = listing.rows(full.at(step), reversed(full.graph.visible()))
        assert [(row[0], row[2][0]) for row in rows] == [
            (each.name, lines.SIGNS[each.status]) for each in now
        ]
        assert [row[3] for row in rows] == [
            "" if each.grad is None else f"{each.grad:g}" for each in now
        ]


def test_drawings_made_line_by_line_are_the_whole_ones(full, kink):
    for session in (full, kink):
        pictures = Pictures()
        for step in [*range(session.total + 1), 3, 0]:
            here = session.at(step)
            found = picture(here, None, Style(framed=True), most=MOST_DRAWN)
            numbers, note = pictures.of(here)
            shown = ["".join(piece for piece, _ in pictures.lines[number]) for number in numbers]
            assert shown == [text.plain for text in paint(found.layout, found.faces, found.marks)]
            assert note is None


def test_without_a_script_all_steps_stand_in_a_table(full):
    text = page(full.at(6))
    assert text.count('<tr id="row-') == 13
    assert "<noscript>" in text
    assert re.search(r'<pre id="drawing"[^>]*>.*▲', text, re.S)


def test_commands_and_their_reports_are_in_it(full):
    session = full
    for command in ("break p", "continue", "print grad(p)", "set b = -2"):
        session = execute(session, command).session
    text = page(session)
    for said in ("&gt; break p", "&gt; print grad(p)", "Changed by set: b."):
        assert said in text


def test_an_entire_run_has_its_result(full):
    text = page(full, entire=True)
    assert "<h3>Result</h3>" in text
    assert '<th scope="row">p</th><td class="num">2</td><td class="num">16</td>' in text


def test_what_a_user_wrote_is_text(open_network):
    session = open_network(title=HOSTILE, path=HOSTILE, notes={"p": HOSTILE})
    session = execute(session, "goto 6").session
    session = execute(session, "info p").session
    for entire in (False, True):
        text = page(session, entire=entire)
        tags = [tag for tag, _ in Reader(text).found]
        assert tags.count("script") == 2
        assert "img" not in tags
        assert "\x1b" not in text
        assert "alert(1)" in data_of(text)["frames"][6]["card"]["remarks"][-1]


def test_hostile_names_are_text():
    graph = bpstep.Graph()
    x = graph.input("".join(sign for sign in HOSTILE if sign.isprintable()), 2.0)
    session = Session.open(Recorded(graph.name("loss", x * x)))
    tags = [tag for tag, _ in Reader(page(session.at(2))).found]
    assert tags.count("script") == 2
    assert "img" not in tags


def test_a_long_run_is_cut_round_the_position_and_says_so():
    session = chain(20_000).at(10_000)
    text = page(session)
    data = data_of(text)
    assert len(data["frames"]) == window.MOST_STEPS + 1
    assert data["first"] < 10_000 < data["last"]
    assert "of 20001" in text
    assert len(data["passes"]["1"]["rows"]) == window.MOST_NODES
    assert data["passes"]["1"]["left"] > 0
    assert "nodes, those about the current one" in data["notes"][0]
    assert len(text) < 2_000_000


@pytest.mark.parametrize("lesson", ["two-losses", "detached-skip", "matrix-layer", "stale-value"])
def test_lessons_with_passes_ghosts_tensors_and_errors(lesson):
    session = Session.open(bpstep.load(lesson))
    for step in {0, session.total // 2, session.total}:
        text = page(session.at(step), entire=step == 0)
        Reader(text)
        assert len(data_of(text)["frames"]) == session.total + 1
    assert "<!DOCTYPE html>" in text
