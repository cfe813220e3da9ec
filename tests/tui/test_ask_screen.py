"""Questions over the main screen: asked before the step, judged, hinted at, skipped, counted."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from driving import LARGE, SMALL, documents, pressed, text, typed

from bpstep.session.predicting import Lesson
from bpstep.tui.app import BpstepApp
from bpstep.tui.record import Progress, Score, load_record
from bpstep.tui.screens.ask import AskScreen
from bpstep.tui.screens.debug import DebugScreen
from bpstep.tui.screens.learn import LearnScreen
from bpstep.tui.screens.library import LibraryScreen


def learn(
    name: str | None,
    keys: str,
    look: Callable[[BpstepApp], Any],
    size: tuple[int, int] = SMALL,
) -> Any:
    """Open a scenario (or the library) to learn, press keys, and look."""

    async def learned() -> Any:
        app = BpstepApp(documents(name) if name else [], learning=True)
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await pressed(app, pilot, keys)
            await pilot.pause()
            return look(app)

    return asyncio.run(learned())


def page(app: BpstepApp) -> LearnScreen:
    (found,) = (screen for screen in app.screen_stack if isinstance(screen, LearnScreen))
    return found


def where(app: BpstepApp) -> tuple[type, int]:
    return type(app.screen), page(app).session.position


def question(app: BpstepApp) -> str | None:
    return app.screen.prediction.question.at if isinstance(app.screen, AskScreen) else None


def told(app: BpstepApp) -> list[str]:
    return [note.message for note in app._notifications]


ANSWERED = "8 s 1 2 enter enter"


def learn_all(name: str, cases: Iterable[str], look: Callable[[BpstepApp], Any]) -> dict[str, Any]:
    """The same for several rows of keys, each from the beginning, in one app."""

    async def learned() -> dict[str, Any]:
        app, found = BpstepApp(documents(name), learning=True), {}
        async with app.run_test(size=SMALL) as pilot:
            await pilot.pause()
            opened = page(app).scene
            for keys in cases:
                while not isinstance(app.screen, LearnScreen):
                    await app.pop_screen()
                page(app).scene, page(app).lesson = opened, Lesson.of(opened.session)
                await pressed(app, pilot, keys)
                await pilot.pause()
                found[keys] = look(app)
        return found

    return asyncio.run(learned())


def test_a_question_is_asked_before_the_step_that_answers_it() -> None:
    expected = {
        "7 s": (None, 7),
        "8 s": ("h", 7),
        "7 s n": ("h", 7),
        "G": ("h", 7),
        "c": ("h", 7),
        f"colon {typed('goto p')} enter": ("h", 7),
        f"{ANSWERED} s": (None, 9),
        f"{ANSWERED} 2 s": ("p", 9),
        f"{ANSWERED} G": ("p", 9),
        f"{ANSWERED} G escape G": ("w", 11),
        # What was answered is not asked again; after the answer the step that shows it is seen.
        f"{ANSWERED} 5 S 5 s": (None, 8),
        ANSWERED: (None, 8),
        "G 1 2 enter enter": (None, 8),
        "G escape": (None, 8),
        # A lesson that is over asks no more.
        "G escape G escape G escape g G": (None, 13),
        # With a leaf changed the answers are others.
        f"colon {typed('set w = 2')} enter G": (None, 13),
    }
    found = learn_all("full", expected, lambda app: (question(app), where(app)[1]))
    assert found == expected


def test_a_typed_line_asks_all_it_runs_past_and_is_then_carried_out() -> None:
    line = f"colon {typed('goto 11; print grad(p)')} enter"

    def look(app: BpstepApp) -> tuple[type, int, bool]:
        return (*where(app), "grad(p) = 16" in text(app))

    keys = f"{line} 1 2 enter enter 1 6 enter enter"
    assert learn("full", keys, look) == (LearnScreen, 11, True)


def test_the_node_that_is_asked_about_is_selected_while_it_is_asked() -> None:
    def look(app: BpstepApp) -> tuple[str, int | None]:
        scene = page(app).shown
        return scene.session.graph.label(scene.selected), scene.chosen

    assert learn("full", "8 s", look)[0] == "h"
    assert learn("full", f"{ANSWERED}", look) == ("h", None), "then the current one is followed"


def test_what_is_said_to_an_answer() -> None:
    hint = "hint The upstream gradient times the other operand, v."
    cases = {
        "G": ([], [hint, "✗", "✓"]),
        "G 4 enter": (["✗ 4 is not it.", "Forgot the local derivative."], ["✓", hint]),
        "G 4 enter backspace 1 2 enter": (["✓ 12 is right."], ["✗"]),
        "G 4 enter 1 2 enter": (["✓ 12 is right."], ["✗"]),
        f"G {typed('pp')} enter": (["no node is called 'pp'"], ["✗", "✓"]),
        "G question_mark": ([hint], ["✗", "✓"]),
        # The hint stays, and its key is no part of the answer; letters are, though keys elsewhere.
        "G 4 question_mark enter": ([hint, "> 4 ", "✗ 4 is not it."], []),
        f"G {typed('qlgb')}": (["> qlgb "], []),
    }
    found = learn_all("full", cases, text)
    for keys, (seen, unseen) in cases.items():
        assert [each for each in seen if each not in found[keys]] == [], keys
        assert [each for each in unseen if each in found[keys]] == [], keys


def test_a_line_that_is_no_answer_is_no_try() -> None:
    assert learn("full", f"G {typed('pp')} enter", lambda app: app.screen.wrong) == 0


def test_skipping_tells_the_answer() -> None:
    assert learn("full", "G escape", told) == ["The answer: 12."]


def test_at_the_end_it_is_told_how_it_went() -> None:
    keys = f"{ANSWERED} G 1 2 enter 1 6 enter enter G 3 2 enter enter"
    assert learn("full", keys, told) == ["2 of 3 right at the first try."]
    assert load_record()[0]["full"] == Progress(begun=True, learned=Score(2, 3))
    assert "2 of 3 right at once" in learn("full", keys, text)
    assert learn("full", "G escape G escape G escape", told) == [
        "The answer: 32. 0 of 3 right at the first try, 3 skipped."
    ]


def test_what_was_skipped_is_not_learned() -> None:
    learn("full", f"{ANSWERED} G escape G 3 2 enter enter", where)
    assert load_record()[0]["full"] == Progress(begun=True)


def test_several_questions_at_one_step_follow_each_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("two.yaml").write_text(
        "bpstep: 1\ntitle: Two\nparams: {w: 3}\ngraph: {loss: w * w}\npredict:\n"
        "  - {at: w, ask: 'First [x]?', answer: 6}\n"
        "  - {at: w, ask: 'Second?', answer: none}\n"
    )
    assert "First [x]?" in learn("two.yaml", "G", text)
    assert "Second?" in learn("two.yaml", "G 6 enter enter", text)
    assert learn("two.yaml", f"G 6 enter enter {typed('none')} enter enter", where) == (
        LearnScreen,
        3,
    )


def test_a_scenario_without_questions_says_so_and_is_stepped_as_usual(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("none.yaml").write_text("bpstep: 1\ntitle: None\nparams: {w: 3}\ngraph: {loss: w * w}\n")
    assert learn("none.yaml", "", told) == ["This scenario asks nothing."]
    assert learn("none.yaml", "2 s", where) == (LearnScreen, 2)
    assert "learn: no questions" in learn("none.yaml", "2 s", text)


def test_without_learning_nothing_is_asked() -> None:
    async def played() -> tuple[type, int]:
        app = BpstepApp(documents("full"))
        async with app.run_test(size=SMALL) as pilot:
            await pilot.pause()
            await pressed(app, pilot, "G")
            return type(app.screen), app.screen.session.position

    assert asyncio.run(played()) == (DebugScreen, 13)


def test_from_the_library_to_learn_a_scenario_is_opened_to_learn() -> None:
    assert learn(None, "", lambda app: type(app.screen)) is LibraryScreen
    assert "to learn" in learn(None, "", text)
    assert learn(None, "enter 8 s", question) == "h"


LONG = "What is it? " * 60


@pytest.mark.parametrize("size", [SMALL, LARGE, (40, 14)])
def test_whatever_is_asked_the_line_for_the_answer_is_in_sight(
    size: tuple[int, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("long.yaml").write_text(
        "bpstep: 1\ntitle: Long\nparams: {w: 3}\ngraph: {loss: w * w}\n"
        f"predict: [{{at: w, ask: '{LONG}', answer: 6, hint: '{LONG}'}}]\n"
    )

    def visible(app: BpstepApp) -> bool:
        answer = app.screen.query_one("Answer")
        return answer.region.height == 1 and app.screen.region.contains_region(answer.region)

    assert learn("long.yaml", "G 5 question_mark enter", visible, size)


@pytest.mark.parametrize("size", [SMALL, LARGE], ids=["80x24", "120x36"])
def test_a_wrong_answer_in_a_picture(
    picture: Callable[..., None],
    size: tuple[int, int],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    picture([], f"l escape {ANSWERED} 2 s 1 2 question_mark enter", size)
