"""The output of commands, beside the step and never in its place for long."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from driving import (
    LARGE,
    SMALL,
    debug,
    documents,
    play,
    play_all,
    position,
    press,
    pressed,
    text,
    typed,
)
from textual.pilot import Pilot

from bpstep.tui.app import BpstepApp
from bpstep.tui.widgets.card_pane import CardPane
from bpstep.tui.widgets.detail_tabs import DetailTabs
from bpstep.tui.widgets.order_grid import OrderGrid
from bpstep.tui.widgets.output_pane import OutputPane

LISTED = f"6 s colon {typed('list')} enter"


def driven(
    opened: list[Any], size: tuple[int, int], act: Callable[[BpstepApp, Pilot[None]], Any]
) -> Any:
    """Open an app, and let something be done with it."""

    async def run() -> Any:
        app = BpstepApp(opened)
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            return await act(app, pilot)

    return asyncio.run(run())


def place(app: BpstepApp) -> tuple[str, bool]:
    return debug(app).query_one(DetailTabs).active, debug(app).query_one(OrderGrid).parent.display


def test_a_motion_goes_back_from_the_output_to_the_step() -> None:
    places = {
        f"escape {LISTED}": ("output", False),
        f"escape {LISTED} s": ("why", True),
        f"escape {LISTED} b": ("output", False),
        f"escape {LISTED} G": ("why", True),
        f"escape {LISTED} colon {typed('next')} enter": ("why", True),
        f"escape {LISTED} escape": ("why", True),
    }
    assert play_all("full", places, place) == places


def test_the_list_stays_beside_what_fits_there_and_comes_back_with_a_motion() -> None:
    short = f"6 s colon {typed('print p')} enter"
    there = {LISTED: False, f"escape {LISTED} s": True, f"escape {LISTED} escape": True}
    shown = play_all("full", [*there, f"escape {short}"], text)
    assert "reverse order" in shown[f"escape {short}"]
    for keys, listed in there.items():
        assert ("reverse order" in shown[keys]) == listed, keys
        assert "▶" in shown[keys], keys
    assert "Esc or a motion: back" in shown[LISTED]


def test_the_row_of_this_step_is_in_sight_in_a_low_card() -> None:
    keys = f"1 2 G colon {typed('check')} enter"
    for name, size in (("full", SMALL), ("micro-batches", (80, 20)), ("residual-chain", SMALL)):
        shown = play(documents(name), keys, text, size).splitlines()
        card = shown[: next(row for row, line in enumerate(shown) if "arrived ─╯" in line)]
        assert any("│ ▶" in line for line in card), name


def test_the_newest_output_is_in_sight_whatever_happened_to_the_window(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    async def act(app: BpstepApp, pilot: Pilot[None]) -> list[str]:
        found = []
        await pressed(app, pilot, f"6 s colon {typed('check')} enter")
        found.append(text(app))
        await pilot.resize_terminal(120, 30)
        await pilot.resize_terminal(80, 24)
        await pressed(app, pilot, f"escape colon {typed('export z.md')} enter")
        found.append(text(app))
        await pressed(app, pilot, f"colon {typed('help')} enter colon {typed('print p')} enter")
        found.append(text(app))
        await pilot.resize_terminal(90, 20)
        await pilot.pause()
        found.append(text(app))
        return found

    checked, exported, printed, resized = driven(documents("full"), SMALL, act)
    assert "agrees" in checked
    assert "wrote z.md" in exported
    assert "p = 2" in printed
    assert "p = 2" in resized


def test_output_that_is_longer_than_its_pane_is_shown_from_its_beginning() -> None:
    async def act(app: BpstepApp, pilot: Pilot[None]) -> list[str]:
        found = []
        for line in ("print p", "help", "print q"):
            await pressed(app, pilot, f"colon {typed(line)} enter")
            found.append(text(app))
        await pressed(app, pilot, f"colon {typed('help')} enter")
        await pilot.resize_terminal(90, 20)
        await pilot.pause()
        return [*found, text(app)]

    printed, helped, after, again = driven(documents("full"), SMALL, act)
    assert "> print p" in printed
    assert "> help" in helped
    assert "> print p" not in helped
    assert "> print q" in after
    assert "q = 3" in after
    assert "> help" in again
    assert "> print q" not in again


def test_tables_in_the_output_are_scrolled_sideways_and_sentences_wrapped() -> None:
    async def act(app: BpstepApp, pilot: Pilot[None]) -> tuple[list[str], str, str]:
        await pressed(app, pilot, f"colon {typed('update')} enter")
        pane = debug(app).query_one(OutputPane)
        laid = [line.plain for line in pane.view.laid]
        before = text(app)
        await pressed(app, pilot, "tab " + "right " * 2)
        return laid, before, text(app)

    laid, before, after = driven(documents("matrix-layer"), (64, 24), act)
    (row,) = (line for line in laid if "[[0.9," in line)
    assert row.rstrip().endswith("]]"), "a row of a table is one line"
    assert all(len(line) <= 62 for line in laid if "  " not in line.strip())
    assert before != after


# The card.


def test_the_card_is_laid_out_for_the_width_it_has_whenever_it_comes_up(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.yaml"
    wrong.write_text("bpstep: 1\ntitle: Wrong\ngraph: {loss: w}\n")
    opened = [*documents("matrix-layer", "kink"), *documents(str(wrong), "two-layer")]

    async def act(app: BpstepApp, pilot: Pilot[None]) -> list[str]:
        wide = []
        for keys in ("5 s t", "right_square_bracket G", "left_square_bracket 3 s"):
            for key in keys.split():
                press(app, key)
            await pilot.pause()
            await pilot.pause()
            pane = debug(app).query_one(CardPane)
            room = pane.content_region.width
            wide += [line.plain for line in pane.view.laid if line.cell_len > room]
            assert len(pane.view.laid) > 2
        return wide

    for size in (SMALL, LARGE):
        assert driven(opened, size, act) == []


def test_the_card_says_that_the_selection_is_held() -> None:
    def held(app: BpstepApp) -> bool:
        return "held: Esc follows" in str(debug(app).query_one(CardPane).border_title)

    titles = {
        "6 s": False,
        "6 s j": True,
        "6 s j s": True,
        "6 s j escape": False,
        "6 s slash h enter s": True,
        "6 s slash h escape": False,
        "6 s slash h enter escape s": False,
    }
    assert play_all("full", titles, held) == titles


# Ends, counts, sizes.


def test_motions_that_lead_nowhere_say_so() -> None:
    def said(app: BpstepApp) -> set[str]:
        told = {notification.message for notification in app._notifications}
        app.clear_notifications()
        return told

    end, start = "This is the end of the program.", "This is the start."
    told = {
        "G": set(),
        "G s": {end},
        "G n n": {end},
        "G c": {end},
        "1 3 s": set(),
        "S": {start},
        "g": {start},
        "2 s S": set(),
    }
    assert play_all("full", told, said) == told


def test_below_a_usable_size_there_is_a_notice_and_above_it_there_is_none() -> None:
    async def act(app: BpstepApp, pilot: Pilot[None]) -> list[bool]:
        found = []
        for size in ((39, 24), (80, 13), (40, 14), (80, 24)):
            await pilot.resize_terminal(*size)
            await pilot.pause()
            found.append("Too small: 40x14" in text(app))
        press(app, "s")
        await pilot.pause()
        assert position(app) == 1
        return found

    assert driven(documents("full"), SMALL, act) == [True, True, False, False]
    assert "Too small" in play([], "", text, (39, 20))


def test_a_typed_comparison_is_reported() -> None:
    keys = f"6 s colon {typed('compare detached-skip')} enter"
    shown, laid = play(documents("full"), keys, lambda app: (text(app), output(app)), LARGE)
    assert "compare full with detached-skip: 4 of 14 nodes differ" in shown
    assert "kept from p: – ≠ 4 through skip" in laid


def output(app: BpstepApp) -> str:
    return "\n".join(line.plain for line in debug(app).query_one(OutputPane).view.laid)


def test_leaving_the_output_leads_back_to_the_tab_before_it() -> None:
    def tab(app: BpstepApp) -> str:
        return debug(app).query_one(DetailTabs).active

    said = f"colon {typed('where')} enter"
    shown = {f"t {said}": "output", f"escape t {said} escape": "check", f"{said} {said} s": "check"}
    assert play_all("full", shown, tab) == shown


def test_a_line_that_did_nothing_before_its_mistake_leaves_no_trace_in_the_output() -> None:
    keys = f"colon {typed('set w=')} enter"
    assert play(documents("full"), keys, lambda app: debug(app).lines) == ()


def test_sentences_fill_the_pane_whatever_they_are_wrapped_at_elsewhere() -> None:
    shown = play(documents("full"), f"6 s colon {typed('update 0.1')} enter", text)
    told = [line.strip("│╭╮ ") for line in shown.splitlines()]
    first = next(n for n, line in enumerate(told) if line.startswith("At 0.1 the loss rises"))
    assert told[first : first + 3] == [
        "At 0.1 the loss rises where it should fall. A gradient is the slope at",
        "this point: it does not say how far the slope holds, so a right one",
        "promises no safe step.",
    ]
