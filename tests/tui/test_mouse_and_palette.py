"""What a mouse does, and the command palette."""

from __future__ import annotations

import asyncio

from driving import debug, documents, position, selected
from textual import events
from textual.command import CommandPalette
from textual.screen import Screen
from textual.widgets import Input

from bpstep.session.commands import COMMANDS
from bpstep.tui.app import BpstepApp
from bpstep.tui.palette_commands import SessionCommands, complete
from bpstep.tui.screens.card import CardScreen
from bpstep.tui.screens.library import LibraryScreen
from bpstep.tui.widgets.detail_tabs import DetailTabs
from bpstep.tui.widgets.key_bar import KeyBar
from bpstep.tui.widgets.order_grid import OrderGrid
from bpstep.tui.widgets.prompt import Prompt
from bpstep.tui.widgets.status_bar import StatusBar
from bpstep.tui.widgets.tab_bar import TabBar
from bpstep.tui.widgets.timeline_bar import TimelineBar


def test_the_timeline_is_clicked_and_dragged() -> None:
    async def clicked() -> list[int]:
        app, found = BpstepApp(documents("full")), []
        async with app.run_test(size=(120, 36)) as pilot:
            await pilot.pause()
            bar = debug(app).query_one(TimelineBar)
            layout = bar.layout_for(debug(app).shown)
            for step in (6, 13, 0, 10):
                await pilot.click(bar, offset=(len(" start ") + layout.column(step), 0))
                await pilot.pause()
                found.append(position(app))
            await pilot.mouse_down(bar, offset=(len(" start ") + layout.column(10), 0))
            await pilot.hover(bar, offset=(len(" start ") + layout.column(3), 0))
            await pilot.pause()
            found.append(position(app))
            await pilot.mouse_up(bar, offset=(len(" start ") + layout.column(3), 0))
        return found

    assert asyncio.run(clicked()) == [6, 13, 0, 10, 3]


def test_a_node_is_chosen_with_a_click_and_opened_with_two() -> None:
    async def clicked() -> tuple[str, type]:
        app = BpstepApp(documents("full"))
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.pause()
            order = debug(app).query_one(OrderGrid)
            await pilot.click(order, offset=(5, 2))
            await pilot.pause()
            name = selected(app)
            await pilot.double_click(order, offset=(5, 3))
            await pilot.pause()
            return name, type(app.screen)

    assert asyncio.run(clicked()) == ("e", CardScreen)


def test_the_palette_has_every_command_and_carries_one_out_or_begins_it() -> None:
    async def chosen(query: str) -> tuple[str, str]:
        app = BpstepApp(documents("full"))
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.pause()
            hits = [hit async for hit in SessionCommands(debug(app)).search(query)]
            max(hits, key=lambda hit: hit.score).command()
            await pilot.pause()
            screen = debug(app)
            line = screen.query_one(Prompt)
            shown = line.input.value if line.is_open else ""
            return shown, screen.query_one(DetailTabs).active

    assert asyncio.run(chosen("grads")) == ("", "output")
    assert asyncio.run(chosen("unwatch")) == ("", "output")
    assert asyncio.run(chosen("print")) == ("print ", "why")


def test_the_palette_opens_and_lists_the_commands_before_anything_is_typed() -> None:
    async def offered() -> list[str]:
        app = BpstepApp(documents("full"))
        async with app.run_test() as pilot:
            await pilot.pause()
            return [str(hit.display) async for hit in SessionCommands(debug(app)).discover()]

    assert asyncio.run(offered()) == [command.usage[0] for command in COMMANDS]


def test_commands_with_something_to_fill_in_are_begun() -> None:
    begun = {command.name for command in COMMANDS if not complete(command)}
    assert {"goto", "break", "print", "set", "export", "paths", "assert"} <= begun
    assert not {"step", "grads", "list", "quit", "restart", "delete"} & begun


def test_keys_typed_ahead_do_not_take_the_page_below_away() -> None:
    async def hurried(opening: str, screen: type[Screen[object]]) -> bool:
        app = BpstepApp(documents("full"))
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.pause()
            await pilot.press(opening, "down")
            await pilot.pause()
            assert isinstance(app.screen, screen)
            for _ in range(4):
                app.post_message(events.Key("enter", None))
            await pilot.pause()
            return debug(app) in app.screen_stack

    assert asyncio.run(hurried("ctrl+p", CommandPalette))
    assert asyncio.run(hurried("o", LibraryScreen))


def test_pages_are_turned_on_a_screen_without_room_for_a_list() -> None:
    async def turned(opening: str) -> int | None:
        app = BpstepApp(documents("full"))
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.pause()
            await pilot.press(opening, "down")
            await pilot.pause()
            await pilot.resize_terminal(10, 3)
            await pilot.press("pageup", "pagedown", "home", "end")
            await pilot.pause()
        return app.return_code

    for opening in ("ctrl+p", "o"):
        assert asyncio.run(turned(opening)) in (None, 0)


def test_a_click_on_the_bars_presses_a_key_opens_a_tab_or_the_palette() -> None:
    async def clicked() -> list[object]:
        app, found = BpstepApp(documents("full")), []
        async with app.run_test(size=(120, 36)) as pilot:
            await pilot.pause()
            keys, tabs = debug(app).query_one(KeyBar), debug(app).query_one(TabBar)
            at = 1
            for key in keys.keys[:3]:
                await pilot.click(keys, offset=(at, 0))
                await pilot.pause()
                found.append((key.key, position(app)))
                at += key.width
            # Where no key stands, nothing is pressed.
            await pilot.click(keys, offset=(keys.placed[-1][0] + 1, 0))
            await pilot.pause()
            found.append(position(app))
            for tab in tabs.tabs[1:4]:
                await pilot.click(tabs, offset=(tab.start, 0))
                await pilot.pause()
                found.append(debug(app).query_one(DetailTabs).active)
            await pilot.click(StatusBar)
            await pilot.pause()
            found.append(isinstance(app.screen, CommandPalette))
        return found

    assert asyncio.run(clicked()) == [
        *(("s", 1), ("S", 0), ("n", 1)),
        1,
        *("gradients", "check", "update"),
        True,
    ]


def test_the_cursor_of_the_palette_does_not_blink() -> None:
    async def blinks() -> bool:
        app = BpstepApp(documents("full"))
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.press("ctrl+p")
            await pilot.pause()
            return app.screen.query_one(Input).cursor_blink

    assert not asyncio.run(blinks())
