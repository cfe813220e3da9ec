"""On every screen a mouse reaches what each key does: the bar of keys ends with the palette."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from driving import SMALL, pressed
from key_effects import EFFECTS, SIGHTS
from textual.command import CommandList, CommandPalette
from textual.pilot import Pilot
from textual.screen import Screen

from bpstep.tui.app import BpstepApp
from bpstep.tui.document import open_path
from bpstep.tui.keys import SIGNS
from bpstep.tui.screens.ask import Answer, AskScreen
from bpstep.tui.screens.card import CardScreen
from bpstep.tui.screens.compare import CompareScreen
from bpstep.tui.screens.debug import DebugScreen
from bpstep.tui.screens.element import ElementScreen
from bpstep.tui.screens.export import ExportScreen, FileName
from bpstep.tui.screens.help import HelpScreen
from bpstep.tui.screens.library import LibraryScreen
from bpstep.tui.screens.other import OtherScreen
from bpstep.tui.screens.problems import ProblemScreen
from bpstep.tui.widgets.filter_line import FilterLine
from bpstep.tui.widgets.key_bar import KeyBar
from bpstep.tui.widgets.prompt import Prompt

WAYS: dict[type, tuple[str, str]] = {
    DebugScreen: ("full", ""),
    Prompt: ("full", "colon"),
    CompareScreen: ("full", "d enter"),
    CardScreen: ("matrix-layer", "8 s enter"),
    ElementScreen: ("matrix-layer", "8 s enter enter"),
    HelpScreen: ("full", "question_mark"),
    LibraryScreen: ("full", "o"),
    FilterLine: ("full", "o slash"),
    OtherScreen: ("full", "d"),
    ExportScreen: ("full", "x"),
    FileName: ("full", "x"),
    ProblemScreen: ("wrong.yaml full", ""),
    AskScreen: ("full", "G"),
    Answer: ("full", "G"),
}
"""Screens, and lines that are typed in on them, with the keys that lead there."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "wrong.yaml").write_text("bpstep: 1\ntitle: Wrong\ngraph: {loss: ww}\n")


async def arrived(app: BpstepApp, pilot: Pilot[None], of: type) -> None:
    await pilot.pause()
    await pressed(app, pilot, WAYS[of][1])
    if issubclass(of, Screen):
        assert isinstance(app.screen, of)


async def asked(app: BpstepApp, pilot: Pilot[None]) -> CommandList:
    """The list of the palette, opened by a click on the last entry of the bar."""
    bar = app.screen.query_one(KeyBar)
    await pilot.click(bar, offset=(bar.size.width, 0))
    await pilot.pause()
    assert isinstance(app.screen, CommandPalette)
    await app.screen.workers.wait_for_complete()
    await pilot.pause()
    return app.screen.query_one(CommandList)


def opened(of: type) -> BpstepApp:
    learning = of in {AskScreen, Answer}
    return BpstepApp([*map(open_path, WAYS[of][0].split())], learning=learning)


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("of", WAYS, ids=lambda found: found.__name__)
def test_the_bar_and_the_palette_have_every_key(of: type) -> None:
    async def reached() -> set[str]:
        app = opened(of)
        async with app.run_test(size=SMALL) as pilot:
            await arrived(app, pilot, of)
            bar = app.screen.query_one(KeyBar)
            shown = {key.sign for _, key in bar.placed}
            entries = (await asked(app, pilot)).options
            told = [str(each.prompt).rpartition("\n")[2].strip() for each in entries]
            keys = {line.removeprefix("key ") for line in told if line.startswith("key ")}
            return shown.union(*(line.split("  ") for line in keys))

    wanted = {SIGNS.get(key, key) for key in EFFECTS[of]}
    assert wanted <= asyncio.run(reached())


CHOSEN = (
    (CompareScreen, "to the end;", "sides", 13),
    (ElementScreen, "the element to the right", "element", (0, 1)),
    (ExportScreen, "the next thing to write", "choice", 1),
    (FilterLine, "the next scenario", "place", "second"),
)


@pytest.mark.parametrize(("of", "says", "sight", "after"), CHOSEN)
def test_an_entry_of_the_palette_acts_on_the_screen_below(
    of: type, says: str, sight: str, after: object
) -> None:
    async def chosen() -> object:
        app = opened(of)
        async with app.run_test(size=SMALL) as pilot:
            await arrived(app, pilot, of)
            entries = await asked(app, pilot)
            # An entry has two lines, and there is a line above the first.
            row = 2 * next(n for n, o in enumerate(entries.options) if says in str(o.prompt))
            entries.scroll_to(y=row, animate=False)
            await pilot.pause()
            await pilot.click(entries, offset=(3, 1 + row - entries.scroll_offset.y))
            await pilot.pause()
            return SIGHTS[sight](app)

    assert asyncio.run(chosen()) == after
