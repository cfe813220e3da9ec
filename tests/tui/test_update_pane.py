"""The tab `update`: rates that were tried, as a table and as a plot."""

from __future__ import annotations

import asyncio
import threading

import pytest
from driving import LARGE, debug, documents, text, typed, worked
from tabs import after_each, at_sizes

import bpstep
from bpstep.scenario import load
from bpstep.session.commands import execute
from bpstep.session.recorded import Recorded
from bpstep.session.session import Session
from bpstep.tui.app import BpstepApp
from bpstep.tui.document import Document
from bpstep.tui.draw.update import NO_PARAMS, TITLES, rates_of, try_rates, update_lines
from bpstep.tui.widgets.detail_tabs import DetailTabs
from bpstep.tui.widgets.update_pane import UpdatePane

WIDTHS = pytest.mark.parametrize("width", [34, 38, 56, 76, 110])


def opened(name: str, line: str = "") -> Session:
    session = Session.open(load(name))
    return execute(session, line).session if line else session


def drawn(session: Session, width: int, height: int = 18) -> list[str]:
    asked = session.scenario.updates
    tried = try_rates(session.run, rates_of(session), asked.params if asked else None)
    return [line.plain for line in update_lines(tried, width, height)]


def test_the_table_has_all_that_came_of_each_rate() -> None:
    shown = drawn(opened("update-rates"), 110)
    assert shown[0] == "one step from the loss 8"
    assert shown[1].split() == ["rate", "w", "b", "v", *TITLES[1:]]
    assert shown[2].split() == (
        ["0.01", "0.68", "-1.12", "2.96", "0.57287808", "-11.84", "-7.4271219", "0.6273", "–"]
    )
    assert shown[3].split() == [
        "0.1",
        "-2.2",
        "-2.2",
        "2.6",
        "14.58",
        "-118.4",
        "6.58",
        "-0.05557",
        "h",
    ]


def test_where_there_is_less_room_the_parameters_stand_below() -> None:
    shown = drawn(opened("update-rates"), 38, 8)
    assert shown[1].split() == ["rate", "loss", "predict", "actual", "ratio", "⊥"]
    assert shown[2].split() == ["0.01", "0.5729", "-11.84", "-7.427", "0.6273", "–"]
    assert shown[3].split() == ["0.1", "14.58", "-118.4", "6.58", "-0.05557", "h"]
    assert "at 0.01  w 0.68  b -1.12  v 2.96" in shown
    assert "at 0.1  w -2.2  b -2.2  v 2.6" in shown


def test_what_the_rates_say_is_said_in_words() -> None:
    shown = drawn(opened("update-rates"), 76)
    says = "⊥ h takes another branch from 0.01316 on, of which the gradient knows nothing."
    assert says in shown
    assert shown[-2].startswith("At 0.1 the loss rises where it should fall. A gradient is the")


@WIDTHS
def test_tables_and_plots_are_no_wider_than_the_pane(width: int) -> None:
    for name in ("update-rates", "matrix-layer", "sqrt-at-zero", "cost"):
        tried = try_rates(load(name).run(), (1e-7, 0.1, 1e6), None)
        lines = list(update_lines(tried, width, 12))
        rows = [line for line in lines if "  " in line.plain.strip() or "│" in line.plain]
        assert [row.plain for row in rows if row.cell_len > width] == []


def test_many_parameters_and_tensors_are_summed_up() -> None:
    graph = bpstep.Graph()
    total = graph.param("w0", 1.0)
    for number in range(1, 40):
        total = total + graph.param(f"w{number}", 1.0)
    session = Session.open(Recorded(graph.name("loss", total * total)))
    shown = drawn(session, 56)
    after = next(line for line in shown if line.startswith("at 0.01"))
    assert after == "at 0.01  w0 0.2  w1 0.2  w2 0.2  w3 0.2  … 36 more"
    assert "at 0.01  W (2, 3)  b (2,)" in drawn(opened("matrix-layer"), 56)


