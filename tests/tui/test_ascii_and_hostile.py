"""Every view in ASCII, with hostile names, and at any size: only what may be sent is sent."""

from __future__ import annotations

import asyncio
import random
import unicodedata

import pytest
import yaml
from driving import press, pressed
from rich.cells import cell_len
from textual.pilot import Pilot
from textual.strip import Strip

import bpstep
from bpstep.scenario import loads
from bpstep.session.recorded import Recorded
from bpstep.session.session import Session
from bpstep.tui.app import BpstepApp
from bpstep.tui.ascii_filter import locale_draws
from bpstep.tui.document import Document, open_path, open_scenario

TABS = "t t t t t t t t"
VIEWS = ("", "6 s", *TABS.split(), "enter", "escape question_mark", "escape colon", "escape slash")

HOSTILE = (
    "[/b] [red]x[/]",
    "right\u202eto left\u2066",
    "zero\u200bwidth\u200d\ufeff",
    "e\u0301\u0300\u0301 combining",
    "\U0001f468\u200d\U0001f469\u200d\U0001f467 family",
    "ｆｕｌｌ漢字",
    "long" * 2_500,
)


def hostile() -> Document:
    graph = bpstep.Graph()
    node = graph.param("w", 2.0)
    # The graph itself refuses the others.
    for name in filter(str.isprintable, HOSTILE):
        node = graph.name(name, node * graph.input(f"in {name}", 2.0))
    return Document("-", Session.open(Recorded(node)))


def noted() -> Document:
    """The same in the texts of a file: title, description, notes."""
    said = " ".join(HOSTILE)
    text = yaml.safe_dump(
        {
            "bpstep": 1,
            "title": said[:200],
            "about": said,
            "params": {"w": 2},
            "graph": {"loss": "w * w"},
            "notes": {"w": said, "loss": said},
        },
        allow_unicode=True,
    )
    return open_scenario(loads(text))


DOCUMENTS = {"full": lambda: open_path("full"), "names": hostile, "notes": noted}


def strips(app: BpstepApp) -> list[Strip]:
    return app.screen._compositor.render_strips()


async def seen(app: BpstepApp, pilot: Pilot[None], views: tuple[str, ...]) -> list[list[Strip]]:
    found = []
    for keys in views:
        await pressed(app, pilot, keys)
        found.append(strips(app))
    return found


def looked_at(document: Document, ascii: bool, size: tuple[int, int]) -> list[list[Strip]]:
    async def look() -> list[list[Strip]]:
        app = BpstepApp([document], ascii=ascii)
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            return await seen(app, pilot, VIEWS)

    return asyncio.run(look())


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_view_is_ascii_where_that_is_asked_for(name: str) -> None:
    for view, lines in zip(VIEWS, looked_at(DOCUMENTS[name](), True, (80, 24)), strict=True):
        assert [line.text for line in lines if not line.text.isascii()] == [], view
        assert {len(line.text) for line in lines} == {80}, view


@pytest.mark.parametrize("name", ["names", "notes"])
@pytest.mark.parametrize("size", [(80, 24), (120, 36)])
def test_nothing_hostile_is_sent_and_columns_stay(name: str, size: tuple[int, int]) -> None:
    for view, lines in zip(VIEWS, looked_at(DOCUMENTS[name](), False, size), strict=True):
        for line in lines:
            assert not {"Cc", "Cf", "Cs", "Zl", "Zp"} & set(map(unicodedata.category, line.text))
            assert cell_len(line.text) == line.cell_length == size[0], (view, line.text)


def test_resizing_at_any_moment_is_harmless() -> None:
    random_ = random.Random(4)
    sizes = [(1, 1), (2, 40), (20, 5), (200, 3), (63, 20), (99, 30), (300, 90)]

    async def resized() -> bool:
        app = BpstepApp([open_path("full")])
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.pause()
            for keys in VIEWS:
                await pressed(app, pilot, keys)
                await pilot.resize_terminal(*random_.choice(sizes))
                press(app, random_.choice("sSnNjk"))
            await pilot.pause()
            return app._exception is None

    assert asyncio.run(resized())


def test_the_locale_says_what_can_be_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    for encoding, draws in {"utf-8": True, "ANSI_X3.4-1968": False, "latin-1": False}.items():
        monkeypatch.setattr("locale.getencoding", lambda encoding=encoding: encoding)
        assert locale_draws() is draws
