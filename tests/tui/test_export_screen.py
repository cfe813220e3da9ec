"""Writing to a file from the app: what, under which name, and what is said."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from driving import debug, documents, pressed, typed
from textual.pilot import Pilot
from textual.widgets import Button, Static

from bpstep.tui.app import BpstepApp
from bpstep.tui.exporting import CHOICES, choice_of, free_name, stem_of, with_ending
from bpstep.tui.keys import EXPORT_KEYS, WRITE_KEYS
from bpstep.tui.screens.debug import DebugScreen
from bpstep.tui.screens.export import ExportScreen, FileName
from bpstep.tui.widgets.choice_list import ChoiceList

Act = Callable[[BpstepApp, Pilot[None]], Awaitable[Any]]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def driven(keys: str, act: Act, size: tuple[int, int] = (80, 24)) -> Any:
    async def run() -> Any:
        app = BpstepApp(documents("full"))
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await pressed(app, pilot, keys)
            await done(app, pilot)
            return await act(app, pilot)

    return asyncio.run(run())


async def done(app: BpstepApp, pilot: Pilot[None]) -> None:
    """What is being written is."""
    await app.workers.wait_for_complete()
    await pilot.pause()


def dialog(app: BpstepApp) -> ExportScreen:
    assert isinstance(app.screen, ExportScreen)
    return app.screen


def said(app: BpstepApp) -> str:
    return str(dialog(app).query_one("#said", Static).content)


def name(app: BpstepApp) -> str:
    return dialog(app).query_one(FileName).value


async def nothing_more(app: BpstepApp, pilot: Pilot[None]) -> Any:
    notices = [notice.message for notice in app._notifications]
    return type(app.screen), notices


def test_enter_writes_the_screen_without_the_dialog(folder: Path) -> None:
    screen, notices = driven("6 s x enter", nothing_more)
    svg = (folder / "full-step-6.svg").read_text(encoding="utf-8")
    assert screen is DebugScreen
    assert notices == [f"wrote {folder / 'full-step-6.svg'}"]
    assert "step&#160;6&#160;of&#160;13" in svg
    assert "write&#160;to&#160;a&#160;file" not in svg
    assert "cdnjs" not in svg


STARTS = ("<svg ", "<!DOCTYPE", "# ", "{", "<svg ", "<!DOCTYPE")


def test_each_choice_is_written(folder: Path) -> None:
    async def act(app: BpstepApp, pilot: Pilot[None]) -> list[str]:
        written = []
        for number in range(len(CHOICES)):
            await pressed(app, pilot, f"x {'down ' * number}enter")
            await done(app, pilot)
            (file,) = folder.iterdir()
            assert file.suffix == CHOICES[number].ending
            written.append(file.read_text(encoding="utf-8"))
            file.unlink()
        return written

    written = driven("6 s", act)
    for text, start in zip(written, STARTS, strict=True):
        assert text.startswith(start)
    assert json.loads(written[3].splitlines()[0])["event"] == "scenario"
    assert "<h3>Result</h3>" in written[5]
    assert "<h3>Result</h3>" not in written[1]


def test_up_and_down_go_round_and_the_name_has_the_ending() -> None:
    async def act(app: BpstepApp, pilot: Pilot[None]) -> Any:
        found = []
        for keys in ("up", "down", "down", "down down"):
            await pressed(app, pilot, keys)
            found.append((dialog(app).query_one(ChoiceList).taken, name(app)))
        return found

    assert driven("x", act) == [
        (5, "full-step-0.html"),
        (0, "full-step-0.svg"),
        (1, "full-step-0.html"),
        (3, "full-step-0.jsonl"),
    ]


def test_a_name_that_is_typed_decides_by_its_ending(folder: Path) -> None:
    driven(f"6 s x {typed('mine.md')} enter", nothing_more)
    assert (folder / "mine.md").read_text(encoding="utf-8").startswith("# ")
    driven(f"6 s x {typed('other')} enter", nothing_more)
    assert (folder / "other.svg").exists()


def test_a_file_is_overwritten_only_when_that_is_asked_twice(folder: Path) -> None:
    (folder / "a.md").write_text("precious", encoding="utf-8")

    async def act(app: BpstepApp, pilot: Pilot[None]) -> Any:
        asked = said(app), (folder / "a.md").read_text(encoding="utf-8")
        await pressed(app, pilot, "x backspace enter")
        again = said(app), (folder / "a.md").read_text(encoding="utf-8")
        await pressed(app, pilot, "enter")
        await done(app, pilot)
        return asked, again, type(app.screen)

    asked, again, screen = driven(f"x {typed('a.md')} enter", act)
    assert asked == ("! a.md is there already: Enter again overwrites it", "precious")
    assert again == asked
    assert screen is DebugScreen
    assert (folder / "a.md").read_text(encoding="utf-8").startswith("# ")


MISTAKES = {
    "no/such/a.md": "there is no folder",
    "a.txt": "the ending says how: .svg, .html, .md, .jsonl",
    "folder.md": "it is a folder",
    "~nobody-of-that-name/a.md": "there is no folder",
    " ": "the file needs a name",
}


def test_a_mistake_is_said_in_the_dialog_and_can_be_mended(folder: Path) -> None:
    (folder / "folder.md").mkdir()

    async def act(app: BpstepApp, pilot: Pilot[None]) -> dict[str, str]:
        messages = {}
        for mistake in (*MISTAKES, "right.md"):
            dialog(app).query_one(FileName).value = mistake
            await pilot.pause()
            assert said(app) == ""
            await pressed(app, pilot, "enter")
            await done(app, pilot)
            if mistake in MISTAKES:
                messages[mistake] = said(app)
        return messages

    messages = driven("x", act)
    for mistake, reason in MISTAKES.items():
        assert reason in messages[mistake]
    assert (folder / "right.md").exists()


def test_escape_and_cancel_write_nothing(folder: Path) -> None:
    async def act(app: BpstepApp, pilot: Pilot[None]) -> Any:
        first = type(app.screen)
        await pressed(app, pilot, "x")
        await pilot.click("#cancel")
        await pilot.pause()
        return first, type(app.screen)

    assert driven("x escape", act) == (DebugScreen, DebugScreen)
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("size", [(80, 24), (44, 16)])
def test_all_of_it_is_done_with_a_mouse(folder: Path, size: tuple[int, int]) -> None:
    async def act(app: BpstepApp, pilot: Pilot[None]) -> Any:
        await pilot.click(ChoiceList, offset=(3, 2))
        await pilot.pause()
        shown = name(app)
        await pilot.click("#write")
        await pilot.pause()
        await done(app, pilot)
        return shown

    assert driven("x", act, size) == "full-step-0.md"
    assert [file.name for file in folder.iterdir()] == ["full-step-0.md"]


def test_buttons_are_reached_with_tab(folder: Path) -> None:
    async def act(app: BpstepApp, pilot: Pilot[None]) -> Any:
        focused = app.focused
        await pressed(app, pilot, "up enter")
        await done(app, pilot)
        return focused.id if isinstance(focused, Button) else None

    assert driven("x tab", act) == "write"
    assert [file.name for file in folder.iterdir()] == ["full-step-0.html"]


def test_every_key_is_in_the_footer_or_the_table() -> None:
    async def act(app: BpstepApp, pilot: Pilot[None]) -> Any:
        return set(app.screen.active_bindings)

    keys = {key for each in (*EXPORT_KEYS, *WRITE_KEYS) for key in each.keys.split(",")}
    assert keys <= driven("x", act)


def test_the_palette_gives_the_same_dialog_and_clean_pictures(folder: Path) -> None:
    async def act(app: BpstepApp, pilot: Pilot[None]) -> Any:
        await debug(app).run_action("export")
        await pilot.pause()
        return dialog(app).shot.screen, app.export_screenshot()

    for svg in driven("", act):
        assert "@font-face" not in svg
        assert "https://" not in svg


def test_names_are_made_of_what_any_file_system_takes(folder: Path) -> None:
    async def act(app: BpstepApp, pilot: Pilot[None]) -> Any:
        return debug(app).session

    session = driven("6 s", act)
    assert stem_of(session) == "full-step-6"
    (folder / "full-step-6.md").touch()
    (folder / "full-step-6-2.md").touch()
    assert free_name(session, ".md", folder) == "full-step-6-3.md"
    assert with_ending("a.b.md", ".svg") == "a.b.svg"
    assert with_ending("a.b", ".svg") == "a.b.svg"
    assert choice_of(Path("a.SVG"), 4) == 4
    assert choice_of(Path("a.svg"), 1) == 0
    assert choice_of(Path("a.txt"), 0) is None
