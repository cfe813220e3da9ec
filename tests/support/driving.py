"""Drives the app without a terminal and without waiting: what is due is done, then looked at."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from typing import Any

from bpstep.tui.app import BpstepApp
from bpstep.tui.document import Document, open_path
from bpstep.tui.screens.debug import DebugScreen

SMALL, LARGE = (80, 24), (120, 36)

Look = Callable[[BpstepApp], Any]


def documents(*names: str) -> list[Document]:
    return [open_path(name) for name in names]


def play(opened: Iterable[Document], keys: str, look: Look, size: tuple[int, int] = SMALL) -> Any:
    """Open documents, press keys (their names, with spaces between), and look."""

    async def played() -> Any:
        app = BpstepApp(list(opened))
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            for key in keys.split():
                app.simulate_key(key)
                await pilot.pause(0)
            await pilot.pause()
            return look(app)

    return asyncio.run(played())


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
    names = {" ": "space", ":": "colon", "/": "slash"}
    return " ".join(names.get(sign, sign) for sign in line)
