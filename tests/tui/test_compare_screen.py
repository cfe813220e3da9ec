"""Two sessions side by side, in step."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from driving import LARGE, SMALL, debug, documents, play, position, pressed, text, typed

import bpstep
from bpstep.scenario import load
from bpstep.session import listing
from bpstep.session.recorded import Recorded
from bpstep.session.session import Session
from bpstep.tui.app import BpstepApp
from bpstep.tui.draw.sides import halves, parting, relation, table_line
from bpstep.tui.screens.compare import CompareScreen
from bpstep.tui.screens.debug import DebugScreen
from bpstep.tui.sides import Sides

DETACHED = f"d {typed('detached-skip')} enter"


def sides(left: str, right: str, position: int = 0) -> Sides:
    return Sides(Session.open(load(left)).at(position), Session.open(load(right)))


# The model.


def test_the_right_side_stands_at_the_same_step_or_the_last_common_one() -> None:
    found = sides("full", "detached-skip")
    at = [found.moved(found.left.at(step)) for step in (0, 5, 6, 7, 13)]
    assert [each.right.position for each in at] == [0, 5, 5, 6, 12]
    assert [each.same for each in at] == [True, True, False, True, True]
    assert [relation(each) for each in at] == [
        "",
        "",
        "no such step: the last common one",
        "",
        "",
    ]
    assert parting(found)[0] == "≠ they part at step 6"


def test_steps_of_its_own_are_counted() -> None:
    found = sides("detached-skip", "full", 6)
    assert (found.right.position, relation(found)) == (7, "after 1 step of its own")
    assert relation(sides("full", "matrix-layer", 13)).startswith("at its end, ")
    assert parting(sides("full", "full"))[0] == "no step differs"


def test_a_line_marks_each_number_that_differs_and_a_node_that_is_not_there() -> None:
    found = sides("full", "detached-skip", 13)
    rows = {found.name(row): table_line(found, row, 79).plain for row in found.listed}
    assert rows["p"].count("≠") == 3, "the gradient on either side, and between the halves"
    assert "≠16" in rows["p"].replace(" ", "")
    assert rows["q"].count("≠") == 0
    assert rows["skip"].startswith("–")
    assert "no skip" in rows["skip"]
    assert all(len(line) == 79 for line in rows.values())
    assert sum(halves(79)) == 76


def test_only_nodes_that_differ_are_listed_when_asked() -> None:
    found = sides("full", "detached-skip").narrowing()
    assert [found.name(row) for row in found.listed] == ["skip", "p", "w", "x"]
    assert len(found.narrowing().listed) == 14
    moved = found.choosing_by(99)
    assert moved.selected == found.listed[-1]


# The screen.


def shown(app: BpstepApp) -> CompareScreen:
    assert isinstance(app.screen, CompareScreen)
    return app.screen


def test_keys_step_both_and_the_position_is_kept() -> None:
    steps = {
        "": (6, 5),
        "s": (7, 6),
        "2 S": (4, 4),
        "n": (7, 6),
        "N": (5, 5),
        "G": (13, 12),
        "g": (0, 0),
        "8 G": (8, 7),
        "c": (13, 12),
        "G C": (0, 0),
        "m": (12, 11),
        "g m": (6, 5),
        "G M": (12, 11),
        "g p": (6, 5),
    }

    async def played() -> dict[str, tuple[int, int]]:
        found = {}
        app = BpstepApp(documents("full"))
        async with app.run_test(size=SMALL) as pilot:
            await pilot.pause()
            await pressed(app, pilot, f"6 s {DETACHED}")
            begun = shown(app).sides
            for keys in steps:
                shown(app).sides = begun
                await pressed(app, pilot, keys)
                both = shown(app).shown
                found[keys] = (both.left.position, both.right.position)
            await pressed(app, pilot, "9 G d")
            assert isinstance(app.screen, DebugScreen)
            assert position(app) == 9
        return found

    assert asyncio.run(played()) == steps


def test_what_the_other_has_not_is_said_and_the_selection_reaches_it() -> None:
    async def played() -> None:
        app = BpstepApp(documents("full"))
        async with app.run_test(size=LARGE) as pilot:
            await pilot.pause()
            await pressed(app, pilot, f"6 s {DETACHED}")
            said = text(app)
            assert "≠ they part at step 6" in said
            assert "no such step: the last common one" in said
            assert "y = q + p sends 4 to p" in said
            assert "cut by skip" in said
            # Up from p to skip, which only the right side has.
            for _ in range(9):
                await pressed(app, pilot, "k")
                if shown(app).shown.selected_name == "skip":
                    break
            assert "skip is no node of full" in text(app)
            await pressed(app, pilot, "escape")
            assert shown(app).shown.chosen is None
            await pressed(app, pilot, "f")
            assert "listed" in text(app)
            await pressed(app, pilot, "tab tab tab")
            await pressed(app, pilot, "escape escape")
            assert isinstance(app.screen, DebugScreen)

    asyncio.run(played())


def test_open_pages_come_first_a_path_may_be_typed_and_mistakes_are_said(tmp_path: Path) -> None:
    mine = tmp_path / "mine.yaml"
    mine.write_text("bpstep: 1\ntitle: Mine\nparams: {w: 3}\ngraph: {loss: w * 2}\n")
    wrong = tmp_path / "wrong.yaml"
    wrong.write_text("bpstep: 1\n")

    async def played() -> None:
        app = BpstepApp(documents("full", "kink"))
        async with app.run_test(size=SMALL) as pilot:
            await pilot.pause()
            await pressed(app, pilot, "d enter")
            assert shown(app).shown.other.scenario.name == "kink"
            await pressed(app, pilot, f"o {typed(str(mine))} enter")
            assert shown(app).shown.other.scenario.title == "Mine"
            await pressed(app, pilot, "q")
            await pressed(app, pilot, f"d {typed(str(wrong))} enter")
            assert isinstance(app.screen, DebugScreen)
            assert any("wrong.yaml" in notice.message for notice in app._notifications)
            await pressed(app, pilot, "d escape s")
            assert position(app) == 1

    asyncio.run(played())


def test_a_click_on_the_timeline_leads_there() -> None:
    async def played() -> None:
        app = BpstepApp(documents("full"))
        async with app.run_test(size=SMALL) as pilot:
            await pilot.pause()
            await pressed(app, pilot, f"6 s {DETACHED}")
            await pilot.click("TimelineBar", offset=(73, 0))
            await pilot.pause()
            assert shown(app).session.position == 13

    asyncio.run(played())


def chain(length: int, last: float) -> Session:
    graph = bpstep.Graph()
    node = graph.param("w", 1.0)
    for _ in range(length - 1):
        node = node * 1.0
    return Session.open(Recorded(graph.name("loss", node * last)))


def test_of_a_large_graph_only_the_lines_in_sight_are_drawn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    drawn: list[int] = []
    row = listing.row

    def counted(session: Session, index: int):
        drawn.append(index)
        return row(session, index)

    async def played() -> int:
        app = BpstepApp(documents("full"))
        async with app.run_test(size=SMALL) as pilot:
            await pilot.pause()
            debug(app).app.push_screen(CompareScreen(chain(2000, 1.0), chain(2000, 2.0)))
            await pilot.pause()
            monkeypatch.setattr(listing, "row", counted)
            await pressed(app, pilot, "s")
            assert shown(app).shown.right.position == 1
            return len(drawn)

    assert 0 < asyncio.run(played()) < 100


@pytest.mark.parametrize("size", [SMALL, LARGE], ids=["80x24", "120x36"])
def test_pictures(picture: Callable[..., None], size: tuple[int, int]) -> None:
    opened: Iterable = documents("full", "detached-skip")
    picture(opened, "6 s d enter", size)


def test_the_smallest_size_still_says_what_it_needs() -> None:
    assert "Too small" in play(documents("full"), f"6 s {DETACHED}", text, (39, 13))
