"""Several scenarios, the library, and files that are no scenarios."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from driving import debug, documents, play, position, press, text

from bpstep.tui.app import ALONE, BpstepApp
from bpstep.tui.screens.debug import DebugScreen
from bpstep.tui.screens.library import LibraryScreen
from bpstep.tui.screens.problems import ProblemScreen
from bpstep.tui.shelf import shelf

WRONG = "bpstep: 1\ntitle: Wrong [x]\nparams: {w: 1}\ngraph: {loss: w * ww}\n"
RIGHT = WRONG.replace("ww", "w")


def name(app: BpstepApp) -> str:
    return debug(app).session.scenario.name


def test_brackets_switch_between_open_scenarios_and_each_keeps_its_place() -> None:
    opened = documents("full", "kink", "no-skip")
    where = {
        "s right_square_bracket": ("kink", 0),
        "s left_square_bracket 2 s": ("no-skip", 2),
        "s right_square_bracket 3 s left_square_bracket": ("full", 1),
        "right_square_bracket right_square_bracket right_square_bracket": ("full", 0),
    }
    found = {keys: play(opened, keys, lambda app: (name(app), position(app))) for keys in where}
    assert found == where


def test_where_only_one_is_open_brackets_say_so() -> None:
    assert play(documents("full"), "2 s right_square_bracket s", position) == 3
    keys = "2 s left_square_bracket right_square_bracket"
    assert play(documents("full"), keys, lambda app: [n.message for n in app._notifications]) == [
        ALONE
    ]


def test_which_of_several_is_in_sight_is_said(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.yaml"
    wrong.write_text(WRONG)
    opened = documents("full", str(wrong), "kink")

    def first(app: BpstepApp) -> str:
        return text(app).splitlines()[0]

    assert "[" not in play(opened[:1], "", first)
    assert "[1/3]   pass 1   step 0 of 13" in play(opened, "", first)
    assert "[2/3]" in play(opened, "right_square_bracket", text)
    assert "[3/3]" in play(opened, "left_square_bracket", first)
    # One that is opened later counts where one goes back to.
    assert "[1/2]" in play(opened[:1], "o down enter left_square_bracket", first)


# The library.


def test_without_a_file_the_library_opens_and_enter_opens_a_scenario() -> None:
    assert play([], "", lambda app: type(app.screen)) is LibraryScreen
    shown = play([], "", text)
    assert "Every path into p counts" in shown
    assert "Esc back" not in shown, "there is nothing to go back to"
    assert play([], "j j enter s", lambda app: (name(app), position(app))) == ("detached-skip", 1)
    assert play([], "down k enter", name) == "full"


def test_a_slash_narrows_the_library_to_what_has_all_the_words() -> None:
    async def listed() -> list[object]:
        app, found = BpstepApp([]), []
        async with app.run_test() as pilot:
            await pilot.pause()

            async def keys(keys: str) -> list[str]:
                for key in keys.split():
                    press(app, key)
                    await pilot.pause(0)
                await pilot.pause()
                return [book.name for book in app.screen.shown]

            everything = await keys("")
            found.append(await keys("slash k i n k"))
            found.append(await keys("space s m o"))
            found.append(await keys("space q q"))
            assert "nothing has that" in text(app)
            assert await keys("escape") == everything
            found.append(await keys("slash N O space d e r i v a t i v e down up enter"))
            press(app, "enter")
            await pilot.pause()
            await pilot.pause()
            found.append(name(app))
        return found

    assert asyncio.run(listed()) == [
        ["kink", "smooth-at-kinks"],
        ["smooth-at-kinks"],
        [],
        ["kink"],
        "kink",
    ]


def test_o_opens_the_library_over_what_is_open_and_escape_goes_back() -> None:
    opened = documents("full")
    assert play(opened, "2 s o", lambda app: type(app.screen)) is LibraryScreen
    assert play(opened, "2 s o escape s", position) == 3
    keys = "2 s o j j enter left_square_bracket"
    assert play(opened, keys, lambda app: (name(app), position(app))) == ("full", 2)


def test_a_scenario_that_is_open_already_is_gone_back_to() -> None:
    def look(app: BpstepApp) -> tuple[str, int, int]:
        return name(app), position(app), len(app.pages)

    assert play([], "enter 3 s o enter", look) == ("full", 3, 1)


def test_the_library_has_the_scenarios_of_the_working_folder_last(tmp_path: Path) -> None:
    (tmp_path / "b.yaml").write_text(RIGHT)
    (tmp_path / "a.yaml").write_text(WRONG)
    (tmp_path / "compose.yaml").write_text("services: {}\n")
    (tmp_path / "notes.txt").write_text(RIGHT)
    books = shelf(tmp_path)
    assert [book.name for book in books[:2]] == ["full", "full-second-backward"]
    assert [(book.name, book.fine) for book in books[-2:]] == [("a.yaml", False), ("b.yaml", True)]
    assert "ww" in books[-2].about, "what is wrong with it is its description"
    assert books[-1].title == "Wrong [x]"


# Files with mistakes.


@pytest.fixture
def wrong(tmp_path: Path) -> Path:
    path = tmp_path / "wrong.yaml"
    path.write_text(WRONG)
    return path


def test_a_file_with_mistakes_is_shown_with_line_and_caret(wrong: Path) -> None:
    shown = play(documents(str(wrong)), "", text, (120, 36))
    assert "4 | graph: {loss: w * ww}" in shown
    assert "^^" in shown
    assert "did you mean: w" in shown


def test_the_other_files_can_be_reached_and_the_mistake_counts_at_the_end(wrong: Path) -> None:
    opened = documents(str(wrong), "full")
    assert play(opened, "right_square_bracket s", position) == 1
    assert play(opened, "", lambda app: app.faulty)
    assert not play(documents("full"), "", lambda app: app.faulty)


def test_a_corrected_file_is_read_again(wrong: Path) -> None:
    async def corrected(content: str) -> tuple[type, bool]:
        app = BpstepApp(documents(str(wrong)))
        async with app.run_test() as pilot:
            await pilot.pause()
            wrong.write_text(content)
            press(app, "r")
            await pilot.pause()
            await pilot.pause()
            return type(app.screen), app.faulty

    assert asyncio.run(corrected(WRONG)) == (ProblemScreen, True)
    assert asyncio.run(corrected(RIGHT)) == (DebugScreen, False)
