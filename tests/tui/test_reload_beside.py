"""A large file is read again in a thread: motions keep working, and nothing is lost."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from driving import debug, documents, position, press, text, typed, worked
from textual.pilot import Pilot

from bpstep.session.session import Session
from bpstep.tui.app import BpstepApp
from bpstep.tui.document import Document
from bpstep.tui.screens import reloading
from bpstep.tui.watching import look_at_files
from bpstep.tui.widgets.job_bar import JobBar

RIGHT = "bpstep: 1\ntitle: Mine\nparams: {w: 3, u: 1}\ngraph: {p: w * 2, loss: p ** 2 + u}\n"
OTHER = RIGHT.replace("w: 3", "w: 5")
WRONG = RIGHT.replace("p ** 2", "pp ** 2")

MOST_PAUSES = 2000
"""A wait for a thread ends in a failure after so many."""

Driven = Callable[[BpstepApp, Pilot[None]], Awaitable[Any]]


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file that counts as large."""
    monkeypatch.setattr(reloading, "LARGE_FILE", 0)
    path = tmp_path / "mine.yaml"
    path.write_text(RIGHT)
    return path


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Event:
    """Nothing is read again until this is set."""
    opened, real = Event(), reloading.reloaded

    def held(document: Document, session: Session) -> Document:
        assert opened.wait(60)
        return real(document, session)

    monkeypatch.setattr(reloading, "reloaded", held)
    return opened


def driven(file: Path, drive: Driven) -> Any:
    async def run() -> Any:
        app = BpstepApp(documents(str(file)))
        async with app.run_test(size=(100, 30)) as pilot:
            await pilot.pause()
            return await drive(app, pilot)

    return asyncio.run(run())


async def keys(app: BpstepApp, pilot: Pilot[None], row: str) -> None:
    for key in row.split():
        press(app, key)
        await pilot.pause()


def loss(app: BpstepApp) -> float:
    return float(debug(app).session.run.value("loss"))


def bar(app: BpstepApp) -> bool:
    return bool(debug(app).query_one(JobBar).display)


def said(app: BpstepApp) -> list[str]:
    return [notification.message for notification in app._notifications]


def test_steps_go_on_meanwhile_and_the_new_run_is_shown_at_the_step_that_was_reached(
    file: Path, gate: Event
) -> None:
    async def drive(app: BpstepApp, pilot: Pilot[None]) -> None:
        file.write_text(OTHER)
        await keys(app, pilot, "r s s")
        assert (position(app), loss(app), bar(app)) == (2, 37.0, True)
        assert "reload [Esc cancels]" in text(app)
        gate.set()
        await worked(app, pilot)
        assert (position(app), loss(app), bar(app)) == (2, 101.0, False)
        assert said(app) == ["read again: mine.yaml"]

    driven(file, drive)


@pytest.mark.parametrize("by", ["escape", "ctrl+c", "click"])
def test_it_is_called_off_and_not_begun_again_by_itself(file: Path, gate: Event, by: str) -> None:
    async def drive(app: BpstepApp, pilot: Pilot[None]) -> None:
        file.write_text(OTHER)
        for _ in range(3):
            look_at_files(app)
        await pilot.pause()
        assert bar(app)
        await (pilot.click(JobBar) if by == "click" else keys(app, pilot, by))
        gate.set()
        await worked(app, pilot)
        for _ in range(3):
            look_at_files(app)
        await worked(app, pilot)
        assert (loss(app), bar(app)) == (37.0, False)
        assert said(app) == ["cancelled: reload"]
        await keys(app, pilot, "r")
        await worked(app, pilot)
        assert loss(app) == 101.0

    driven(file, drive)


def test_where_the_file_is_wrong_the_last_good_run_stays_and_the_line_is_shown(file: Path) -> None:
    async def drive(app: BpstepApp, pilot: Pilot[None]) -> None:
        file.write_text(WRONG)
        await keys(app, pilot, "s r")
        await worked(app, pilot)
        assert (position(app), loss(app), bar(app)) == (1, 37.0, False)
        assert "mine.yaml:4:" in text(app)

    driven(file, drive)


def test_what_is_saved_while_it_is_read_is_read_as_well(file: Path, gate: Event) -> None:
    async def drive(app: BpstepApp, pilot: Pilot[None]) -> None:
        file.write_text(OTHER)
        for _ in range(3):
            look_at_files(app)
        file.write_text(RIGHT.replace("w: 3", "w: 10"))
        look_at_files(app)
        gate.set()
        await worked(app, pilot)
        for _ in range(3):
            look_at_files(app)
        await worked(app, pilot)
        assert loss(app) == 401.0

    driven(file, drive)


def test_what_was_read_waits_until_a_line_is_typed(file: Path, gate: Event) -> None:
    async def drive(app: BpstepApp, pilot: Pilot[None]) -> None:
        file.write_text(OTHER)
        await keys(app, pilot, f"r colon {typed('print')}")
        gate.set()
        await worked(app, pilot)
        look_at_files(app)
        assert loss(app) == 37.0
        await keys(app, pilot, "escape")
        look_at_files(app)
        assert loss(app) == 101.0

    driven(file, drive)


def test_a_slow_command_and_a_reload_keep_out_of_each_others_way(
    file: Path, gate: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bpstep.tui.slow.LARGE", 0)

    async def drive(app: BpstepApp, pilot: Pilot[None]) -> None:
        file.write_text(OTHER)
        await keys(app, pilot, f"r colon {typed('check w')} enter")
        for _ in range(MOST_PAUSES):
            await pilot.pause(0.005)
            if debug(app).lines:
                break
        assert "check w: agrees, gradient 24" in "\n".join(line.plain for line in debug(app).lines)
        gate.set()
        await worked(app, pilot)
        assert (loss(app), bar(app)) == (101.0, False)

    driven(file, drive)
