"""Whatever a user wrote is shown as text, and however large a graph is, a key costs the same."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
from driving import play, position, press, pressed, selected, text

import bpstep
from bpstep.session import listing
from bpstep.session.recorded import Recorded
from bpstep.session.session import Session
from bpstep.tui.app import BpstepApp
from bpstep.tui.document import Document, open_path

HOSTILE = "[bold]x[/] 漢字" + "long" * 40


def chain(length: int) -> Document:
    graph = bpstep.Graph()
    node = graph.param("w", 1.0)
    for _ in range(length):
        node = node * 1.0
    return Document("-", Session.open(Recorded(graph.name("loss", node))))


def test_names_with_markup_controls_and_wide_characters_are_shown_as_text() -> None:
    graph = bpstep.Graph()
    x = graph.input(HOSTILE, 2.0)
    opened = [Document("-", Session.open(Recorded(graph.name("loss", x * x))))]
    views = ("", "2 s", "b t", "slash [ b o l d ] enter", "colon", "escape enter")

    async def looked_at() -> list[str]:
        app, found = BpstepApp(opened), []
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.pause()
            for keys in views:
                await pressed(app, pilot, keys)
                for size in ((80, 24), (120, 36)):
                    await pilot.resize_terminal(*size)
                    await pilot.pause()
                    found.append(text(app))
        return found

    found = asyncio.run(looked_at())
    assert len(found) == 2 * len(views)
    assert [shown for shown in found if "[bol" not in shown] == []


def test_a_scenario_with_markup_everywhere_opens(tmp_path: Path) -> None:
    file = tmp_path / "[x].yaml"
    file.write_text(
        "bpstep: 1\ntitle: 'Title [/x] [red]'\nabout: 'About [/] `[x]` \\[y]'\n"
        "params: {w: 1}\ngraph: {loss: w * w}\nnotes: {w: 'Note [/w] [bold'}\n"
    )
    shown = play([open_path(str(file))], "2 s", text, (120, 36))
    assert "Title [/x] [red]" in shown
    assert "Note [/w] [bold" in shown
    assert "About [/] [x] [y]" in play([open_path(str(file))], "T", text, (120, 36))


def test_what_came_from_no_file_cannot_be_read_again() -> None:
    def told(app: BpstepApp) -> list[str]:
        return [notice.message for notice in app._notifications]

    where, said = play([chain(3)], "2 s r", lambda app: (position(app), told(app)))
    assert where == 2
    assert said == ["There is no file to read again: this did not come from one."]


def test_a_mistake_with_markup_in_it_is_shown_as_it_was_typed() -> None:
    shown = play([open_path("full")], "colon p space [ / b ] enter", text)
    assert "[/b]" in shown


SIZES = [(1, 1), (10, 3), (20, 5), (40, 12), (63, 20), (64, 24), (99, 30), (300, 80)]


def test_any_size_is_harmless() -> None:
    async def resized() -> int:
        app = BpstepApp([open_path("full"), open_path("matrix-layer")])
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.pause()
            for page in range(2):
                for columns, rows in SIZES:
                    await pilot.resize_terminal(columns, rows)
                    for key in ("s", "j", "t"):
                        press(app, key)
                    await pilot.pause(0)
                if page == 0:
                    press(app, "right_square_bracket")
                    await pilot.pause()
            return position(app)

    assert asyncio.run(resized()) == len(SIZES)


def counted(monkeypatch: pytest.MonkeyPatch) -> Callable[[], int]:
    """How many lines about nodes have been made."""
    made = []
    original = listing.rows

    def rows(session, indices):
        found = original(session, indices)
        made.extend(found)
        return found

    monkeypatch.setattr(listing, "rows", rows)
    return lambda: len(made)


def test_a_key_looks_at_the_nodes_in_sight_only(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = counted(monkeypatch)
    document = chain(50_000)

    async def pressed() -> list[tuple[str, int, int]]:
        app, found = BpstepApp([document]), []
        async with app.run_test(size=(120, 36)) as pilot:
            await pilot.pause()
            for key in ("s", "n", "G", "S", "j", "g", "b", "t"):
                before = rows()
                press(app, key)
                await pilot.pause()
                found.append((key, position(app), rows() - before))
        return found

    found = asyncio.run(pressed())
    assert [key for key, _, looked_at in found if looked_at > 200] == []
    assert [where for _, where, _ in found][:4] == [1, 2, 50_001, 50_000]


def test_a_node_far_away_is_found_and_scrolled_to() -> None:
    def look(app: BpstepApp) -> tuple[str, bool]:
        return selected(app), "› ○ w" in text(app)

    assert play([chain(5_000)], "slash w enter", look) == ("w", True)


def test_the_current_node_stays_in_sight() -> None:
    for keys in ("3 0 s", "G", "G 2 5 0 0 S", "2 5 0 0 s g s"):
        shown = play([chain(5_000)], keys, text)
        graph, order = (shown.index(title) for title in ("─ graph ", "─ reverse order "))
        assert "▶" in shown[graph:order], keys
        assert "▶" in shown[order:], keys
