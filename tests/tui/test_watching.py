"""Live reload: the file is watched, and what is wrong with it is shown until it is right."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from driving import LARGE, debug, documents, position, pressed, text, typed
from textual.pilot import Pilot

import bpstep
from bpstep.engine.errors import BpstepError
from bpstep.scenario import ScenarioError, load
from bpstep.session.recorded import Recorded
from bpstep.session.session import Session
from bpstep.tui.app import BpstepApp
from bpstep.tui.document import Document, open_path
from bpstep.tui.draw.fault import fault_lines, place_at_fault
from bpstep.tui.screens.debug import DebugScreen
from bpstep.tui.screens.help import HelpScreen
from bpstep.tui.screens.problems import ProblemScreen
from bpstep.tui.watching import PATIENCE, Watcher, look_at_files
from bpstep.tui.widgets.fault_banner import FaultBanner

RIGHT = "bpstep: 1\ntitle: Mine\nparams: {w: 3, u: 1}\ngraph: {p: w * 2, loss: p ** 2 + u}\n"
WRONG = RIGHT.replace("p ** 2", "pp ** 2")

# The watcher.


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "mine.yaml"
    path.write_text(RIGHT)
    return path


def looks(watcher: Watcher, count: int) -> list[str | None]:
    return [watcher.look() for _ in range(count)]


def test_a_change_counts_once_it_stays_the_same_and_until_it_is_read(file: Path) -> None:
    watcher = Watcher([str(file)])
    assert looks(watcher, 3) == [None] * 3
    file.write_text(RIGHT + "# more\n")
    assert looks(watcher, 3) == [None, "changed", "changed"]
    watcher.read([str(file)])
    assert looks(watcher, 2) == [None, None]


def test_a_file_that_is_written_twice_is_read_when_it_is_complete(file: Path) -> None:
    watcher = Watcher([str(file)])
    file.write_text("")
    assert watcher.look() is None
    file.write_text(WRONG)
    assert looks(watcher, 2) == [None, "changed"]


def test_a_file_that_is_replaced_by_another_of_the_same_size_has_changed(file: Path) -> None:
    watcher = Watcher([str(file)])
    before = os.stat(file)
    other = file.with_suffix(".new")
    other.write_text(RIGHT.replace("w: 3", "w: 4"))
    os.utime(other, ns=(before.st_atime_ns, before.st_mtime_ns))
    other.replace(file)
    assert looks(watcher, 2) == [None, "changed"]


def test_a_file_that_is_missing_for_an_instant_is_waited_for(file: Path) -> None:
    watcher = Watcher([str(file)])
    file.unlink()
    assert looks(watcher, PATIENCE - 1) == [None] * (PATIENCE - 1)
    file.write_text(WRONG)
    assert looks(watcher, 2) == [None, "changed"]


def test_a_file_that_stays_away_is_missing_and_a_change_when_it_is_back(file: Path) -> None:
    watcher = Watcher([str(file)])
    kept = file.rename(file.with_suffix(".kept"))
    assert looks(watcher, PATIENCE)[-1] == "missing"
    watcher.read([str(file)])
    assert looks(watcher, 2) == [None, None]
    kept.rename(file)
    assert looks(watcher, 2) == [None, "changed"]


def test_what_is_written_while_the_file_is_read_is_another_change(file: Path) -> None:
    watcher = Watcher([str(file)])
    file.write_text(WRONG)
    assert looks(watcher, 2) == [None, "changed"]
    file.write_text(RIGHT + "\n")
    watcher.read([str(file)])
    assert looks(watcher, 2) == [None, "changed"]


@pytest.mark.parametrize("first", [RIGHT, WRONG])
@pytest.mark.parametrize("saved", ["mine.yaml", "upper.yaml"])
def test_what_is_saved_between_reading_and_watching_is_a_change(
    file: Path, first: str, saved: str
) -> None:
    file.write_text(first)
    upper = file.with_name("upper.yaml")
    upper.write_text("bpstep: 1\nextends: mine.yaml\ntitle: Upper\n")
    document = open_path(str(upper))
    with file.with_name(saved).open("a") as more:
        more.write("# more\n")
    assert looks(Watcher(document.files, document.stamps), 2) == [None, "changed"]


def test_without_files_nothing_is_looked_at() -> None:
    assert looks(Watcher([]), 3) == [None] * 3


def test_a_scenario_names_the_files_that_it_was_read_from(file: Path) -> None:
    upper = file.with_name("upper.yaml")
    upper.write_text("bpstep: 1\nextends: mine.yaml\ntitle: Upper\n")
    assert load(upper).files == (str(upper), str(file))
    assert open_path("kink").files[0].endswith("03-kink.yaml")
    graph = bpstep.Graph()
    session = Session.open(Recorded(graph.name("loss", graph.param("w", 1.0) * 2)))
    assert Document("-", session).files == ()


# What is wrong, in words.


def fault(path: Path) -> ScenarioError:
    with pytest.raises(ScenarioError) as raised:
        load(path)
    return raised.value


def test_the_banner_has_the_first_problem_with_its_line_and_caret(file: Path) -> None:
    file.write_text(WRONG.replace("w * 2", "ww * 2"))
    lines = [line.plain for line in fault_lines(fault(file), "mine.yaml")]
    assert "mine.yaml is wrong now: the last good run is shown" in lines[0]
    assert "the first of 2 problems" in lines[0]
    assert lines[1].startswith("mine.yaml:4:12: ")
    assert lines[2].lstrip().startswith("4 | graph: {p: ww * 2")
    assert "^^" in lines[3]
    assert len(lines) <= 7
    assert place_at_fault(fault(file), "mine.yaml") == "mine.yaml:4"


def test_a_file_without_places_is_named(file: Path) -> None:
    file.unlink()
    assert place_at_fault(fault(file), "mine.yaml") == "mine.yaml"


# In the app: the timer's looks are made by hand.


@pytest.fixture(autouse=True)
def never(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bpstep.tui.app.EVERY", 3600)


Act = Callable[[BpstepApp, Pilot[None]], Awaitable[None]]


def acted(opened: list[Document], act: Act) -> None:
    async def played() -> None:
        app = BpstepApp(opened)
        async with app.run_test(size=LARGE) as pilot:
            await pilot.pause()
            await act(app, pilot)

    asyncio.run(played())


async def saved(app: BpstepApp, pilot: Pilot[None], file: Path, content: str) -> None:
    file.write_text(content)
    await looked(app, pilot)


async def looked(app: BpstepApp, pilot: Pilot[None], count: int = 2) -> None:
    for _ in range(count):
        look_at_files(app)
    await pilot.pause()
    await pilot.pause()


def loss(app: BpstepApp) -> float:
    return float(debug(app).session.run.value("loss"))


def told(app: BpstepApp) -> list[str]:
    return [notice.message for notice in app._notifications]


def test_a_saved_file_is_shown_at_the_same_step_and_what_was_set_is_dropped(file: Path) -> None:
    async def act(app: BpstepApp, pilot: Pilot[None]) -> None:
        await pressed(app, pilot, "2 s b")
        await saved(app, pilot, file, RIGHT.replace("w: 3", "w: 5"))
        assert (position(app), loss(app)) == (2, 101.0)
        assert len(debug(app).session.breakpoints) == 1
        assert told(app) == ["read again: mine.yaml"]
        await pressed(app, pilot, f"colon {typed('set w = 7')} enter")
        await saved(app, pilot, file, RIGHT)
        assert loss(app) == 37.0
        assert told(app) == ["read again: mine.yaml\nwhat was set is dropped: w"]

    acted(documents(str(file)), act)


def test_a_wrong_file_keeps_the_last_good_run_and_is_marked_until_it_is_right(file: Path) -> None:
    async def act(app: BpstepApp, pilot: Pilot[None]) -> None:
        await pressed(app, pilot, "2 s")
        await saved(app, pilot, file, WRONG)
        shown = text(app)
        assert "! mine.yaml:4" in shown.splitlines()[0]
        assert "mine.yaml is wrong now: the last good run is shown" in shown
        assert "^^" in shown
        assert (position(app), loss(app)) == (2, 37.0)
        await pressed(app, pilot, "s")
        assert position(app) == 3, "the run goes on"
        assert "! mine.yaml:4" in text(app)
        file.unlink()
        await looked(app, pilot, PATIENCE)
        assert "no such file" in text(app)
        await saved(app, pilot, file, RIGHT)
        assert "mine.yaml is wrong" not in text(app)
        assert "! mine.yaml" not in text(app)
        assert debug(app).fault is None

    acted(documents(str(file)), act)


def test_a_file_that_is_extended_is_watched_too(file: Path) -> None:
    upper = file.with_name("upper.yaml")
    upper.write_text("bpstep: 1\nextends: mine.yaml\ntitle: Upper\n")

    async def act(app: BpstepApp, pilot: Pilot[None]) -> None:
        await saved(app, pilot, file, RIGHT.replace("w: 3", "w: 5"))
        assert loss(app) == 101.0
        await saved(app, pilot, file, WRONG)
        assert "! mine.yaml:4" in text(app)
        await saved(app, pilot, file, RIGHT)
        assert (loss(app), debug(app).fault) == (37.0, None)

    acted(documents(str(upper)), act)


def test_while_a_line_is_typed_or_a_screen_lies_over_it_nothing_is_read(file: Path) -> None:
    async def act(app: BpstepApp, pilot: Pilot[None]) -> None:
        await pressed(app, pilot, "colon n e")
        await saved(app, pilot, file, RIGHT.replace("w: 3", "w: 5"))
        page = app.pages[0]
        assert isinstance(page, DebugScreen)
        assert page.session.run.value("loss") == 37.0
        await pressed(app, pilot, "escape")
        await pressed(app, pilot, "question_mark")
        assert isinstance(app.screen, HelpScreen)
        await looked(app, pilot)
        assert page.session.run.value("loss") == 37.0
        await pressed(app, pilot, "escape")
        await looked(app, pilot)
        assert loss(app) == 101.0

    acted(documents(str(file)), act)


def test_pages_out_of_sight_are_read_again_and_problems_put_right_are_opened(file: Path) -> None:
    wrong = file.with_name("wrong.yaml")
    wrong.write_text(WRONG)

    async def act(app: BpstepApp, pilot: Pilot[None]) -> None:
        await pressed(app, pilot, "right_square_bracket")
        assert isinstance(app.screen, ProblemScreen)
        await saved(app, pilot, file, RIGHT.replace("w: 3", "w: 5"))
        await saved(app, pilot, wrong, WRONG.replace("pp", "ppp"))
        assert isinstance(app.screen, ProblemScreen)
        assert "ppp" in text(app)
        await saved(app, pilot, wrong, RIGHT)
        assert (loss(app), debug(app).document.file) == (37.0, "wrong.yaml")
        assert not app.faulty
        await pressed(app, pilot, "left_square_bracket")
        assert loss(app) == 101.0

    acted(documents(str(file), str(wrong)), act)


def test_a_step_that_is_gone_is_said(file: Path) -> None:
    async def act(app: BpstepApp, pilot: Pilot[None]) -> None:
        await pressed(app, pilot, "G")
        await saved(app, pilot, file, RIGHT.replace("w: 3", "q: 3").replace("w * 2", "q * 2"))
        assert "the step is no longer there" in told(app)[0]

    acted(documents(str(file)), act)


def test_in_a_low_window_what_is_wrong_takes_two_lines() -> None:
    def height(app: BpstepApp) -> int:
        return app.screen.query_one(FaultBanner).size.height

    async def run() -> tuple[int, int]:
        app = BpstepApp(documents("full"))
        async with app.run_test(size=(50, 15)) as pilot:
            await pilot.pause()
            debug(app).fault = BpstepError("one\ntwo\nthree\nfour")
            await pilot.pause()
            low = height(app)
            await pilot.resize_terminal(80, 24)
            await pilot.pause()
            return low, height(app)

    assert asyncio.run(run()) == (2, 5)
