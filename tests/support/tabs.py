"""Looks at one tab of the app: at several sizes, or after keys, in one run of it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

from driving import debug, pressed, text

from bpstep.tui.app import BpstepApp
from bpstep.tui.document import Document
from bpstep.tui.widgets.detail_tabs import DetailTabs

SIZES = ((80, 24), (120, 36), (160, 50))


def at_sizes(
    opened: Iterable[Document], keys: str, tab: str, sizes: Iterable[tuple[int, int]] = SIZES
) -> list[str]:
    """The screen at each size, the first that the app is opened in."""
    sizes = tuple(sizes)

    async def looked_at() -> list[str]:
        app, screens = BpstepApp(list(opened)), []
        async with app.run_test(size=sizes[0]) as pilot:
            await pilot.pause()
            await pressed(app, pilot, keys)
            debug(app).query_one(DetailTabs).open(tab)
            for size in sizes:
                await pilot.resize_terminal(*size)
                await pilot.pause()
                screens.append(text(app))
        return screens

    return asyncio.run(looked_at())


def after_each(
    opened: Iterable[Document], tab: str, keys: Iterable[str], size: tuple[int, int] = SIZES[1]
) -> list[str]:
    """The screen with that tab after each row of keys, pressed one row after the other."""

    async def looked_at() -> list[str]:
        app, screens = BpstepApp(list(opened)), []
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            debug(app).query_one(DetailTabs).open(tab)
            for row in keys:
                await pressed(app, pilot, row)
                debug(app).query_one(DetailTabs).open(tab)
                await pilot.pause()
                screens.append(text(app))
        return screens

    return asyncio.run(looked_at())
