"""Typed commands on large tapes: in a thread, with a bar, called off, and nothing is lost."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from threading import Event
from typing import Any

import pytest
from driving import debug, documents, press, pressed, text, typed, worked
from textual.pilot import Pilot

from bpstep.analysis.progress import advance
from bpstep.session.session import Session
from bpstep.tui import slow
from bpstep.tui.app import BpstepApp
from bpstep.tui.runner import Result
from bpstep.tui.screens import working
from bpstep.tui.slow import Part, parts_of
from bpstep.tui.widgets.job_bar import JobBar
from bpstep.tui.widgets.prompt import Prompt

MOST_PAUSES = 500
"""A wait for a thread ends in a failure after so many."""

Driven = Callable[[BpstepApp, Pilot[None]], Awaitable[Any]]


def driven(drive: Driven) -> Any:
    async def run() -> Any:
        app = BpstepApp(documents("full"))
        async with app.run_test(size=(100, 30)) as pilot:
            await pilot.pause()
            return await drive(app, pilot)

    return asyncio.run(run())


def said(app: BpstepApp) -> str:
    return "\n".join(line.plain for line in debug(app).lines)


def transcript(app: BpstepApp) -> list[str]:
    return [entry.line for entry in debug(app).session.transcript]


class Held:
    """Slow commands wait until they are let go, and tell how far they are."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.begun, self.go = Event(), Event()
        carry_out = working.carry_out

        def held(session: Session, line: str) -> Result:
            self.begun.set()
            while not self.go.wait(0.005):
                advance(1, 4, "differences")
            return carry_out(session, line)

        monkeypatch.setattr(working, "carry_out", held)
        monkeypatch.setattr(slow, "LARGE", 0)

    async def has_begun(self) -> None:
        await asyncio.to_thread(self.begun.wait)
        self.begun.clear()


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Held:
    return Held(monkeypatch)


def enter(app: BpstepApp, line: str) -> None:
    for key in f"colon {typed(line)} enter".split():
        press(app, key)


async def until(app: BpstepApp, pilot: Pilot[None], shown: str) -> None:
    for _ in range(MOST_PAUSES):
        if shown in text(app):
            return
        await pilot.pause()
    raise AssertionError(f"{shown!r} is not in:\n{text(app)}")


def test_on_a_small_tape_nothing_is_slow() -> None:
    session = documents("full")[0].session
    assert session is not None
    assert parts_of(session, "step; check w ; nonsense") == [Part("step; check w ; nonsense")]


def test_a_line_is_taken_apart_at_its_slow_commands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slow, "LARGE", 0)
    session = documents("full")[0].session
    assert session is not None
    assert parts_of(session, "step 2 ; chec w ; nonsense") == [
        Part("step 2"),
        Part("chec w", slow=True),
        Part("nonsense"),
    ]
    for line in ("check", "flow", "update", "paths w", "why w", "compare kink"):
        assert parts_of(session, line) == [Part(line, slow=True)]
    for line in ("", "step", "c", "set w = 2", "# check"):
        assert parts_of(session, line) == [Part(line)]


def test_motions_go_on_and_the_report_is_added(held: Held) -> None:
    async def drive(app: BpstepApp, pilot: Pilot[None]) -> None:
        enter(app, "step 2 ; check w ; step")
        await held.has_begun()
        await until(app, pilot, "1 of 4")
        bar = app.screen.query_one(JobBar)
        assert bar.display
        assert not app.screen.query_one(Prompt).display
        assert debug(app).session.position == 2
        press(app, "s")
        await pilot.pause()
        assert debug(app).session.position == 3
        held.go.set()
        await worked(app, pilot)
        assert not bar.display
        assert "check w: agrees, gradient 32" in said(app)
        # The rest of the line goes on from where the session is by then.
        assert debug(app).session.position == 4
        assert transcript(app) == ["step 2", "step 1", "check w", "step"]

    driven(drive)


@pytest.mark.parametrize("how", ["escape", "ctrl+c", "click"])
def test_a_slow_command_is_called_off_with_what_follows(held: Held, how: str) -> None:
    async def drive(app: BpstepApp, pilot: Pilot[None]) -> None:
        enter(app, "check w ; step")
        await held.has_begun()
        await until(app, pilot, "1 of 4")
        if how == "click":
            await pilot.click(JobBar)
        else:
            press(app, how)
        await worked(app, pilot)
        assert [note.message for note in app._notifications] == ["cancelled: check w"]
        assert not app.screen.query_one(JobBar).display
        assert (debug(app).session.position, transcript(app)) == (0, [])
        assert "check w:" not in said(app)

    driven(drive)


def test_a_second_slow_command_is_refused_and_a_quick_one_is_not(held: Held) -> None:
    async def drive(app: BpstepApp, pilot: Pilot[None]) -> None:
        enter(app, "check w")
        await held.has_begun()
        enter(app, "flow")
        await until(app, pilot, "check w goes on: Esc cancels it")
        press(app, "escape")
        await pilot.pause()
        enter(app, "print w")
        await until(app, pilot, "w = 1")
        held.go.set()
        await worked(app, pilot)
        assert "check w: agrees" in said(app)

    driven(drive)


def test_of_another_run_the_report_is_dropped(held: Held) -> None:
    async def drive(app: BpstepApp, pilot: Pilot[None]) -> None:
        enter(app, "check w")
        await held.has_begun()
        enter(app, "set w = 2")
        await until(app, pilot, "w: 1 → 2")
        held.go.set()
        await worked(app, pilot)
        assert "dropped" in [*app._notifications][-1].message
        assert "check w:" not in said(app)
        assert transcript(app) == ["set w = 2"]

    driven(drive)


def test_a_mistake_opens_the_line_again(held: Held) -> None:
    async def drive(app: BpstepApp, pilot: Pilot[None]) -> None:
        held.go.set()
        await pressed(app, pilot, f"colon {typed('check nothing')} enter")
        prompt = app.screen.query_one(Prompt)
        assert prompt.display
        assert prompt.input.value == "check nothing"
        assert "no node is called" in text(app)

    driven(drive)


def test_the_app_ends_while_a_command_goes_on(held: Held) -> None:
    async def drive(app: BpstepApp, pilot: Pilot[None]) -> None:
        enter(app, "check w")
        await held.has_begun()
        press(app, "q")

    driven(drive)
