"""Every message of the app is posted by something a user does, and something comes of it."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from threading import Event
from typing import Any

import pytest
from driving import SMALL, pressed, typed, worked
from key_effects import SIGHTS
from textual.message import Message

import bpstep.tui
from bpstep.analysis.progress import advance
from bpstep.session.session import Session
from bpstep.tui import jobs, slow
from bpstep.tui.app import BpstepApp
from bpstep.tui.document import open_path
from bpstep.tui.loading import Loaded
from bpstep.tui.record import load_record
from bpstep.tui.runner import Result
from bpstep.tui.screens import working
from bpstep.tui.screens.card import CardScreen
from bpstep.tui.screens.element import ElementScreen
from bpstep.tui.screens.learn import LearnScreen
from bpstep.tui.screens.library import Books
from bpstep.tui.widgets.choice_list import ChoiceList
from bpstep.tui.widgets.choosing import NodeChosen, NodeOpened
from bpstep.tui.widgets.detail_tabs import DetailTabs
from bpstep.tui.widgets.element_grid import ElementGrid
from bpstep.tui.widgets.filter_line import FilterLine
from bpstep.tui.widgets.job_bar import JobBar
from bpstep.tui.widgets.prompt import Prompt
from bpstep.tui.widgets.sides_table import SidesTable
from bpstep.tui.widgets.tab_bar import TabBar
from bpstep.tui.widgets.timeline_bar import TimelineBar


@dataclass(frozen=True)
class Case:
    """After keys, and clicks at a place, there is this to be seen."""

    keys: str
    sight: str
    after: Any
    clicked: str = ""
    at: tuple[int, int] = (0, 0)
    times: int = 1
    document: str = "full"
    learning: bool = False


SEEN = {
    **SIGHTS,
    "deep": lambda app: app.screen.query_one("#card").size.height < 8,
    "news": lambda app: app.screen.query_one(JobBar).news.done,
    "output": lambda app: "check w: agrees" in "\n".join(line.plain for line in app.screen.lines),
    "score": lambda app: any(progress.learned for progress in (load_record()[0] or {}).values()),
}
CHECK_W = f"colon {typed('check w')} enter"
ANSWERS = " ".join(f"G {typed(answer)} enter enter" for answer in ("12", "16", "32"))

CASES: dict[type[Message], Case] = {
    NodeChosen: Case("6 s tab up", "selected", "x"),
    NodeOpened: Case("", "screen", CardScreen, "OrderGrid", (5, 1), 2),
    DetailTabs.Turned: Case("t t", "deep", True),
    TabBar.Pointed: Case("", "tab", "gradients", "TabBar", (8, 0)),
    TimelineBar.Sought: Case("", "position", 13, "TimelineBar", (73, 0)),
    ElementGrid.Opened: Case(
        "8 s enter", "screen", ElementScreen, "ElementGrid", (9, 4), 2, "matrix-layer"
    ),
    Books.Learn: Case("o l", "told", ["Step on: 3 questions will be asked."]),
    LearnScreen.Learned: Case(ANSWERS, "score", True, learning=True),
    FilterLine.Moved: Case("o slash down", "place", "second"),
    FilterLine.Left: Case("o slash k i n k enter", "focus", "Books"),
    Prompt.Entered: Case("colon s t e p enter", "position", 1),
    Prompt.Typed: Case("slash x", "selected", "x"),
    Prompt.Closed: Case("slash x escape", "selected", "loss"),
    ChoiceList.Taken: Case("x", "choice", 1, "ChoiceList", (5, 1)),
    SidesTable.Moved: Case(
        f"d {typed('detached-skip')} enter", "side node", "e", "SidesTable", (5, 4)
    ),
    jobs.JobNews: Case(CHECK_W, "news", 1),
    jobs.JobDone: Case(CHECK_W, "output", True),
    JobBar.Cancelled: Case(
        f"colon {typed('check b')} enter", "told", ["cancelled: check b"], "JobBar"
    ),
}

BEFORE = {Loaded}
"""Posted before there is a page: seen in test_opening."""


def messages() -> Iterator[type[Message]]:
    """Every message of ours, those inside of widgets too."""
    for module in walk_packages(bpstep.tui.__path__, "bpstep.tui."):
        found = vars(import_module(module.name))
        inner = [vars(kind) for kind in found.values() if inspect.isclass(kind)]
        for names in (found, *inner):
            for kind in names.values():
                ours = getattr(kind, "__module__", "") == module.name and inspect.isclass(kind)
                if ours and issubclass(kind, Message):
                    yield kind


def test_every_message_has_a_case() -> None:
    assert set(messages()) == {*CASES, *BEFORE}


@pytest.fixture
def slow_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands are slow; ``check b`` goes on until it is called off."""
    never, carry_out = Event(), working.carry_out

    def slowly(session: Session, line: str) -> Result:
        advance(1, 4, "differences")
        while line.endswith("check b") and not never.wait(0.005):
            advance(1, 4, "differences")
        return carry_out(session, line)

    monkeypatch.setattr(working, "carry_out", slowly)
    monkeypatch.setattr(slow, "LARGE", 0)
    monkeypatch.setattr(jobs, "INTERVAL", 0)
    monkeypatch.setattr(jobs, "PATIENCE", 0)


async def driven(case: Case) -> tuple[set[type], Any, Any]:
    """The messages that were posted, what is seen at the end, and what went wrong."""
    posted: set[type] = set()
    app = BpstepApp([open_path(case.document)], learning=case.learning)
    async with app.run_test(size=SMALL, message_hook=lambda it: posted.add(type(it))) as pilot:
        await pilot.pause()
        await pressed(app, pilot, case.keys, wait=not case.clicked)
        if case.clicked:
            await pilot.pause()
            posted.clear()
            await pilot.click(case.clicked, offset=case.at, times=case.times)
            await worked(app, pilot)
        return posted, SEEN[case.sight](app), app._exception


@pytest.mark.usefixtures("slow_work")
@pytest.mark.parametrize("kind", CASES, ids=lambda kind: kind.__qualname__)
def test_every_message_is_posted_and_something_comes_of_it(
    kind: type[Message], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    posted, seen, failed = asyncio.run(driven(CASES[kind]))
    assert kind in posted
    assert (seen, failed) == (CASES[kind].after, None)
