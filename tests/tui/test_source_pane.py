"""The tab `source`: the file, with the line of the step and of the selected node."""

from __future__ import annotations

from pathlib import Path

import pytest
from driving import documents, typed
from tabs import after_each, at_sizes

import bpstep
from bpstep.scenario import load, loads
from bpstep.session.recorded import Recorded
from bpstep.session.session import Session
from bpstep.tui.document import open_path, open_scenario
from bpstep.tui.draw.source import sender, source_lines


def opened(name: str, position: int) -> Session:
    return Session.open(load(name)).at(position)


def drawn(session: Session, node: str | None = None) -> list[str]:
    assert session.graph is not None
    selected = session.receiver if node is None else session.graph.find(node)
    return [line.plain.rstrip() for line in source_lines(session, selected)]


def signed(lines: list[str]) -> list[str]:
    return [line for line in lines if line[:1] in "▶›" and line]


def test_the_line_of_the_sender_and_of_the_selected_node_are_marked() -> None:
    shown = drawn(opened("full", 6))
    assert shown[0] == "full"
    assert shown[1] == "   1  bpstep: 1"
    assert signed(shown) == ["› 16    p: w * x", "▶ 20    y: q + p"]
    assert len(shown) == load("full").text.count("\n") + 1


@pytest.mark.parametrize(
    ("position", "name", "line"),
    [
        (0, "loss", "▶ 22    loss: 0.5 * e ** 2"),
        (1, "loss", "▶ 22    loss: 0.5 * e ** 2"),
        (2, "loss", "▶ 22    loss: 0.5 * e ** 2"),
        (3, "(e**2)", "▶ 22    loss: 0.5 * e ** 2"),  # an inner node is written in its entry
        (10, "z", "▶ 17    z: p + b"),
        (13, "p", "▶ 16    p: w * x"),
    ],
)
def test_the_sender_is_where_its_entry_is_written(position: int, name: str, line: str) -> None:
    session = opened("full", position)
    assert session.graph is not None
    node = sender(session)
    assert node is not None
    assert session.graph.label(node) == name
    assert line in drawn(session)


def test_leaves_stand_in_their_own_lines() -> None:
    assert "› 12  params: {w: 1, b: -1, v: 3}" in drawn(opened("full", 6), "w")


def test_an_inherited_node_is_shown_in_the_file_that_it_is_written_in() -> None:
    shown = drawn(opened("update-rates", 6))
    assert shown[0] == "01-full.yaml, which update-rates extends"
    assert "▶ 20    y: q + p   in 01-full.yaml" in shown
    own = drawn(opened("detached-skip", 4))
    assert own[0].startswith("01-full.yaml")
    changed = drawn(opened("detached-skip", 5), "w")
    assert changed[0] == "detached-skip"
    assert [
        line
        for line in signed(changed)
        if "y: q + skip" in line and line.endswith("› in 01-full.yaml, line 12")
    ]


def test_every_repeat_of_an_entry_is_its_one_line() -> None:
    session = opened("sigmoid-chain", 0)
    assert session.graph is not None
    lines = {
        line
        for position in range(3, session.total + 1)
        for line in signed(drawn(session.at(position)))
        if line.startswith("▶")
    }
    assert any("{i}" in line for line in lines)
    assert len(lines) < 6


def test_standard_input_is_shown_and_python_in_equations() -> None:
    scenario = loads("bpstep: 1\ntitle: Given\nparams: {w: 1}\ngraph: {loss: w * w}\n", "-")
    assert drawn(Session.open(scenario).at(2))[:1] == ["standard input"]
    graph = bpstep.Graph()
    x = graph.param("x", 2.0)
    graph.name("loss", graph.name("y", x * 3.0) + x)
    session = Session.open(Recorded(graph.name("end", x * x)))
    assert drawn(session.at(2)) == [
        "recorded in Python: there is no file",
        "› 1  x = 2   # param",
        "  2  y = x * 3",
        "  3  loss = y + x",
        "▶ 4  end = x * x",
    ]


