"""The tab `paths`: every path into the selected node, those of the step marked."""

from __future__ import annotations

import asyncio
import threading

import pytest
from driving import LARGE, debug, documents, press, pressed, text, typed, worked
from tabs import after_each, at_sizes

import bpstep
from bpstep.analysis.paths import PathsResult, effort, paths
from bpstep.analysis.progress import breathe
from bpstep.scenario import load
from bpstep.session.recorded import Recorded
from bpstep.session.session import Session
from bpstep.tui.app import BpstepApp
from bpstep.tui.document import Document
from bpstep.tui.draw.paths import paths_lines, written_out
from bpstep.tui.scene import Scene
from bpstep.tui.widgets.detail_tabs import DetailTabs
from bpstep.tui.widgets.paths_pane import PathsPane


def drawn(session: Session, node: str, width: int = 56) -> list[str]:
    assert session.ledger is not None
    found = paths(session.ledger, node, 20)
    return [line.plain for line in paths_lines(session, found, width)]


def opened(name: str, position: int) -> Session:
    return Session.open(load(name)).at(position)


def doubled(times: int) -> Session:
    graph = bpstep.Graph()
    node = graph.param("x", 0.5)
    for number in range(times):
        node = graph.name(f"a{number}", node + node)
    return Session.open(Recorded(node))


def test_the_paths_into_w_of_full_are_24_and_8() -> None:
    assert drawn(opened("full", 6), "w", 40) == [
        "2 paths to w, sum 32, the gradient",
        "○ 24  " + "█" * 34,
        "    loss → (e**2) → e → y → q → h → z →",
        "    p → w",
        "    0.5 · 8 · 1 · 1 · 3 · 1 · 1 · 2",
        "▶  8  " + "█" * 11,
        "    loss → (e**2) → e → y → p → w",
        "    0.5 · 8 · 1 · 1 · 2",
    ]


@pytest.mark.parametrize(
    ("position", "signs"),
    [
        (0, ["○", "○"]),
        (1, ["○", "○"]),  # the seed is no edge
        (4, ["▶", "▶"]),  # e to y
        (5, ["▶", "○"]),  # y to q
        (6, ["○", "▶"]),  # y to p, the direct path
        (10, ["▶", "●"]),  # z to p
        (12, ["●", "●"]),  # p to w was step 11 or 12: by then all have arrived
        (13, ["●", "●"]),
    ],
)
def test_the_paths_of_the_step_are_marked_and_those_that_have_arrived(
    position: int, signs: list[str]
) -> None:
    shown = drawn(opened("full", position), "p")
    assert [line[0] for line in shown if "█" in line] == signs


def test_the_edge_into_a_leaf_is_on_all_its_paths() -> None:
    session = opened("full", 13)
    assert session.ledger is not None
    step = session.ledger.steps_of("w")[0]
    shown = drawn(session.at(step), "w")
    assert [line[0] for line in shown if "█" in line] == ["▶", "▶"]


def test_a_ghost_has_its_sign_and_adds_to_nothing() -> None:
    shown = drawn(opened("detached-skip", 0), "p")
    assert shown[0] == "1 path to p, sum 12, the gradient"
    assert "✂ 1 path through a detach: a ghost, it adds to nothing" in shown
    assert shown[-3].startswith("✂ 4  █")
    assert shown[-2] == "    loss → (e**2) → e → y → ✂ skip → p"


def test_negative_shares_go_to_the_other_side() -> None:
    shown = drawn(opened("cancellation", 0), "x", 40)
    assert shown[0] == "2 paths to x, sum 0, the gradient"
    bars = [line for line in shown if "█" in line]
    assert [line[2:6] for line in bars] == ["-0.5", " 0.5"]
    axis = {line.index("│") for line in bars}
    assert len(axis) == 1
    assert bars[0].index("█") < axis.pop() < bars[1].index("█")


def test_a_pass_that_did_not_bring_what_the_paths_do_is_told_so() -> None:
    assert drawn(opened("overwrite-bug", 13), "w")[0] == (
        "2 paths to w, sum 32 ≠ the gradient, 24: the pass did not bring what the paths do"
    )


def test_the_number_of_paths_is_exact_however_large() -> None:
    assert written_out(12) == ""
    assert written_out(2**100) == "2**100 = 1267650600228229401496703205376"
    assert written_out(3**50) == str(3**50)
    assert written_out(2**20_000) == "2**20000"
    assert written_out(3**20_000) == ""
    shown = drawn(doubled(200), "x")
    assert shown[0] == "about 10**60 paths to x, sum 1.61e+60, the gradient"
    assert shown[1] == "exactly 2**200"
    assert shown[-1] == "… and about 10**60 more"


