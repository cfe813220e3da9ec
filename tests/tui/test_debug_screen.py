"""The main screen: what each key does, told by the session that it leads to."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from driving import LARGE, debug, documents, play, play_all, position, press, selected, text, typed

from bpstep.tui.app import BpstepApp
from bpstep.tui.screens.card import CardScreen
from bpstep.tui.screens.help import HelpScreen
from bpstep.tui.widgets.detail_tabs import DetailTabs
from bpstep.tui.widgets.key_bar import KeyBar
from bpstep.tui.widgets.prompt import Prompt


def after(keys: str, look=position, name: str = "full", size=(80, 24)):
    return play(documents(name), keys, look, size)


def fault(app: BpstepApp) -> str:
    prompt = debug(app).query_one(Prompt)
    return str(prompt.query_one("#fault").render()) if prompt.has_class("-wrong") else ""


def typed_line(app: BpstepApp) -> str:
    return debug(app).query_one(Prompt).input.value


def told(app: BpstepApp) -> list[str]:
    return [notification.message for notification in app._notifications]


def tab(app: BpstepApp) -> str:
    return debug(app).query_one(DetailTabs).active


# Motion: the table of keys is a contract.


def test_motion_keys() -> None:
    steps = {
        "s": 1,
        "right": 1,
        "space": 1,
        "s s s S": 2,
        "s s s left": 2,
        "S": 0,
        "n n n": 3,
        "5 s down": 7,
        "8 s n": 9,
        "1 0 s N": 9,
        "1 0 s up": 9,
        "G": 13,
        "end": 13,
        "G g": 0,
        "end home": 0,
        "G s": 13,
    }
    assert play_all("full", steps, position) == steps


def test_a_count_repeats_a_motion_or_is_a_step_and_is_used_up() -> None:
    steps = {
        "5 s": 5,
        "1 2 G": 12,
        "1 2 end": 12,
        "0 G": 0,
        "s 0 G": 0,
        "9 9 9 G": 13,
        "3 s 2 S": 1,
        "3 n": 3,
        "G 2 N": 11,
        "0 s": 0,
        "9 9 9 9 9 9 9 9 9 9 9 9 s": 13,
        "5 escape s": 1,
        "5 j s": 1,
        "5 enter escape s": 1,
        "5 question_mark escape s": 1,
        "5 t s": 1,
        "5 b s": 1,
        "5 colon escape s": 1,
        "5 z s": 1,
    }
    assert play_all("full", steps, position) == steps


def test_continuing_stops_at_breakpoints_either_way() -> None:
    steps = {
        "7 s b s s c": 13,
        "7 s b G C": 7,
        "7 s b g c": 7,
        "c": 13,
    }
    assert play_all("full", steps, position) == steps


def test_b_sets_and_removes_a_breakpoint() -> None:
    def stops(app: BpstepApp) -> list[str]:
        return [stop.text for stop in debug(app).session.breakpoints]

    stopped = {"6 s b": ["p"], "6 s b b": [], "6 s k b": ["x"]}
    assert play_all("full", stopped, stops) == stopped


def test_the_middle_of_the_sum_is_on_the_screen_in_both_sizes() -> None:
    for size in ((80, 24), LARGE):
        screen = after("6 s", text, size=size)
        assert "step 6 of 13   ◐ p has 1 of 2" in screen
        assert "p = w * x" in screen
        assert "gradient so far 4" in screen
        assert "y = q + p: addition passes its gradient" in screen
        assert "awaited" in screen
    assert "gradient 16" in after("1 0 s", text)


# The selection.


def test_the_selection_follows_until_it_is_moved_and_again_after_escape() -> None:
    names = {
        "": "loss",
        "6 s": "p",
        "6 s j": "z",
        "6 s k": "x",
        "6 s l": "p",
        "6 s h": "b",
        "6 s 2 j": "h",
        "6 s k h": "w",
        "6 s j s": "z",
        "6 s j escape": "p",
        "6 s j escape s": "v",
        "9 9 9 k": "w",
        "6 s 9 9 j": "loss",
    }
    assert play_all("full", names, selected) == names


def test_enter_opens_the_card_of_the_selected_node_and_escape_closes_it() -> None:
    assert after("6 s enter", lambda app: type(app.screen)) is CardScreen
    assert "p is sent on to w and x" in after("6 s enter", text)
    assert after("6 s enter escape s") == 7


def test_a_tensor_is_written_out_on_its_card() -> None:
    screen = after("8 s enter", text, name="matrix-layer", size=LARGE)
    assert "XW = X @ Wt" in screen
    assert "X[0, 0]  value 1  gradient 2" in screen


# Finding.


def test_finding_moves_the_selection_while_typing() -> None:
    names = {
        "slash t a r": "target",
        "slash t a r enter": "target",
        "2 s slash t a r escape": "(e**2)",
    }
    assert play_all("full", names, selected) == names
    assert after("slash t a r enter s") == 1, "then keys are motions again"
    assert after("slash q q", fault) == "no node has that in its name"


# The command line.


def test_commands_move_and_close_the_line() -> None:
    steps = {
        f"colon {typed('step 6')} enter": 6,
        f"colon {typed('step 6')} enter s": 7,
        f"colon {typed('step 6 ; step')} enter": 7,
        "4 s colon enter": 8,
        "colon s s q 5 j space": 0,
    }
    assert play_all("full", steps, position) == steps


def test_a_line_that_comes_all_at_once_is_text_from_the_colon_on() -> None:
    async def pasted(keys: str) -> int:
        app = BpstepApp(documents("full"))
        async with app.run_test() as pilot:
            await pilot.pause()
            for key in keys.split():
                press(app, key)
            await pilot.pause()
            return position(app)

    assert asyncio.run(pasted(f"s colon {typed('goto p')} enter")) == 10
    assert asyncio.run(pasted("1 2 G S 3 S")) == 8


def test_what_a_command_says_is_shown_and_escape_goes_back() -> None:
    keys = f"6 s colon {typed('print grad(p)')} enter"
    tabs = {keys: "output", f"{keys} escape": "why", f"escape colon {typed('step')} enter": "why"}
    assert play_all("full", tabs, tab) == tabs
    assert "grad(p) = 4" in after(keys, text)


def test_a_mistake_is_shown_under_the_line_and_nothing_is_lost() -> None:
    line = "step 2 ; print grad(pp)"
    said, where, kept = after(
        f"colon {typed(line)} enter", lambda app: (fault(app), position(app), typed_line(app))
    )
    assert "no node is called 'pp'" in said
    assert "^^" in said
    assert where == 2, "what was right before the mistake is done"
    assert kept == line
    assert after(f"colon {typed(line)} enter backspace", fault) == ""
    assert after(f"colon {typed(line)} enter escape s") == 3


def test_history_is_walked_with_up_and_down() -> None:
    said = f"escape colon {typed('step 2')} enter colon {typed('next')} enter colon {typed('go')}"
    lines = {
        f"{said} up": "next",
        f"{said} up up": "step 2",
        f"{said} up up up": "step 2",
        f"{said} up down": "go",
    }
    assert play_all("full", lines, typed_line) == lines


def test_tab_completes_commands_and_nodes() -> None:
    lines = {
        "colon w a t tab": "watch",
        f"escape colon {typed('goto tar')} tab": "goto target",
        "escape colon z z tab": "zz",
        "escape colon b r e tab": "break",
        "escape colon b r e tab tab": "breakpoints",
        "escape colon b r e tab tab tab": "break",
        "escape colon b r e shift+tab": "breakpoints",
        "escape colon b r e a k tab": "breakpoints",
        "escape colon r tab tab": "reverse-next",
        "escape colon r tab tab tab tab": "restart",
        "escape colon r tab x tab": "reverse-stepx",
        f"escape colon {typed('print g')} tab": "print grad(",
        f"escape colon {typed('print g')} tab e tab": "print grad(e**2)",
    }
    assert play_all("full", lines, typed_line) == lines


def test_the_candidates_are_listed_while_tab_goes_through_them() -> None:
    shown = after("colon b r e tab", text)
    assert " break  breakpoints" in shown
    assert " break  breakpoints" not in after("colon b r e tab space", text)


def test_quit_ends_the_app_and_so_does_q() -> None:
    assert after(f"colon {typed('quit')} enter", lambda app: app._exit)
    assert after("q", lambda app: app._exit)


def test_export_writes_the_transcript(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    keys = f"3 s colon {typed('export out.md')} enter"
    assert "wrote out.md" in after(keys, text)
    assert "step 3" in (tmp_path / "out.md").read_text()


def test_an_export_that_fails_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    keys = f"colon {typed('export no/out.md')} enter"
    assert "cannot write no/out.md: there is no folder no" in after(keys, fault)


def test_watches_are_shown_at_every_stop() -> None:
    keys = f"colon {typed('watch grad(p)')} enter escape"
    assert "watch 1 grad(p) = no value yet" in after(keys, text)
    assert "watch 1 grad(p) = 4" in after(f"{keys} 6 s", text, size=LARGE)


# Tabs, panes, help.


def test_tabs_go_round_and_empty_ones_are_left_out() -> None:
    said = f"escape colon {typed('where')} enter"
    # One after the other in the same app: each begins where the one before has ended.
    shown = {
        "t": "gradients",
        "t s": "check",
        "t j": "update",
        "t t": "source",
        "t  s": "about",
        "t  j": "why",
        "T": "about",
        f"{said} T": "about",
        f"{said} t": "why",
    }
    assert play_all("full", shown, tab) == shown


def test_in_a_pane_arrows_and_space_are_its_own_until_escape() -> None:
    names = {
        "tab up up": "e",
        "tab up up left": "e",
        "tab up up down": "(e**2)",
        "tab tab right": "(e**2)",
        "tab tab end": "x",
        "tab tab end home": "loss",
    }
    assert play_all("full", names, selected) == names
    steps = {
        "tab down down space": 0,
        "tab down s n": 2,
        "tab down escape down space": 2,
        "tab tab tab down space s": 1,
    }
    assert play_all("full", steps, position) == steps


def test_help_is_made_from_the_bindings() -> None:
    assert after("question_mark", lambda app: type(app.screen)) is HelpScreen
    screen = after("question_mark", text, size=(100, 60))
    for said in ("step one contribution", "select a node above", "write this screen", "✂"):
        assert said in screen
    assert after("question_mark escape s") == 1


# Files that change.


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "mine.yaml"
    path.write_text(
        "bpstep: 1\ntitle: Mine\nabout: As it was\nparams: {w: 3}\n"
        "graph: {p: w * 2, loss: p ** 2}\n"
    )
    return path


def edited(file: Path, keys: str, old: str, new: str, then: str, look):
    """Press keys, change the file, press others, look."""

    async def played():
        app = BpstepApp(documents(str(file)))
        async with app.run_test(size=LARGE) as pilot:
            await pilot.pause()
            for key in keys.split():
                press(app, key)
                await pilot.pause(0)
            file.write_text(file.read_text().replace(old, new))
            for key in then.split():
                press(app, key)
                await pilot.pause(0)
            await pilot.pause()
            return look(app)

    return asyncio.run(played())


def test_reload_keeps_the_place_and_the_breakpoints(file: Path) -> None:
    def look(app: BpstepApp) -> tuple[int, float, int]:
        session = debug(app).session
        return session.position, float(session.run.value("loss")), len(session.breakpoints)

    assert edited(file, "2 s b", "w: 3", "w: 5", "r", look) == (2, 100.0, 1)
    assert edited(file, "", "w: 5", "w: 6", "r", told) == ["read again: mine.yaml"]
    assert "As it is" in edited(file, "", "As it was", "As it is", "r T", text)


def test_a_reload_of_a_wrong_file_keeps_the_last_good_run_and_shows_the_line(file: Path) -> None:
    said = edited(file, "2 s", "p ** 2", "pp ** 2", "r", text)
    assert "mine.yaml:5:" in said
    assert "^^" in said
    assert "step 2 of 3" in said


def test_a_file_that_was_put_right_leaves_nothing_of_the_old_mistake(file: Path) -> None:
    async def played() -> tuple[str, str, list[str], list[str]]:
        app = BpstepApp(documents(str(file)))
        async with app.run_test(size=LARGE) as pilot:
            await pilot.pause()
            right, shown = file.read_text(), []
            for content in (right.replace("p ** 2", "pp ** 2"), right):
                file.write_text(content)
                press(app, "r")
                await pilot.pause()
                shown.append(text(app))
            return shown[0], shown[1], [line.plain for line in debug(app).lines], told(app)

    wrong, right, output, said = asyncio.run(played())
    assert "mine.yaml:5:" in wrong
    assert "mine.yaml:5:" not in right
    assert said == ["read again: mine.yaml"]
    assert output == []


def test_the_card_of_a_number_offers_no_elements() -> None:
    def offered(app: BpstepApp) -> list[str]:
        return [f"{key.sign} {key.does}" for key in app.screen.query_one(KeyBar).keys]

    assert after("6 s enter", offered) == ["? help", "Esc back"]
    said = after("6 s enter question_mark", text)
    assert "element" not in said
    assert "Esc  Enter  q" in said
    left = dict.fromkeys(("6 s enter enter", "6 s enter escape", "6 s enter q"), 6)
    assert play_all("full", left, position) == left
