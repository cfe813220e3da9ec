"""Drives the app without a terminal and without waiting: what is due is done, then looked at."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any

from textual.events import Key
from textual.pilot import Pilot
from textual.worker import WorkerCancelled

from bpstep.tui.app import BpstepApp
from bpstep.tui.document import Document, open_path
from bpstep.tui.screens.debug import DebugScreen
from bpstep.tui.screens.export import WRITING

SMALL, LARGE = (80, 24), (120, 36)

Look = Callable[[BpstepApp], Any]


def documents(*names: str) -> list[Document]:
    return [open_path(name) for name in names]


def press(app: BpstepApp, key: str) -> None:
    """Press a key, given by its name, as the terminal's driver reports it."""
    character = CHARACTERS.get(key, key if len(key) == 1 else None)
    app.post_message(Key(NAMES.get(key, key), character))


CHARACTERS = {
    "space": " ",
    "colon": ":",
    "slash": "/",
    "question_mark": "?",
    "left_square_bracket": "[",
    "right_square_bracket": "]",
}
SLOW = {"enter", "o"}
"""Keys after which another screen may have to come up before the next is pressed."""

NAMES = {character: name for name, character in CHARACTERS.items()}


def play(opened: Iterable[Document], keys: str, look: Look, size: tuple[int, int] = SMALL) -> Any:
    """Open documents, press keys (their names, with spaces between), and look."""
    return asyncio.run(played(opened, keys, look, size))


async def played(
    opened: Iterable[Document], keys: str, look: Look, size: tuple[int, int] = SMALL
) -> Any:
    app = BpstepApp(list(opened))
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        await pressed(app, pilot, keys)
        return look(app)


async def pressed(app: BpstepApp, pilot: Pilot[None], keys: str, wait: bool = True) -> None:
    """Press keys one after the other, and wait until all is done that they do."""
    for key in keys.split():
        if key == "escape":
            # What was pressed before is still the pane's.
            await pilot.pause()
        press(app, key)
        if key in SLOW:
            await pilot.pause()
        elif len(key) > 1:
            await pilot.pause(0)
    if wait:
        await worked(app, pilot)


async def worked(app: BpstepApp, pilot: Pilot[None]) -> None:
    """Wait for the jobs that go on, and for what follows from them."""
    await pilot.pause()
    while jobs := [worker for worker in app.workers if is_job(worker.group)]:
        for worker in jobs:
            with suppress(WorkerCancelled):
                await worker.wait()
        await pilot.pause()


def is_job(group: str) -> bool:
    """Whether a worker of this group does what was asked for, and then ends."""
    return group.startswith("job of") or group == WRITING


def play_all(name: str, cases: Iterable[str], look: Look) -> dict[str, Any]:
    """The same for several rows of keys, each from the state in which a scenario is opened."""

    async def all_played() -> dict[str, Any]:
        app, found = BpstepApp([open_path(name)]), {}
        async with app.run_test(size=SMALL) as pilot:
            await pilot.pause()
            screen = debug(app)
            opened = screen.scene
            for keys in cases:
                screen.scene, screen.count = opened, ""
                screen.set_focus(None)
                await pressed(app, pilot, keys)
                found[keys] = look(app)
        return found

    return asyncio.run(all_played())


def debug(app: BpstepApp) -> DebugScreen:
    """The main screen, which must be the one in sight."""
    assert isinstance(app.screen, DebugScreen)
    return app.screen


def text(app: BpstepApp) -> str:
    """What is on the screen, without its looks."""
    strips = app.screen._compositor.render_strips()
    return "\n".join(strip.text.rstrip() for strip in strips)


def position(app: BpstepApp) -> int:
    return debug(app).session.position


def selected(app: BpstepApp) -> str:
    scene = debug(app).shown
    assert scene.session.graph is not None
    assert scene.selected is not None
    return scene.session.graph.label(scene.selected)


def typed(line: str) -> str:
    """The keys that type a line."""
    return " ".join(NAMES.get(sign, sign) for sign in line)
