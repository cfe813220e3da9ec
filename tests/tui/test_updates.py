"""How often the screen is painted for a key: each update more is a frame later for who waits."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from importlib import import_module

import pytest
from driving import LARGE, SMALL, documents, play, press, text, worked
from textual.screen import Screen

from bpstep.tui.ahead import LATER
from bpstep.tui.app import BpstepApp
from bpstep.tui.widgets.detail_tabs import SCENE_PANES, SHORT, DetailTabs

ROUND = " ".join("t" * (len(SCENE_PANES) + 1))
"""Every tab, `about` too, once."""


def updates(name: str, before: str, keys: str, monkeypatch: pytest.MonkeyPatch) -> Sequence[int]:
    """How many updates follow from each key, after others have been pressed."""
    painted: list[Screen[object]] = []
    real = Screen._on_timer_update

    def noted(screen: Screen[object]) -> None:
        painted.append(screen)
        real(screen)

    monkeypatch.setattr(Screen, "_on_timer_update", noted)

    async def counted() -> list[int]:
        app, found = BpstepApp(documents(name)), []
        async with app.run_test(size=SMALL) as pilot:
            await pilot.pause()
            for key in before.split():
                press(app, key)
                await worked(app, pilot)
            for key in keys.split():
                painted.clear()
                press(app, key)
                await worked(app, pilot)
                found.append(len(painted))
        return found

    return asyncio.run(counted())


@pytest.mark.parametrize("name", ["full", "detached-skip", "matrix-layer", "sigmoid-chain"])
def test_a_step_is_painted_in_one_update(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert {*updates(name, "n", "s s S n N j k c C", monkeypatch)} == {1}


def test_a_tab_that_was_open_before_is_painted_in_one_update(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tall = len(SCENE_PANES) - len(SHORT)
    found = updates("full", f"6 s {ROUND} t t", " ".join("t" * tall), monkeypatch)
    assert found == [1] * tall


def test_a_tab_opened_again_after_a_step_shows_that_step_in_its_first_update(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for other in ("t", "T"):
        back = {"t": "T", "T": "t"}[other]
        keys = f"{other} s {back} S {other} s {back}"
        assert {*updates("full", f"6 s {ROUND} t t t t", keys, monkeypatch)} == {1}


def test_what_is_imported_ahead_is_there() -> None:
    for name in LATER:
        import_module(name)


def test_the_tabs_are_higher_while_a_pane_with_a_plot_is_open() -> None:
    async def heights() -> list[int]:
        app = BpstepApp(documents("full"))
        async with app.run_test(size=(80, 34)) as pilot:
            await pilot.pause()
            tabs, found = app.screen.query_one(DetailTabs), []
            for name in ("why", "check", "gradients"):
                tabs.open(name)
                await pilot.pause()
                found.append(tabs.size.height)
        return found

    low, high, again = asyncio.run(heights())
    assert low == again < high


OUT_OF_SIGHT = {
    "z s s z": "s s",
    "tab z s n z escape": "s n",
    "tab tab z 6 s z escape": "6 s",
    "tab tab tab z 6 s z escape": "6 s",
    "t s t s T T s": "s s s",
    f"{ROUND} 6 s {ROUND}": f"{ROUND} 6 s",
    f"t t t {ROUND} 6 s T T T": "6 s",
    "T T n T T": "n T T T T",
}
"""Keys that change what panes show while they are out of sight, and those that do it in sight."""


def slowly(name: str, keys: str) -> str:
    """What is shown after keys, each pressed when the one before is painted."""

    async def played() -> str:
        app = BpstepApp(documents(name))
        async with app.run_test(size=SMALL) as pilot:
            await pilot.pause()
            for key in keys.split():
                press(app, key)
                await worked(app, pilot)
            return text(app)

    return asyncio.run(played())


@pytest.mark.parametrize(("keys", "plain"), OUT_OF_SIGHT.items())
def test_a_pane_that_was_out_of_sight_shows_what_it_would_have(keys: str, plain: str) -> None:
    assert slowly("matrix-layer", keys) == slowly("matrix-layer", plain)


def test_a_window_that_changed_while_a_tab_was_closed_has_it_as_in_a_new_window() -> None:
    async def resized() -> list[str]:
        app, found = BpstepApp(documents("full")), []
        async with app.run_test(size=SMALL) as pilot:
            await pilot.pause()
            for key in ("6", "s", *ROUND.split()):
                press(app, key)
                await worked(app, pilot)
            await pilot.resize_terminal(*LARGE)
            for _ in range(len(ROUND.split())):
                press(app, "t")
                await worked(app, pilot)
                found.append(text(app))
        return found

    names = [*SCENE_PANES, "about"]
    for turns, seen in enumerate(asyncio.run(resized())[:-1], 1):
        if names[turns] != "source":  # stays scrolled to where the marked line was in sight
            new = play(documents("full"), f"6 s {'t ' * turns}", text, LARGE)
            assert seen == new, names[turns]