def test_rates_that_were_typed_are_shown_too_the_latest_ones() -> None:
    assert rates_of(opened("update-rates")) == (0.01, 0.1)
    assert rates_of(opened("update-rates", "update 0.02 5")) == (0.01, 0.02, 0.1, 5.0)
    assert rates_of(opened("full", "update")) == (0.01, 0.1)
    many = "; ".join(f"update {number}" for number in range(1, 10))
    assert rates_of(opened("full", many)) == (0.01, 0.1, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0)


def test_a_loss_that_is_no_number_is_marked() -> None:
    shown = drawn(opened("sqrt-at-zero"), 76)
    assert shown[2].split() == ["0.01", "nan", "nan", "nan", "nan", "–", "–"]
    assert sum(line.count("!") for line in shown) == 2


def test_names_from_a_user_are_text() -> None:
    graph = bpstep.Graph()
    w = graph.param("[red]w[/] 漢" + "long" * 30, 2.0)
    session = Session.open(Recorded(graph.name("loss", bpstep.relu(w * 1.0) * w)))
    for width in (38, 56, 110):
        assert any("[red]" in line for line in drawn(session, width))


# In the app.


def test_the_tab_shows_it_at_every_size() -> None:
    small, *larger = at_sizes(documents("update-rates"), "6 s", "update")
    for screen in (small, *larger):
        assert "one step from the loss 8" in screen
        assert "14.58" in screen
        assert "-118.4" in screen
    for screen in larger:
        assert "● tried  ⊥ h at 0.01316" in screen


def test_a_rate_that_is_typed_joins_the_others_and_a_changed_leaf_moves_the_point() -> None:
    first, typed_rate, changed = after_each(
        documents("update-rates"),
        "update",
        (
            "s",
            f"colon {typed('update 0.02')} enter escape",
            f"colon {typed('set w = 2')} enter escape",
        ),
    )
    assert "0.0392" not in first
    assert "0.0392" in typed_rate
    # w = 2: p = 4, h = 3, q = 9, y = 13, e = 12, loss = 72.
    assert "one step from the loss 72" in changed


def test_a_program_without_a_pass_says_so() -> None:
    graph = bpstep.Graph()
    x = graph.input("x", 2.0, grad=False)
    loss = graph.name("loss", x * 1.0)

    class Forward(Recorded):
        def run(self, leaves=None):
            from bpstep.engine.program import execute as run
            from bpstep.engine.statements import Forward as Statement

            return run(self, (Statement(),), leaves=leaves)

    session = Session.open(Forward(loss))
    (screen,) = after_each([Document("-", session)], "update", ("",))
    assert "There is no gradient to step along" in screen


def test_a_large_tape_is_tried_in_a_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = bpstep.Graph()
    node = graph.param("w", 1.0)
    for _ in range(600):
        node = node * 1.0
    session = Session.open(Recorded(graph.name("loss", node * node)))
    gate, find = threading.Event(), UpdatePane.find
    monkeypatch.setattr(UpdatePane, "find", lambda *call: gate.wait(60) and find(*call))

    async def looked_at() -> list[str]:
        app = BpstepApp([Document("-", session)])
        async with app.run_test(size=LARGE) as pilot:
            await pilot.pause()
            debug(app).query_one(DetailTabs).open("update")
            await pilot.pause()
            before = text(app)
            gate.set()
            await worked(app, pilot)
            pane = debug(app).query_one(UpdatePane)
            return [before, text(app), str(len(pane._kept))]

    before, after, kept = asyncio.run(looked_at())
    assert "Trying the rates …" in before
    assert "one step from the loss 1" in after
    assert "0.9604" in after  # (1 - 0.01 * 2) ** 2
    assert kept == "1"


def test_without_parameters_there_is_nothing_to_change_and_no_plot() -> None:
    assert drawn(opened("sigmoid-chain"), 76) == [NO_PARAMS]
