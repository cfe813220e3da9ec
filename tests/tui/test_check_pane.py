"""The tab `check`: quick checks are made unasked, long ones are asked for and can be called off."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from threading import Event
from typing import Any

import pytest
from driving import debug, documents, play, press, pressed, text, typed, worked
from textual.pilot import Pilot

from bpstep.analysis.progress import advance
from bpstep.scenario import load, loads
from bpstep.session.commands import execute
from bpstep.session.reports import CheckReport
from bpstep.session.session import Session
from bpstep.tui import checks as what_is_checked
from bpstep.tui.app import BpstepApp
from bpstep.tui.checks import Checks
from bpstep.tui.document import Document, open_scenario
from bpstep.tui.draw.check import CheckView, view_lines
from bpstep.tui.jobs import JobDone
from bpstep.tui.widgets.check_pane import CHECK, CheckPane

MOST_PAUSES = 500
"""A wait for a thread ends in a failure after so many."""

TALL = (130, 60)
CHECK_TAB = "t t"


def open_text(scenario: str) -> Document:
    return open_scenario(loads(scenario))


Driven = Callable[[BpstepApp, Pilot[None]], Awaitable[Any]]


def driven(opened: list[Document], drive: Driven, size: tuple[int, int] = TALL) -> Any:
    async def run() -> Any:
        app = BpstepApp(opened)
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            return await drive(app, pilot)

    return asyncio.run(run())


def pane(app: BpstepApp) -> CheckPane:
    return debug(app).query_one(CheckPane)


def checked(app: BpstepApp) -> str:
    """The lines of the pane."""
    return "\n".join(line.plain.rstrip() for line in pane(app).view.laid)


@pytest.fixture(scope="module")
def at_kink() -> dict[str, str]:
    """What the tab says of `kink` at several positions, by the keys that lead there."""

    async def drive(app: BpstepApp, pilot: Pilot[None]) -> dict[str, str]:
        await pressed(app, pilot, CHECK_TAB)
        found = {"": checked(app)}
        for keys in ("6 G", "1 0 G", "1 2 G", "slash t a r g e t enter"):
            await pressed(app, pilot, keys)
            found[keys] = checked(app)
        return found

    found = driven(documents("kink"), drive)
    assert isinstance(found, dict)
    return found


def words(text: str) -> str:
    return " ".join(text.split())


def test_a_quick_check_is_made_when_the_tab_is_opened(at_kink: dict[str, str]) -> None:
    """At the start the loss is selected: an operation has a gradient to check too."""
    found = at_kink[""]
    assert "✓ agrees loss: gradient 1" in found
    rows = [line.split() for line in found.splitlines()[1:5]]
    assert rows == [
        ["⊥", "x", "1", "2.5", "kink"],
        ["⊥", "w", "2", "5", "kink"],
        ["⊥", "b", "0", "1.5", "kink"],
        ["✓", "v", "0", "0", "agrees"],
    ]


def test_the_selected_leaf_is_told_in_full(at_kink: dict[str, str]) -> None:
    found = at_kink["1 2 G"]
    lines = found.splitlines()
    assert "⊥ kink w: gradient 2" in lines
    assert "▶  ⊥  w" in found
    assert "the slope is 2 from the left and 8 from the right" in words(found)
    (smallest,) = (line for line in lines if line.strip().startswith("1e-06"))
    # The left one would be 2 in four digits, as the gradient is: it has those that tell them apart.
    assert smallest.split() == ["1e-06", "1.999998", "8", "5", "3", "0.6"]
    (limit,) = (line for line in lines if line.strip().startswith("h → 0"))
    assert limit.split() == ["h", "→", "0", "2", "8", "5"]
    assert "loss against w, at w = 1" in lines
    assert lines[-1] == "● here  ⠶ loss  ⠂ slope 2, the gradient  ⊥ kink here"


def test_before_the_gradient_is_complete_it_is_said(at_kink: dict[str, str]) -> None:
    """At step 6 p has one of its two contributions, at step 10 both."""
    note = "at this step it is not complete"
    assert note in words(at_kink["6 G"])
    assert note not in words(at_kink["1 0 G"])


def test_a_node_without_gradient_leaves_the_word_to_the_worst_leaf(
    at_kink: dict[str, str],
) -> None:
    assert "⊥ kink x: gradient 1" in at_kink["slash t a r g e t enter"]


@pytest.mark.parametrize(("width", "shown"), [(40, "15.999 16.001 16"), (60, "15.999 16.001 16")])
def test_a_quotient_has_the_digits_that_tell_it_from_the_gradient(width: int, shown: str) -> None:
    (report,) = execute(Session.open(load("full")), "check p").reports
    assert isinstance(report, CheckReport)
    view = CheckView((), report.results, report.results[0], None, incomplete=False)
    lines = [" ".join(each.plain.split()) for each in view_lines(view, width, 30)]
    assert [each for each in lines if each.startswith(f"0.0001 {shown} ")], lines


def test_in_a_low_pane_the_leaves_stand_side_by_side() -> None:
    found = play(documents("kink"), CHECK_TAB, checked, (80, 24))
    assert found.splitlines()[0].startswith("⊥ x kink · ⊥ w kink")


def test_nothing_is_checked_out_of_sight() -> None:
    async def drive(app: BpstepApp, pilot: Pilot[None]) -> None:
        await pressed(app, pilot, "s s")
        assert not debug(app).query(CheckPane), "a pane is made when its tab is opened"
        await pressed(app, pilot, "t t t")
        checks = pane(app).checks
        await pressed(app, pilot, f"colon {typed('set w = 3')} enter escape t")
        assert pane(app).checks is checks

    driven(documents("kink"), drive)


def test_a_program_without_a_pass_has_nothing_to_check() -> None:
    opened = [
        open_text("bpstep: 1\ntitle: t\nparams: {a: 1}\ngraph: {y: a * a}\nprogram: [forward]\n")
    ]
    assert "runs no reverse pass" in words(play(opened, CHECK_TAB, checked, TALL))


def test_the_scenario_s_own_steps_are_taken() -> None:
    opened = [
        open_text(
            "bpstep: 1\ntitle: t\nparams: {a: 1}\ngraph: {loss: a * a}\n"
            "checks: [{wrt: a, steps: [0.25]}]\n"
        )
    ]
    found = play(opened, f"{CHECK_TAB} G", checked, TALL)
    rows = [line.split() for line in found.splitlines()]
    assert ["0.25", "1.75", "2.25", "2", "0", "0"] in rows


# ---- long checks ----

LONG = "bpstep: 1\ntitle: t\nparams: {a: 1, b: 2}\ngraph: {loss: a * b}\n"


@pytest.fixture
def waits_to_be_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """No check is quick."""
    monkeypatch.setattr(what_is_checked, "QUICK_WORK", 0)


class Held:
    """Checks that go on until they are let go, telling how far they are."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.begun, self.go = Event(), Event()
        self.count = 0
        made = Checks.made

        def held(checks: Checks, *given: Any) -> Any:
            self.count += 1
            self.begun.set()
            # Each turn is a moment to be called off.
            while not self.go.wait(0.005):
                advance(self.count, 4, "differences")
            return made(checks, *given)

        monkeypatch.setattr(Checks, "made", held)

    async def has_begun(self) -> None:
        await asyncio.to_thread(self.begun.wait)
        self.begun.clear()


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Held:
    return Held(monkeypatch)


