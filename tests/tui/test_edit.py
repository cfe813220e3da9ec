"""Changing a leaf: the line that begins it, what follows, and the way back."""

from __future__ import annotations

import asyncio

from driving import LARGE, debug, documents, position, pressed, text, typed

from bpstep.scenario import load, loads
from bpstep.session.commands import execute
from bpstep.session.session import Session
from bpstep.tui.app import BpstepApp
from bpstep.tui.editing import edit_lines, value_start
from bpstep.tui.scene import Scene
from bpstep.tui.widgets.prompt import Prompt


def scene(name: str, position: int = 0, selected: str | None = None) -> Scene:
    session = Session.open(load(name)).at(position)
    assert session.graph is not None
    return Scene(session, None if selected is None else session.graph.find(selected))


def test_the_selected_leaf_comes_first_with_the_value_that_it_has() -> None:
    assert edit_lines(scene("full", 6, "v"))[0] == "set v = 3"
    assert sorted(edit_lines(scene("full", 6, "v")))[0] == "set b = -1"
    assert len(edit_lines(scene("full"))) == 5


def test_at_another_node_the_leaves_among_its_operands_come_first() -> None:
    assert edit_lines(scene("full", 6))[:2] == ["set w = 1", "set x = 2"]
    assert edit_lines(scene("full", 9))[0] == "set b = -1"


def test_a_short_tensor_is_written_out_and_of_a_long_one_an_element() -> None:
    assert edit_lines(scene("matrix-layer", 0, "W"))[0] == "set W = [[1, 0, 2], [-1, 1, 0.5]]"
    long = "{bpstep: 1, title: t, params: {W: {zeros: [3, 20]}}, graph: {loss: sum(W)}}"
    rows = ", ".join(f"[{', '.join(['0.25'] * 20)}]" for _ in range(3))
    session = Session.open(loads(long.replace("{zeros: [3, 20]}", f"[{rows}]")))
    assert edit_lines(Scene(session)) == ["set W[0, 0] = 0.25"]


def test_every_line_as_it_is_offered_leaves_the_run_as_it_was() -> None:
    for name in ("full", "matrix-layer", "float32-check"):
        before = scene(name)
        for line in edit_lines(before):
            after = execute(before.session, line).session
            loss = before.session.scenario.loss
            assert after.run.value(loss) == before.session.run.value(loss), line


def test_the_value_begins_behind_the_sign() -> None:
    assert value_start("set W[0, 0] = 1") == len("set W[0, 0] = ")


def told(app: BpstepApp) -> str:
    return " ".join(notice.message for notice in app._notifications)


def test_e_offers_the_value_tab_the_next_leaf_and_what_is_typed_takes_its_place() -> None:
    async def played() -> None:
        app = BpstepApp(documents("full"))
        async with app.run_test(size=LARGE) as pilot:
            await pilot.pause()
            await pressed(app, pilot, "6 s e")
            prompt = debug(app).query_one(Prompt)
            assert prompt.input.value == "set w = 1"
            assert prompt.input.selected_text == "1"
            assert "w = 1  x = 2  b = -1" in text(app)
            await pressed(app, pilot, "tab tab")
            assert (prompt.input.value, prompt.input.selected_text) == ("set b = -1", "-1")
            await pressed(app, pilot, "shift+tab shift+tab 3")
            assert prompt.input.value == "set w = 3"
            assert "x = 2  b = -1" not in text(app), "now another line is typed"
            await pressed(app, pilot, "enter")
            assert position(app) == 6
            assert debug(app).session.run.value("p") == 6.0
            shown = text(app)
            assert "✎ w" in shown
            assert "w: 1 → 3" in shown
            assert "value 6" in shown, "the card has the new numbers"
            assert ":restart" in told(app)

            # The program cannot be run: all stays as it is.
            await pressed(app, pilot, f"e {typed('[1, 2]')} enter")
            assert "w has shape (), not (2,)" in text(app)
            assert prompt.is_open
            assert debug(app).session.run.value("p") == 6.0

            await pressed(app, pilot, f"escape colon {typed('restart')} enter")
            assert "✎" not in text(app)
            assert debug(app).session.run.value("p") == 2.0

    asyncio.run(played())
