"""The start: a frame comes first, the scenario when it is loaded, and no key is lost in between."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from driving import LARGE, SMALL, debug, documents, position, press, selected, text
from textual.message import Message
from textual.pilot import Pilot

from bpstep.tui import document
from bpstep.tui.app import BpstepApp
from bpstep.tui.loading import Loaded
from bpstep.tui.screens.debug import DebugScreen
from bpstep.tui.screens.opening import OpeningScreen
from bpstep.tui.screens.problems import ProblemScreen

WRONG = "bpstep: 1\ntitle: Wrong\nparams: {w: 1}\ngraph: {loss: w * ww}\n"


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Iterator[Event]:
    """Nothing is loaded until this is set."""
    opened, real = Event(), document.open_path

    def open_path(path: str) -> document.Document:
        opened.wait()
        return real(path)

    monkeypatch.setattr(document, "open_path", open_path)
    yield opened
    opened.set()


class Loads:
    """A message hook that knows when everything has been loaded."""

    def __init__(self) -> None:
        self.done = asyncio.Event()

    def __call__(self, message: Message) -> None:
        if isinstance(message, Loaded):
            self.done.set()


async def loaded(app: BpstepApp, pilot: Pilot[None], loads: Loads) -> None:
    """Wait until everything is loaded and typed."""
    await loads.done.wait()
    await pilot.pause()
    await app.workers.wait_for_complete()
    await pilot.pause()


@asynccontextmanager
async def opening(paths: list[Any], size: tuple[int, int] = SMALL) -> Any:
    app, loads = BpstepApp(paths), Loads()
    async with app.run_test(size=size, message_hook=loads) as pilot:
        await pilot.pause()
        yield app, pilot, loads


def typed(gate: Event, paths: list[str], keys: str, look: Callable[[BpstepApp], Any]) -> Any:
    """Type while files are loaded, then let them be loaded, and look."""

    async def play() -> Any:
        async with opening(paths) as (app, pilot, loads):
            for key in keys.split():
                press(app, key)
            await pilot.pause()
            assert type(app.screen) is OpeningScreen
            gate.set()
            await loaded(app, pilot, loads)
            return look(app)

    return run(play())


def run(doing: Awaitable[Any]) -> Any:
    return asyncio.run(asyncio.wait_for(doing, 60))


@pytest.mark.parametrize("size", [SMALL, LARGE])
def test_the_frame_is_that_of_the_main_screen(gate: Event, size: tuple[int, int]) -> None:
    def corners(shown: str) -> list[tuple[int, int]]:
        lines = shown.splitlines()
        return [
            (y, x) for y, line in enumerate(lines) for x, sign in enumerate(line) if sign in "╭╯"
        ]

    async def play() -> tuple[str, str]:
        async with opening(["full"], size) as (app, pilot, loads):
            first = text(app)
            gate.set()
            await loaded(app, pilot, loads)
            debug(app)
            return first, text(app)

    first, whole = run(play())
    assert first.splitlines()[0].strip() == "full  loading …"
    assert "step 0 of 13" in whole
    assert corners(first) == corners(whole)


def test_what_is_typed_meanwhile_is_done_in_its_order(gate: Event) -> None:
    assert typed(gate, ["full"], "2 s s S", position) == 2
    gate.clear()
    assert typed(gate, ["full"], "colon g o t o space p enter s", position) == 11
    gate.clear()
    assert typed(gate, ["full", "kink"], "right_square_bracket s", name_and_position) == ("kink", 1)
    gate.clear()
    assert typed(gate, ["full"], "slash q enter", selected) == "q", "q is text after a slash"
    gate.clear()
    assert typed(gate, ["full"], "s enter escape s", position) == 2


def name_and_position(app: BpstepApp) -> tuple[str, int]:
    return debug(app).session.scenario.name, position(app)


@pytest.mark.parametrize("key", ["q", "ctrl+c"])
def test_loading_can_be_called_off(gate: Event, key: str) -> None:
    async def play() -> int | None:
        app = BpstepApp(["full"])
        async with app.run_test() as pilot:
            await pilot.pause()
            press(app, key)
            while app.is_running:
                await asyncio.sleep(0)
            return app.return_code

    assert run(play()) == 0


def test_files_with_mistakes_and_whole_ones_are_pages_in_their_order(
    gate: Event, tmp_path: Path
) -> None:
    wrong = tmp_path / "wrong.yaml"
    wrong.write_text(WRONG)
    kinds = typed(gate, [str(wrong), "full"], "", lambda app: [type(page) for page in app.pages])
    assert kinds == [ProblemScreen, DebugScreen]


def test_what_is_loaded_already_comes_up_beside_what_is_not(gate: Event) -> None:
    kink = documents_of("kink", gate)
    assert typed(gate, [kink, "full"], "right_square_bracket", name_and_position) == ("full", 0)


def documents_of(name: str, gate: Event) -> Any:
    gate.set()
    (found,) = documents(name)
    gate.clear()
    return found


def test_a_mistake_of_ours_is_not_kept_back(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(path: str) -> document.Document:
        raise ZeroDivisionError(path)

    monkeypatch.setattr(document, "open_path", broken)

    async def play() -> None:
        async with opening(["full"]) as (app, pilot, loads):
            await loaded(app, pilot, loads)

    with pytest.raises(ZeroDivisionError, match="full"):
        run(play())


def test_the_seconds_are_counted(gate: Event, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr("bpstep.tui.screens.opening.monotonic", lambda: now[0])

    async def counted() -> list[str]:
        async with opening(["full"]) as (app, pilot, _):
            lines = []
            for now[0] in (100.9, 101.0, 163.5):
                app.screen.query_one("LoadingLine").refresh()
                await pilot.pause()
                lines.append(text(app).splitlines()[0].strip())
            return lines

    assert run(counted()) == ["full  loading …", "full  loading … 1 s", "full  loading … 63 s"]


def test_a_page_read_again_takes_the_place_of_the_old_one(tmp_path: Path) -> None:
    """The old page is none of the open ones by then, and must not stay under the new one."""
    file = tmp_path / "it.yaml"
    file.write_text(WRONG)

    async def play() -> tuple[int, int]:
        async with opening([document.open_path(str(file))]) as (app, pilot, _):
            before = len(app.screen_stack)
            press(app, "r")
            await pilot.pause()
            return before, len(app.screen_stack)

    before, after = run(play())
    assert before == after


def test_a_key_right_after_another_page_was_opened_waits_for_it() -> None:
    """Both keys are there at once: the second must not reach a page without its panes."""

    async def play() -> tuple[str, int]:
        async with opening(documents("full", "kink")) as (app, pilot, _):
            press(app, "right_square_bracket")
            press(app, "s")
            await pilot.pause()
            return name_and_position(app)

    assert run(play()) == ("kink", 1)