async def until(app: BpstepApp, pilot: Pilot[None], shown: str) -> None:
    """Wait for what a thread tells to be shown."""
    for _ in range(MOST_PAUSES):
        if shown in text(app):
            return
        await pilot.pause()
    raise AssertionError(f"{shown!r} is not in:\n{text(app)}")


@pytest.mark.usefixtures("waits_to_be_asked")
def test_a_long_check_waits_to_be_asked_for() -> None:
    async def drive(app: BpstepApp, pilot: Pilot[None]) -> None:
        await pressed(app, pilot, f"{CHECK_TAB} 3 G")
        offer = "[Enter or click: check now] a, 6 evaluations"
        name = checked(app).split("] ")[1][0]
        assert checked(app) == offer.replace(" a,", f" {name},")
        pane(app).focus()
        await pressed(app, pilot, "enter")
        assert f"✓ agrees {name}: gradient" in checked(app)
        assert "check now" not in checked(app)

    driven([open_text(LONG)], drive)


@pytest.mark.usefixtures("waits_to_be_asked")
def test_it_is_asked_for_with_the_mouse_too() -> None:
    async def drive(app: BpstepApp, pilot: Pilot[None]) -> None:
        await pressed(app, pilot, f"{CHECK_TAB} 3 G")
        await pilot.click(pane(app), offset=(5, 1))
        await worked(app, pilot)
        assert "check now" in checked(app)
        await pilot.click(pane(app), offset=(5, 0))
        await worked(app, pilot)
        assert "✓ agrees" in checked(app)

    driven([open_text(LONG)], drive)


