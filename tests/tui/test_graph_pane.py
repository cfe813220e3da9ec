"""The drawn graph in the app: it follows, and is walked over and clicked."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest
from driving import debug, documents, play, pressed, selected
from textual.geometry import Size

from bpstep.tui.app import BpstepApp
from bpstep.tui.screens.card import CardScreen
from bpstep.tui.widgets.graph_pane import GraphPane
from bpstep.tui.widgets.order_grid import OrderGrid


def graph(app: BpstepApp) -> GraphPane:
    return debug(app).query_one(GraphPane)


def drawn(app: BpstepApp) -> list[str]:
    """The lines of the pane as they are on the screen."""
    pane = graph(app)
    height = pane.scrollable_content_region.height
    return [pane.render_line(y).text for y in range(height)]


def in_sight(app: BpstepApp, name: str) -> bool:
    return any(name in line for line in drawn(app))


def test_the_step_is_on_its_edge_and_in_its_box() -> None:
    lines = play(documents("full"), "6 s", drawn)
    assert any("[▶p 2 ∂ 4  ◐ ]" in line for line in lines)
    assert any("▲4" in line for line in lines)
    assert not any("( w 1 ∂" in line for line in lines), "w has received nothing yet"


@pytest.mark.parametrize("size", [(80, 24), (100, 30), (160, 50)])
def test_the_current_node_is_in_sight_at_every_step(size: tuple[int, int]) -> None:
    async def followed() -> list[str]:
        app, lost = BpstepApp(documents("full")), []
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            for step in range(1, 14):
                await pressed(app, pilot, "s")
                if not in_sight(app, f"▶{selected(app)}"):
                    lost.append(f"{step}: {selected(app)}")
        return lost

    assert asyncio.run(followed()) == []


def test_frames_stand_round_the_boxes_where_there_is_room() -> None:
    def framed(app: BpstepApp) -> bool:
        return any("┌" in line for line in drawn(app))

    assert [play(documents("full"), "", framed, size) for size in ((80, 24), (160, 50))] == [
        False,
        True,
    ]


def clicked(pane: type[GraphPane] | type[OrderGrid], name: str, twice: bool) -> tuple[str, type]:
    """Click on a node where its name stands in a pane."""

    async def click() -> tuple[str, type]:
        app = BpstepApp(documents("full"))
        async with app.run_test(size=(120, 36)) as pilot:
            await pilot.pause()
            widget = debug(app).query_one(pane)
            lines = [widget.render_line(y).text for y in range(widget.size.height)]
            row = next(y for y, line in enumerate(lines) if f" {name} " in line)
            offset = (lines[row].index(f" {name} ") + 2, row + 1)
            await (pilot.double_click if twice else pilot.click)(widget, offset=offset)
            await pilot.pause()
            return selected(app) if not twice else "", type(app.screen)

    return asyncio.run(click())


@pytest.mark.parametrize("pane", [GraphPane, OrderGrid])
def test_a_click_selects_and_two_open(pane: type[GraphPane] | type[OrderGrid]) -> None:
    assert clicked(pane, "h", twice=False)[0] == "h"
    assert clicked(pane, "q", twice=True)[1] is CardScreen


def test_a_click_beside_the_boxes_does_nothing() -> None:
    async def click() -> str:
        app = BpstepApp(documents("full"))
        async with app.run_test(size=(120, 36)) as pilot:
            await pilot.pause()
            await pilot.click(GraphPane, offset=(2, 20))
            await pilot.pause()
            return selected(app)

    assert asyncio.run(click()) == "loss"


def test_page_keys_scroll_and_do_not_select() -> None:
    async def scrolled() -> list[tuple[float, str]]:
        found = []
        app = BpstepApp(documents("full"))
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.pause()
            for keys in ("tab home", "end", "pageup", "space"):
                await pressed(app, pilot, keys)
                found.append((graph(app).scroll_offset.y, selected(app)))
        return found

    tops, names = zip(*asyncio.run(scrolled()), strict=True)
    assert tops[0] == 0
    assert tops[1] > tops[2] < tops[3]
    assert set(names) == {"loss"}


def zoomed(keys: str, look: Callable[[BpstepApp], object]) -> object:
    return play(documents("full"), keys, look)


def test_z_gives_the_graph_the_screen_and_takes_it_back() -> None:
    def size(app: BpstepApp) -> Size:
        return graph(app).size

    small, large, again = (zoomed(keys, size) for keys in ("6 s", "6 s z", "6 s z z"))
    assert isinstance(small, Size)
    assert isinstance(large, Size)
    assert large.area > 2 * small.area
    assert again == small
    assert zoomed("z 6 s", lambda app: debug(app).session.position) == 6
    assert zoomed("z 6 s escape", size) == small


def test_z_gives_the_pane_with_the_focus_the_screen() -> None:
    assert zoomed("tab tab z", lambda app: type(debug(app).maximized)) is OrderGrid
