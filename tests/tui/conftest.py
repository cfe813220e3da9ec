"""Pictures of the app, to be held against the ones that are kept."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest
import textual
from drawn import DRAWN_BY, normal
from driving import LARGE, SMALL, play, pressed, worked
from parsed_once import parsed_once
from still import pause, still
from syrupy.assertion import SnapshotAssertion
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode
from textual.app import App
from textual.css.stylesheet import Stylesheet
from textual.pilot import Pilot

from bpstep.tui.app import BpstepApp
from bpstep.tui.document import Document


class Svg(SingleFileSnapshotExtension):
    """A picture a file, to be looked at in a browser."""

    file_extension = "svg"
    write_mode = WriteMode.TEXT
    _file_extension = "svg"
    _write_mode = WriteMode.TEXT


@pytest.fixture(scope="session", autouse=True)
def no_waiting() -> Iterator[None]:
    """Nothing sleeps, and what is the same for every app is done once, as apps are many here."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Pilot, "pause", pause)
        patch.setattr(Pilot, "_wait_for_screen", lambda pilot: still(pilot.app))
        patch.setattr(Stylesheet, "_parse_rules", parsed_once(Stylesheet._parse_rules))
        yield


@pytest.fixture(autouse=True)
def no_memory(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Every test begins with nothing remembered, and leaves what its user remembers alone."""
    folder = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder / "config"))
    monkeypatch.setenv("XDG_DATA_HOME", str(folder / "data"))
    return folder


@pytest.fixture
def picture(snapshot: SnapshotAssertion) -> Callable[..., None]:
    """Hold the screen, at one size or at both, against its pictures."""
    if textual.__version__ != DRAWN_BY:
        pytest.skip(f"the pictures are made with Textual {DRAWN_BY}")

    async def drawn(opened: Iterable[Document], keys: str) -> dict[str, str]:
        """The screen at both sizes: opened in the small one, and made larger."""
        app, found = BpstepApp(list(opened)), {}
        async with app.run_test(size=SMALL) as pilot:
            await pilot.pause()
            await pressed(app, pilot, keys)
            for columns, lines in (SMALL, LARGE):
                await pilot.resize_terminal(columns, lines)
                await pilot.pause()
                await worked(app, pilot)
                found[f"{columns}x{lines}"] = normal(App.export_screenshot(app))
        return found

    def hold(opened: Iterable[Document], keys: str, size: tuple[int, int] | None = None) -> None:
        if size is None:
            for name, svg in asyncio.run(drawn(opened, keys)).items():
                assert svg == snapshot(name=name, extension_class=Svg)
        else:
            svg = play(opened, keys, lambda app: normal(App.export_screenshot(app)), size)
            assert svg == snapshot.use_extension(Svg)

    return hold