def test_what_is_no_number_has_a_sign_and_no_bar() -> None:
    shown = drawn(opened("sqrt-at-zero", 0), "x")
    assert "!" in shown[1]
    assert not any("█" in line for line in shown)


def test_a_tensor_has_a_bar_of_its_norm_and_rules_as_factors() -> None:
    shown = drawn(opened("matrix-layer", 3), "W")
    assert shown[0].startswith("1 path to W, sum [[1, 4, 5], [-1, -1.5, 2.5]], the gradient")
    assert shown[1].startswith("▶ (2, 3)  ███")
    assert "G.T" in " ".join(shown)


@pytest.mark.parametrize("width", [24, 38, 56, 110])
def test_bars_chains_and_factors_fit(width: int) -> None:
    graph = bpstep.Graph()
    w = graph.param("[red]w[/]\u4e2d" + "long" * 30, 2.0)
    hostile = Session.open(Recorded(graph.name("loss", w * w)))
    for session, node in ((hostile, w.name), (doubled(30), "x"), (opened("full", 6), "w")):
        rows = drawn(session, node, width)[1:]
        assert [row for row in rows if len(row) > width and "│" not in row] == []


def test_an_edge_is_on_a_path_or_not() -> None:
    session = doubled(40)
    assert session.ledger is not None
    assert session.graph is not None
    found = paths(session.ledger, "x", 3)
    top = session.graph.find("a39")
    assert [path.carries(top, 0) + path.carries(top, 1) for path in found.paths] == [1, 1, 1]
    assert not any(path.carries(session.graph.find("x"), 0) for path in found.paths)
    assert effort(session.ledger, "x") > 5000


# In the app.


def test_the_tab_shows_them_at_every_size() -> None:
    for screen in at_sizes(documents("full"), "6 s", "paths"):
        assert "2 paths to p, sum 16, the gradient" in screen
        assert "▶  4  █" in screen


def test_the_tab_follows_the_step_and_the_selection() -> None:
    keys = ("1 0 s", "n", f"slash {typed('w')} enter", f"slash {typed('target')} enter")
    p, b, w, target = after_each(documents("full"), "paths", keys)
    assert "▶ 12  █" in p
    assert "1 path to b, sum 12, the gradient" in b
    assert "2 paths to w, sum 32, the gradient" in w
    assert "0 paths to target, nothing arrives" in target


def test_many_paths_are_looked_for_in_a_thread_that_a_newer_search_calls_off(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    session, found = doubled(400), []
    gate, find = threading.Event(), PathsPane.find

    def gated(pane: PathsPane, scene: Scene) -> PathsResult:
        assert gate.wait(60)
        breathe()
        found.append(scene.selected)
        return find(pane, scene)

    monkeypatch.setattr(PathsPane, "find", gated)

    async def looked_at() -> list[str]:
        app = BpstepApp([Document("-", session)])
        async with app.run_test(size=LARGE) as pilot:
            await pilot.pause()
            await pressed(app, pilot, "3 0 0 s")
            debug(app).query_one(DetailTabs).open("paths")
            await pilot.pause()
            before = text(app)
            press(app, "G")
            await pilot.pause()
            gate.set()
            await worked(app, pilot)
            return [before, text(app)]

    before, after = asyncio.run(looked_at())
    assert "Looking for the paths to a249 …" in before
    assert "about 10**120 paths to x" in after
    assert found == [0], "of the two searches one was called off"


def test_escape_calls_a_search_off(monkeypatch: pytest.MonkeyPatch) -> None:
    session = doubled(400).at(300)
    gate = threading.Event()
    find = PathsPane.find

    def gated(pane: PathsPane, scene: Scene) -> PathsResult:
        while not gate.is_set():
            breathe()
        return find(pane, scene)

    monkeypatch.setattr(PathsPane, "find", gated)

    async def looked_at() -> tuple[str, str]:
        app = BpstepApp([Document("-", session)])
        async with app.run_test(size=LARGE) as pilot:
            await pilot.pause()
            debug(app).query_one(DetailTabs).open("paths")
            await pilot.pause()
            press(app, "escape")
            await pilot.pause()
            off = text(app)
            gate.set()
            press(app, "G")
            await pilot.pause()
            await worked(app, pilot)
            return off, text(app)

    off, after = asyncio.run(looked_at())
    assert "Called off." in off
    assert "paths to x" in after