def test_of_a_large_file_the_part_around_the_step_is_shown(tmp_path: Path) -> None:
    file = tmp_path / "large.yaml"
    entries = "".join(f"  n{k}: n{k - 1} * w\n" for k in range(1, 5000))
    file.write_text(f"bpstep: 1\ntitle: Large\nparams: {{w: 1}}\ngraph:\n  n0: w + 1\n{entries}")
    session = Session.open(load(str(file)))
    shown = drawn(session.at(5000))
    assert len(shown) < 160
    here = next(line for line in shown if line.startswith("▶"))
    number = int(here.split()[1])
    first = (number - 1) // 50 * 50 - 49
    assert shown[1] == f"… {first - 1} more lines above"
    assert shown[2].split()[0] == str(first)
    assert shown[-1].endswith("more lines below")
    assert drawn(session.at(session.total))[1] == "     1  bpstep: 1"


def test_controls_and_long_lines_are_safe(tmp_path: Path) -> None:
    file = tmp_path / "hostile.yaml"
    long = "x" * 5000
    file.write_text(
        f"bpstep: 1\ntitle: '[red]T[/]'\nabout: '\u202ereversed\u200b'\n# {long}\n"
        "params: {w: 1}\ngraph: {loss: w * w}\n",
        encoding="utf-8",
    )
    shown = drawn(Session.open(load(str(file))).at(2))
    assert shown[2] == "  2  title: '[red]T[/]'"
    assert shown[3] == "  3  about: '\\u202ereversed\\u200b'"
    assert max(map(len, shown)) < 420
    assert shown[4].endswith("…")


def test_a_file_is_highlighted_and_its_text_stays() -> None:
    session = opened("full", 6)
    lines = list(source_lines(session, session.receiver))
    assert any(span.style for span in lines[12].spans if "blue" in str(span.style))
    assert lines[12].plain == "  12  params: {w: 1, b: -1, v: 3}"


# In the app.


def test_the_marked_line_is_in_sight_at_every_size() -> None:
    for screen in at_sizes(documents("full"), "6 s", "source"):
        assert "▶ 20    y: q + p" in screen


def test_the_marked_line_is_followed_and_a_selected_one_until_escape() -> None:
    keys = ("1 0 s", "G", "g", "6 s", f"slash {typed('w')} enter", "escape")
    shown = after_each(documents("full"), "source", keys, (80, 24))
    for screen, line in zip(
        shown,
        (
            "▶ 17    z: p + b",
            "▶ 16    p: w * x",
            "▶ 22    loss: 0.5",
            "▶ 20    y: q + p",
            "› 12  params: {w",
            "▶ 20    y: q + p",
        ),
        strict=True,
    ):
        assert line in screen


def test_a_scenario_from_standard_input_has_a_source() -> None:
    scenario = loads("bpstep: 1\ntitle: Given\nparams: {w: 1}\ngraph: {loss: w * w}\n", "-")
    (screen,) = after_each([open_scenario(scenario)], "source", ("2 s",))
    assert "▶ 4  graph: {loss: w * w}" in screen


def test_a_reload_shows_the_file_as_it_is_now(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Else the app itself sees, after a while, that the file is another.
    monkeypatch.setattr("bpstep.tui.app.EVERY", 3600)
    file = tmp_path / "changed.yaml"
    file.write_text("bpstep: 1\ntitle: T\nparams: {w: 1}\ngraph: {loss: w * w}\n")
    opened_file = open_path(str(file))
    file.write_text("bpstep: 1\ntitle: T\n# new\nparams: {w: 1}\ngraph: {loss: w * w}\n")
    before, after = after_each([opened_file], "source", ("2 s", "r"))
    assert "▶ 4  graph: {loss: w * w}" in before
    assert "▶ 5  graph: {loss: w * w}" in after
