"""Every key that is declared has an action, and every key has an effect that is seen."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from threading import Event
from typing import Any

import pytest
from driving import SLOW, SMALL, press, worked
from key_effects import EFFECTS, KEPT, SIGHTS, Effect, page
from rich.text import Text
from textual.actions import parse
from textual.binding import BindingsMap
from textual.dom import DOMNode
from textual.pilot import Pilot
from textual.screen import Screen

import bpstep.tui
from bpstep.analysis.progress import advance
from bpstep.session.predicting import Lesson
from bpstep.session.session import Session
from bpstep.tui import keys, slow
from bpstep.tui.app import BpstepApp
from bpstep.tui.checks import Checks
from bpstep.tui.document import open_path
from bpstep.tui.runner import Result
from bpstep.tui.screens import working
from bpstep.tui.screens.ask import Answer, AskScreen
from bpstep.tui.screens.card import CardScreen
from bpstep.tui.screens.compare import CompareScreen
from bpstep.tui.screens.debug import DebugScreen
from bpstep.tui.screens.element import ElementScreen
from bpstep.tui.screens.export import ExportScreen, FileName
from bpstep.tui.screens.help import HelpScreen
from bpstep.tui.screens.learn import LearnScreen
from bpstep.tui.screens.library import Books, LibraryScreen
from bpstep.tui.screens.opening import OpeningScreen
from bpstep.tui.screens.other import OtherScreen
from bpstep.tui.screens.problems import ProblemScreen
from bpstep.tui.widgets.check_pane import CheckPane
from bpstep.tui.widgets.filter_line import FilterLine
from bpstep.tui.widgets.graph_pane import GraphPane
from bpstep.tui.widgets.lines_pane import LinesPane
from bpstep.tui.widgets.node_table import NodeTable
from bpstep.tui.widgets.order_grid import OrderGrid
from bpstep.tui.widgets.output_pane import OutputPane
from bpstep.tui.widgets.prompt import Prompt
from bpstep.tui.widgets.sides_table import SidesTable
from bpstep.tui.widgets.text_pane import TextPane

# Which there are.


def classes() -> Iterator[type[DOMNode]]:
    """Every screen, widget and app of ours."""
    for module in walk_packages(bpstep.tui.__path__, "bpstep.tui."):
        for found in vars(import_module(module.name)).values():
            ours = getattr(found, "__module__", "") == module.name and inspect.isclass(found)
            if ours and issubclass(found, DOMNode):
                yield found


ALL = sorted(classes(), key=lambda found: found.__name__)
BEFORE = {OpeningScreen}
"""In sight while files are loaded: its keys are pressed in test_opening."""
DECLARING = [found for found in ALL if "BINDINGS" in vars(found) and found not in BEFORE]
SCREENS = {FileName: ExportScreen}
"""Widgets with actions of their screen; a screen is its own."""


def declared(of: type[DOMNode]) -> set[str]:
    """The keys of the bindings that a class has itself."""
    return set(BindingsMap(vars(of)["BINDINGS"]).key_to_bindings)


@pytest.mark.parametrize("of", ALL, ids=lambda found: found.__name__)
def test_every_binding_resolves_to_an_action(of: type[DOMNode]) -> None:
    for bindings in of._merge_bindings().key_to_bindings.values():
        for binding in bindings:
            where, name, parameters = parse(binding.action)
            screen = of if issubclass(of, Screen) else SCREENS.get(of, DebugScreen)
            owner = {"": of, "app": BpstepApp, "screen": screen}[where]
            action = getattr(owner, f"action_{name}", None) or getattr(owner, f"_action_{name}")
            inspect.signature(action).bind(None, *parameters)


def test_every_declared_key_is_bound() -> None:
    bound = {key for of in (*DECLARING, *BEFORE) for key in declared(of)}
    tables = {name: table for name, table in vars(keys).items() if name.endswith("_KEYS")}
    assert len(tables) >= 10
    for table in tables.values():
        for key in table:
            assert set(key.keys.split(",")) <= bound, key


@pytest.mark.parametrize("of", DECLARING, ids=lambda found: found.__name__)
def test_every_key_is_in_the_table_of_effects(of: type[DOMNode]) -> None:
    assert set(EFFECTS[of]) | KEPT.get(of, set()) == declared(of)


# Where they are pressed.

Prepared = Callable[[BpstepApp], object]
WRONG = "bpstep: 1\ntitle: Wrong\nparams: {w: 1}\ngraph: {loss: w * ww}\n"
LONG = """
bpstep: 1
title: Elements of which each has many terms
params: {b: [[1, 2, 3], [4, 5, 6]], x: {init: ones, shape: [90, 2, 3]}}
graph: {loss: sum(b * x)}
"""
TALL = tuple(Text(f"{number}  " + "wide  " * 40) for number in range(99))


def focused(*kinds: type) -> Prepared:
    return lambda app: app.screen.query_one(kinds[0]).focus()


def tab(name: str, kind: type) -> Prepared:
    def opened(app: BpstepApp) -> None:
        page(app).query_one("#tabs").open(name)
        page(app).query_one(kind).focus()

    return opened


def said(app: BpstepApp) -> None:
    page(app).say(TALL)
    page(app).query_one(OutputPane).focus()


def sides(app: BpstepApp) -> None:
    page(app).compare_sessions(open_path("detached-skip").session)


def card(app: BpstepApp) -> None:
    page(app).press("step 8")
    page(app).action_card()


def card_of_b(app: BpstepApp) -> None:
    screen = page(app)
    screen.press("goto end")
    screen.scene = screen.shown.choosing(screen.session.graph.find("b"))
    screen.action_card()


STAGES: dict[type, tuple[str, tuple[Prepared, ...]]] = {
    DebugScreen: ("full matrix-layer", ()),
    CompareScreen: ("full", (sides,)),
    SidesTable: ("full", (sides, focused(SidesTable))),
    CardScreen: ("matrix-layer", (card,)),
    ElementScreen: ("long.yaml", (card_of_b, lambda app: app.screen.action_open())),
    ProblemScreen: ("wrong.yaml full", ()),
    HelpScreen: ("full", (BpstepApp.action_help,)),
    TextPane: ("full", (BpstepApp.action_help,)),
    LibraryScreen: ("full", (BpstepApp.action_library,)),
    Books: ("full", (BpstepApp.action_library,)),
    FilterLine: ("full", (BpstepApp.action_library, lambda app: app.screen.action_filter())),
    OtherScreen: ("full", (lambda app: page(app).action_compare(),)),
    ExportScreen: ("full", (lambda app: page(app).action_export(),)),
    FileName: ("full", (lambda app: page(app).action_export(),)),
    AskScreen: ("full", (lambda app: page(app).action_end(),)),
    Answer: ("full", (lambda app: page(app).action_end(),)),
    Prompt: ("full", (lambda app: page(app).action_command(),)),
    GraphPane: ("full", (focused(GraphPane),)),
    OrderGrid: ("full", (focused(OrderGrid),)),
    NodeTable: ("full", (tab("gradients", NodeTable),)),
    LinesPane: ("full", (said,)),
    CheckPane: ("full", (tab("check", CheckPane),)),
}
LEARNED = {AskScreen, Answer}
REWINDING = {"sides": "g", "cursor": "home", "element": "h k"}
"""Keys that undo what is seen, where opening the screen anew would take longer."""


async def fresh(app: BpstepApp, pilot: Pilot[None], opened: Any) -> None:
    """As the app was opened: the first page in sight, nothing typed, said or chosen."""
    while len(app.screen_stack) > 2:
        await app.pop_screen()
    if len(app.pages) > len(app.documents) or app.here:
        del app.pages[len(app.documents) :]
        app.show(0)
        await pilot.pause(0)
    app._return_value = None
    if isinstance(app.screen, DebugScreen):
        screen = app.screen
        screen.minimize()
        screen.query_one(Prompt).close()
        screen.query_one(Prompt).history = []
        screen.scene, screen.count, screen.lines = opened, "", ()
        screen.query_one("#tabs").open("why")
        if isinstance(screen, LearnScreen):
            screen.lesson = Lesson.of(opened.session)
    await pilot.pause(0)
    app.clear_notifications()


async def typed(app: BpstepApp, pilot: Pilot[None], names: str) -> None:
    for name in names.split():
        press(app, name)
        # Another screen may come up, which takes its time.
        await pilot.pause(None if name in SLOW else 0)


async def seen(of: type, effects: dict[str, Effect]) -> dict[str, tuple[Any, Any]]:
    """What is seen before each key and after it."""
    names, prepared = STAGES[of]
    app, found = BpstepApp([*map(open_path, names.split())], learning=of in LEARNED), {}
    async with app.run_test(size=SMALL) as pilot:
        await pilot.pause()
        app.exit = lambda *_: setattr(app, "_return_value", "left")
        opened, rewound = getattr(app.screen, "scene", None), False
        for key, effect in effects.items():
            if not rewound:
                await fresh(app, pilot, opened)
                for prepare in prepared:
                    prepare(app)
                    await pilot.pause()
            await typed(app, pilot, effect.first)
            await pilot.pause()
            before = SIGHTS[effect.sight](app)
            await typed(app, pilot, key)
            await worked(app, pilot)
            found[key] = before, SIGHTS[effect.sight](app)
            rewound = type(app.screen) is of and effect.sight in REWINDING
            if rewound:
                await typed(app, pilot, REWINDING[effect.sight])
    return found


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "wrong.yaml").write_text(WRONG)
    (tmp_path / "long.yaml").write_text(LONG)


@pytest.fixture
def slow_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands that are slow go on until they are called off; checks wait to be asked for."""
    never, carry_out = Event(), working.carry_out

    def held(session: Session, line: str) -> Result:
        while not never.wait(0.005):
            advance(1, 4, "differences")
        return carry_out(session, line)

    monkeypatch.setattr(working, "carry_out", held)
    monkeypatch.setattr(slow, "LARGE", 0)
    monkeypatch.setattr(Checks, "is_quick", lambda *_: False)


@pytest.mark.usefixtures("folder", "slow_work")
@pytest.mark.parametrize("of", STAGES, ids=lambda found: found.__name__)
def test_every_key_has_its_effect(of: type) -> None:
    effects = EFFECTS[of]
    found = asyncio.run(seen(of, effects))
    assert {key: after for key, (_, after) in found.items()} == {
        key: effect.after for key, effect in effects.items()
    }
    assert [key for key, (before, after) in found.items() if before == after] == []