@pytest.mark.usefixtures("waits_to_be_asked")
@pytest.mark.parametrize("how", ["escape", "ctrl+c", "click"])
def test_a_long_check_tells_how_far_it_is_and_is_called_off(held: Held, how: str) -> None:
    async def drive(app: BpstepApp, pilot: Pilot[None]) -> None:
        await pressed(app, pilot, CHECK_TAB)
        pane(app).focus()
        press(app, "enter")
        await held.has_begun()
        await until(app, pilot, "1 of 4")
        assert "█" in checked(app)
        assert "[Esc cancels]" in checked(app)
        if how == "click":
            await pilot.click(pane(app), offset=(5, 0))
        else:
            press(app, how)
        await until(app, pilot, "cancelled; ")
        await worked(app, pilot)
        assert checked(app).startswith("cancelled; [Enter or click: check now]")
        held.go.set()
        press(app, "enter")
        await until(app, pilot, "✓ agrees")

    driven([open_text(LONG)], drive)


def test_what_was_begun_for_another_selection_is_dropped(held: Held) -> None:
    async def drive(app: BpstepApp, pilot: Pilot[None]) -> None:
        for key in CHECK_TAB.split():
            press(app, key)
        await held.has_begun()
        first = pane(app).jobs.running(CHECK)
        press(app, "s")
        press(app, "s")
        await held.has_begun()
        second = pane(app).jobs.running(CHECK)
        assert first is not None
        assert second is not first
        # A late result of the first one changes nothing.
        pane(app).post_message(JobDone(first, None))
        await pilot.pause()
        assert pane(app).jobs.running(CHECK) is second
        held.go.set()
        await worked(app, pilot)
        assert pane(app).jobs.running(CHECK) is None
        assert "✓ agrees" in checked(app)

    driven([open_text(LONG)], drive)


def test_another_run_is_checked_anew() -> None:
    async def drive(app: BpstepApp, pilot: Pilot[None]) -> None:
        await pressed(app, pilot, f"{CHECK_TAB} 1 2 G")
        assert "⊥ kink w: gradient 2" in checked(app)
        debug(app).do("set b = -1")
        await worked(app, pilot)
        assert "✓ agrees w: gradient 32" in checked(app)

    driven(documents("kink"), drive)


@pytest.mark.usefixtures("waits_to_be_asked")
def test_the_app_ends_at_once_while_a_check_goes_on(held: Held) -> None:
    """Nothing lets it go: it would never end by itself."""

    async def drive(app: BpstepApp, pilot: Pilot[None]) -> None:
        await pressed(app, pilot, CHECK_TAB)
        pane(app).focus()
        press(app, "enter")
        await held.has_begun()
        press(app, "q")

    driven([open_text(LONG)], drive)


@pytest.mark.usefixtures("waits_to_be_asked")
def test_motions_go_on_while_a_long_check_does(held: Held) -> None:
    async def drive(app: BpstepApp, pilot: Pilot[None]) -> None:
        await pressed(app, pilot, CHECK_TAB)
        pane(app).focus()
        press(app, "enter")
        await held.has_begun()
        press(app, "s")
        press(app, "s")
        await pilot.pause()
        assert debug(app).session.position == 2
        held.go.set()
        await worked(app, pilot)
        # What was found for the loss is kept; the node of this step waits to be asked for.
        assert "check now" in checked(app)
        press(app, "S")
        await worked(app, pilot)
        assert "✓ agrees loss" in checked(app)

    driven([open_text(LONG)], drive)


def test_in_a_narrow_pane_the_table_is_whole_without_the_relative_error() -> None:
    narrow, wide = (
        play(documents("kink"), f"G slash {typed('w')} enter t t", text, size)
        for size in ((80, 24), (120, 36))
    )
    assert re.search(r"h +left +right +central +error\b", narrow)
    assert re.search(r"central +abs error +rel error", wide)
