"""The card of a tensor and one of its elements: every key, the mouse, and what is awaited."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from driving import LARGE, SMALL, debug, documents, play, pressed, text
from rich.text import Text
from textual.pilot import Pilot

from bpstep.tui.app import BpstepApp
from bpstep.tui.draw.grid import Columns, Grid, index_line, row_line, title_line
from bpstep.tui.keys import CARD_KEYS, ELEMENT_KEYS
from bpstep.tui.screens.card import CardScreen
from bpstep.tui.screens.debug import DebugScreen
from bpstep.tui.screens.element import ElementScreen
from bpstep.tui.screens.help import HelpScreen
from bpstep.tui.widgets.element_grid import HEADS, ElementGrid

Hold = Callable[..., None]
LAYER = "8 s enter"
"""The card of X, of shape (2, 3)."""

CUBE = """
bpstep: 1
title: A cube
params: {W: {init: normal, shape: [5, 4, 30], seed: 1}}
graph: {loss: sum(W * W)}
"""
TWICE = """
bpstep: 1
title: Two ways
params: {x: [1, 2, 3]}
graph: {a: x * x, b: 2 * x, loss: sum(a) + sum(b)}
"""


@pytest.fixture
def cube(tmp_path: Path) -> str:
    path = tmp_path / "cube.yaml"
    path.write_text(CUBE)
    return str(path)


@pytest.fixture
def twice(tmp_path: Path) -> str:
    path = tmp_path / "twice.yaml"
    path.write_text(TWICE)
    return str(path)


def cursor(app: BpstepApp) -> Any:
    return app.screen.query_one(ElementGrid).cursor


def element(app: BpstepApp) -> Any:
    assert isinstance(app.screen, ElementScreen)
    return app.screen.index


def screen(app: BpstepApp) -> type:
    return type(app.screen)


def each(name: str, cases: Iterable[str], look: Callable[[BpstepApp], Any]) -> dict[str, Any]:
    """What is seen after rows of keys, each pressed on the page as it was opened."""

    async def seen() -> dict[str, Any]:
        app, found = BpstepApp(documents(name)), {}
        async with app.run_test(size=SMALL) as pilot:
            await pilot.pause()
            page = debug(app)
            opened = page.scene
            for keys in cases:
                page.scene = opened
                await pressed(app, pilot, keys)
                found[keys] = look(app)
                while app.screen is not page:
                    app.pop_screen()
                    await pilot.pause()
        return found

    return asyncio.run(seen())


# The card's keys.


ON_CARD = {
    "": (0, 0),
    "l": (0, 1),
    "right right": (0, 2),
    "l l l l": (0, 2),
    "j": (1, 0),
    "down down down": (1, 0),
    "j l k": (0, 1),
    "down right up left": (0, 0),
    "l h h": (0, 0),
    "end": (1, 2),
    "end home": (0, 0),
    "pagedown": (1, 0),
    "l space": (1, 1),
    "end pageup": (0, 2),
}


def test_keys_move_the_cursor_and_its_element_is_said() -> None:
    async def moved() -> tuple[list[Any], str]:
        app = BpstepApp(documents("matrix-layer"))
        async with app.run_test(size=SMALL) as pilot:
            await pilot.pause()
            await pressed(app, pilot, LAYER)
            found = []
            for keys in ON_CARD:
                app.screen.query_one(ElementGrid).cursor = (0, 0)
                await pressed(app, pilot, keys)
                found.append(cursor(app))
            await pressed(app, pilot, "end h")
            return found, text(app)

    found, shown = asyncio.run(moved())
    assert found == list(ON_CARD.values())
    assert "X[1, 1]  value 1  gradient 0.5" in shown


def test_a_vector_is_a_column_in_which_right_is_down(twice: str) -> None:
    found = each(twice, ["G enter l j", "G enter end h k"], cursor)
    assert list(found.values()) == [(2,), (0,)]


def test_pages_of_a_large_one(cube: str) -> None:
    places = play(
        documents(cube),
        "G enter pagedown",
        lambda app: (cursor(app), app.screen.query_one(ElementGrid).size),
    )
    rows = places[1].height - HEADS - 1
    assert places[0] == (rows // 4, rows % 4, 0)


def test_the_card_is_left_and_an_element_opened() -> None:
    assert each(
        "matrix-layer",
        [f"{LAYER} escape", f"{LAYER} q", f"{LAYER} j enter", f"{LAYER} question_mark"],
        screen,
    ) == {
        f"{LAYER} escape": DebugScreen,
        f"{LAYER} q": DebugScreen,
        f"{LAYER} j enter": ElementScreen,
        f"{LAYER} question_mark": HelpScreen,
    }


def test_the_card_of_a_number_has_no_elements_and_enter_leaves_it() -> None:
    found = each(
        "full",
        ["6 s enter", "6 s enter enter", "6 s enter h j k l home end"],
        lambda app: (screen(app), "elements" in text(app)),
    )
    assert list(found.values()) == [
        (CardScreen, False),
        (DebugScreen, False),
        (CardScreen, False),
    ]


def test_help_is_of_the_keys_there_are() -> None:
    card, element = each(
        "matrix-layer", [f"{LAYER} question_mark", f"{LAYER} enter question_mark"], text
    ).values()
    assert "a page of elements on" in card
    assert "a page of lines down" in element


# The element's keys.


ON_ELEMENT = {
    "": (0, 0),
    "l": (0, 1),
    "right right right": (0, 2),
    "j": (1, 0),
    "down up": (0, 0),
    "l h": (0, 0),
    "l left": (0, 0),
    "j k": (0, 0),
}


def test_keys_go_to_the_elements_beside_it_and_show_them() -> None:
    async def moved() -> tuple[list[Any], str]:
        app = BpstepApp(documents("matrix-layer"))
        async with app.run_test(size=SMALL) as pilot:
            await pilot.pause()
            await pressed(app, pilot, f"{LAYER} enter")
            found = []
            for keys in ON_ELEMENT:
                app.screen.index = (0, 0)  # type: ignore[attr-defined]
                await pressed(app, pilot, keys)
                found.append(element(app))
            await pressed(app, pilot, "h h h k l")
            return found, text(app)

    found, shown = asyncio.run(moved())
    assert found == list(ON_ELEMENT.values())
    assert "element X[0, 1]" in shown
    assert "∂loss/∂X[0, 1] = Σ_i G[0, i]⋅Wt[1, i] = 1⋅0 + (-1)⋅1 = -1" in shown


def test_back_on_the_card_the_cursor_is_where_one_went_to() -> None:
    keys = f"{LAYER} enter j enter"
    assert play(documents("matrix-layer"), keys, cursor) == (1, 0)
    keys = f"{LAYER} enter j l escape enter h q"
    assert play(documents("matrix-layer"), keys, cursor) == (1, 0)


def test_pages_and_ends_scroll_the_lines_of_an_element(tmp_path: Path) -> None:
    path = tmp_path / "long.yaml"
    path.write_text(
        "bpstep: 1\ntitle: t\nparams: {b: [1], x: {init: ones, shape: [90]}}\n"
        "graph: {loss: sum(b * x)}\n"
    )

    async def scrolled() -> tuple[list[float], float]:
        app = BpstepApp(documents(str(path)))
        async with app.run_test(size=SMALL) as pilot:
            await pilot.pause()
            await pressed(app, pilot, "G slash b enter enter enter")
            assert isinstance(app.screen, ElementScreen)
            pane, found = app.screen.pane, []
            for keys in ("", "pagedown", "pageup", "space space", "home", "end"):
                await pressed(app, pilot, keys)
                found.append(pane.scroll_offset.y)
            return found, pane.max_scroll_y

    (start, page, back, two, home, end), most = asyncio.run(scrolled())
    assert start == back == home == 0
    assert 5 < page < two
    assert end == most > 60


# What has not arrived.


def test_in_the_middle_of_a_sum_what_is_awaited_is_no_number(twice: str) -> None:
    def arrived(app: BpstepApp) -> int:
        session = debug(app).session
        return next(
            step for step in range(session.total) if session.at(step).state.arrived("x") == 1
        )

    motion = " ".join([*str(play(documents(twice), "", arrived)), "s", "slash", "x", "enter"])
    early = "s slash x enter enter"
    found = each(twice, [f"{motion} enter j enter", early], text)
    shown = found[f"{motion} enter j enter"]
    assert "1 of 3 arrived" in shown
    assert shown.count("awaited") == 2
    assert "no gradient yet" in found[early]


# The mouse.


async def clicked(name: str, times: int, look: Callable[[BpstepApp], Any]) -> Any:
    app = BpstepApp(documents(name))
    async with app.run_test(size=LARGE) as pilot:
        await pilot.pause()
        await pressed(app, pilot, LAYER)
        await click(pilot, app, (1, 2), times)
        return look(app)


async def click(pilot: Pilot[None], app: BpstepApp, place: tuple[int, int], times: int) -> None:
    grid = app.screen.query_one(ElementGrid)
    columns, (row, column) = grid.columns, place
    x = columns.head + 3 + columns.section + 3 + column * columns.cell + columns.cell - 1
    await pilot.click(
        grid, offset=(grid.gutter.left + x, grid.gutter.top + HEADS + row), times=times
    )
    await pilot.pause()
    await pilot.pause()


def test_a_click_selects_and_a_double_click_opens() -> None:
    assert asyncio.run(clicked("matrix-layer", 1, cursor)) == (1, 2)
    assert asyncio.run(clicked("matrix-layer", 2, element)) == (1, 2)


def test_a_click_on_the_heads_does_nothing() -> None:
    async def heads() -> Any:
        app = BpstepApp(documents("matrix-layer"))
        async with app.run_test(size=SMALL) as pilot:
            await pilot.pause()
            await pressed(app, pilot, f"{LAYER} end")
            await click(pilot, app, (-1, 0), 1)
            return cursor(app)

    assert asyncio.run(heads()) == (1, 2)


# A million elements.


def test_a_million_elements_are_drawn_a_line_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "large.yaml"
    path.write_text(
        "bpstep: 1\ntitle: t\nparams: {W: {init: normal, shape: [1000, 1000], seed: 1}}\n"
        "graph: {loss: sum(W * W)}\n"
    )

    async def opened() -> tuple[int, Any, Any]:
        app = BpstepApp(documents(str(path)))
        async with app.run_test(size=SMALL) as pilot:
            await pilot.pause()
            await pressed(app, pilot, "G enter")
            drawn: list[int] = []
            grid = app.screen.query_one(ElementGrid)
            line = grid.render_line
            grid.render_line = lambda y: (drawn.append(y), line(y))[1]  # type: ignore[method-assign]
            await pressed(app, pilot, "end")
            at = grid.cursor
            await pressed(app, pilot, "enter")
            return len(drawn), at, element(app)

    drawn, at, inside = asyncio.run(opened())
    assert 0 < drawn < 200
    assert at == inside == (999, 999)


def test_resizing_keeps_the_cursor_in_sight(cube: str) -> None:
    async def resized() -> tuple[str, str]:
        app = BpstepApp(documents(cube))
        async with app.run_test(size=LARGE) as pilot:
            await pilot.pause()
            await pressed(app, pilot, "G enter end")
            found = []
            for size in (SMALL, (40, 12), (160, 50)):
                await pilot.resize_terminal(*size)
                await pilot.pause()
                found.append(text(app))
            return tuple(found)

    for shown in asyncio.run(resized()):
        assert "›4, 3" in shown


# The grid, drawn without an app.


@pytest.mark.parametrize("shape", [(3,), (2, 3), (2, 3, 4), (1, 1), (5, 1)])
def test_rows_and_columns_are_a_way_to_count_the_elements(shape: tuple[int, ...]) -> None:
    grid = Grid(shape)
    places = [(row, column) for row in range(grid.rows) for column in range(grid.columns)]
    assert [grid.index(*place) for place in places] == list(np.ndindex(shape))
    assert [grid.place(index) for index in np.ndindex(shape)] == places


@pytest.mark.parametrize("width", [20, 38, 76, 140])
def test_lines_fit_and_their_columns_stand_below_one_another(width: int) -> None:
    grid, value = Grid((4, 50)), np.random.default_rng(1).normal(size=(4, 50)) * 1e-120
    for column in (0, 7, 49):
        columns = Columns.fitting(grid, width, column)
        assert columns.first <= column < columns.first + columns.shown
        lines: list[Text] = [
            title_line(columns, "gradient so far"),
            index_line(grid, columns),
            row_line(grid, columns, 1, (1, column), value, None),
            row_line(grid, columns, 2, (1, column), value, value),
        ]
        bars = [[k for k, sign in enumerate(line.plain) if sign == "│"] for line in lines]
        assert all(found == bars[0] for found in bars)
        assert width < 30 or all(line.cell_len <= width for line in lines)
        assert lines[2].plain.count("›") == 3
        assert "·" in lines[2].plain
        assert (columns.first > 0) == (lines[1].plain.count("│…") == 2)


def test_no_number_is_cut_into_another() -> None:
    grid, value = Grid((1, 2)), np.array([[-1.2345e-100, 123456789.5]])
    for width in range(24, 70):
        columns = Columns.fitting(grid, width, 0)
        shown = row_line(grid, columns, 0, (0, 0), value, None).plain
        for word in shown.replace("›", " ").replace("│", " ").split():
            if word not in ("·", "…", "0"):
                assert any(float(word) == pytest.approx(x, rel=0.06) for x in value[0])


# Pictures, and the keys in the README.

VIEWS = {
    "tensor": ("matrix-layer", f"{LAYER} j l"),
    "element": ("matrix-layer", f"{LAYER} j l enter"),
    "two-ways": ("transposed-square", "G enter"),
}


@pytest.mark.parametrize("size", [SMALL, LARGE], ids=["80x24", "120x36"])
@pytest.mark.parametrize("view", VIEWS)
def test_views(picture: Hold, view: str, size: tuple[int, int]) -> None:
    name, keys = VIEWS[view]
    picture(documents(name), keys, size)


@pytest.mark.parametrize("size", [SMALL, LARGE], ids=["80x24", "120x36"])
def test_heat_maps_of_a_cube(
    picture: Hold, size: tuple[int, int], cube: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(Path(cube).parent)
    picture(documents("cube.yaml"), "G", size)


def test_every_key_is_in_the_readme() -> None:
    readme = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    section = readme.partition("On a tensor's card")[2].partition("## The command language")[0]
    keys = {sign for key in (*CARD_KEYS, *ELEMENT_KEYS) for sign in key.shown}
    assert [key for key in sorted(keys) if f"`{key}`" not in section] == []


def test_a_count_is_of_elements_and_pages_and_stands_in_the_frame(cube: str) -> None:
    card, inside = "G enter", "G enter enter"
    places = {
        f"{card} 3 j 1 2 l": (0, 3, 12),
        f"{card} 9 9 j 2 k": (4, 1, 0),
        f"{card} 5 end home j": (0, 1, 0),
    }
    assert each(cube, places, cursor) == places
    assert play(documents(cube), f"{inside} 3 j 1 2 l", element) == (0, 3, 12)
    frames = {card: "elements  count 12", inside: "0]  count 12"}
    shown = each(cube, [f"{keys} 1 2{then}" for keys in frames for then in ("", " l")], text)
    for keys, frame in frames.items():
        assert frame in shown[f"{keys} 1 2"]
        assert "count" not in shown[f"{keys} 1 2 l"]


def test_the_card_of_a_number_takes_no_count() -> None:
    assert play(documents("full"), "6 s enter 5", lambda app: app.screen.count) == ""
