"""Waits until the app has nothing more to do, and for no time.

Textual's pilot sleeps, 20 ms at a time, until the processor seems idle. That is slow, and wrong on
a machine that is busy: a process that is not let run looks idle.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

from textual.app import App
from textual.pilot import Pilot
from textual.screen import Screen

PATIENCE = 60
"""Seconds after which an app that never comes to rest is a mistake."""


async def pause(pilot: Pilot[None], delay: float | None = None) -> None:
    """Wait until the app is still; with a delay, once more after it."""
    await still(pilot.app)
    if delay:
        await asyncio.sleep(delay)
        await still(pilot.app)


async def still(app: App[None]) -> None:
    """Wait until nothing is left to be done but what a clock or a thread has to begin."""
    async with asyncio.timeout(PATIENCE):
        await all_done(app)


async def all_done(app: App[None]) -> None:
    await let_go_on()
    while app._running and (app._resize_timer is not None or any(due(app))):
        for screen in due(app):
            screen._on_timer_update()
        if app._resize_timer is not None:
            await asyncio.sleep(0.001)
        await let_go_on()


async def let_go_on() -> None:
    """Let every task go on until it waits for something."""
    ready = asyncio.get_running_loop()._ready  # type: ignore[attr-defined]
    await asyncio.sleep(0)
    while ready:
        await asyncio.sleep(0)


def due(app: App[None]) -> Iterator[Screen[None]]:
    """The screens in sight that are to be laid out or painted, which else a clock would do."""
    for screen in app.screen_stack:
        painted = screen.is_current and not app._batch_count
        if screen._callbacks or (painted and changed(screen)):
            yield screen


def changed(screen: Screen[None]) -> bool:
    """Whether a screen is not as it was painted; one in the background asks for paint for ever."""
    return bool(
        screen._layout_required
        or screen._scroll_required
        or (screen._repaint_required and screen is screen.app.screen)
        or screen._recompose_required
        or screen._dirty_widgets
    )
