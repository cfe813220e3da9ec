"""How often the screen is painted for a key: each update more is a frame later for who waits."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from importlib import import_module

import pytest
from driving import SMALL, documents, press, worked
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
