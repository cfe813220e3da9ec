"""Keys paint only what they change; what stands in the terminal then is what the screen shows."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pyte
import pytest
from driving import documents, press, typed, worked
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from textual.drivers.headless_driver import HeadlessDriver
from textual.events import Resize
from textual.geometry import Size
from textual.pilot import Pilot
from textual.widget import Widget

from bpstep.tui.app import BpstepApp
from bpstep.tui.widgets.painted import PaintedPane
from bpstep.tui.widgets.placed import PlacedPane

SIZES = ((80, 24), (100, 30), (64, 18), (160, 50))
COMMANDS = ("set w = 2", "print p", "check w", "goto 5", "watch p")
PRESSED = (*"sSnNcCgGjkhlz", *"sStTtTtTtT", "tab", "escape")
BEHIND = ("t s T", "T n t", "z s z", "t t S T T", "tab tab z c z escape")
"""Panes are out of sight while something changes, and in sight again."""
ACTS = st.one_of(
    st.sampled_from(BEHIND),
    st.sampled_from(PRESSED),
    st.sampled_from(SIZES),
    st.sampled_from(COMMANDS).map(lambda line: f"colon {typed(line)} enter escape"),
)


class Terminal(HeadlessDriver):
    """A terminal that is not there; what is written to it is kept as it would show it."""

    screen = pyte.Screen(*SIZES[0])
    stream = pyte.Stream(screen)

    @property
    def is_headless(self) -> bool:
        """All is written as to a terminal."""
        return False

    def write(self, data: str) -> None:
        """What pyte does not know, the keyboard's modes, is left out."""
        self.stream.feed(data.replace("\x1b[>4;1m", "").replace("\x1b[>1u", ""))


def seen(app: BpstepApp) -> list[str]:
    """What the lines of the screen are, by what its widgets keep."""
    strips = app.screen._compositor.render_strips(app.size)
    return ["".join(part.text for part in strip).rstrip() for strip in strips]


def forget(widgets: Iterator[Widget]) -> None:
    """Have widgets make all lines anew."""
    for widget in widgets:
        widget._styles_cache.clear()
        if isinstance(widget, PaintedPane) and widget.size.area:
            widget._strips.clear()
        if isinstance(widget, PlacedPane) and widget.size.area:
            widget.placed()


async def act(app: BpstepApp, pilot: Pilot[None], what: str | tuple[int, int]) -> None:
    if isinstance(what, str):
        for key in what.split():
            press(app, key)
            await pilot.pause()
    else:
        Terminal.screen.resize(what[1], what[0])
        app.post_message(Resize(Size(*what), Size(*what)))
    await worked(app, pilot)


@pytest.mark.parametrize("name", ["full", "matrix-layer"])
@settings(max_examples=3, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(acts=st.lists(ACTS, min_size=12, max_size=20))
def test_what_is_painted_in_pieces_is_the_whole(
    name: str, acts: list[str | tuple[int, int]]
) -> None:
    async def play(pilot: Pilot[None]) -> None:
        app = pilot.app
        assert isinstance(app, BpstepApp)
        await worked(app, pilot)
        for number, each in enumerate(acts):
            await act(app, pilot, each)
            kept = seen(app)
            assert [line.rstrip() for line in Terminal.screen.display] == kept, acts[: number + 1]
        forget(iter(app.screen.walk_children(with_self=True)))
        assert seen(app) == kept, acts
        app.exit()

    Terminal.screen = pyte.Screen(*SIZES[0])
    Terminal.stream = pyte.Stream(Terminal.screen)
    app = BpstepApp(documents(name))
    app.driver_class = Terminal
    asyncio.run(app.run_async(headless=False, size=SIZES[0], auto_pilot=play))
