"""Pictures of the app, to be held against the ones that are kept."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
import textual
from driving import play
from syrupy.assertion import SnapshotAssertion
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode
from textual.app import App

from bpstep.tui.document import Document

DRAWN_BY = "8.2.8"
"""The version of Textual that the pictures were made with: another may draw frames differently."""


class Svg(SingleFileSnapshotExtension):
    """A picture a file, to be looked at in a browser."""

    file_extension = "svg"
    write_mode = WriteMode.TEXT
    _file_extension = "svg"
    _write_mode = WriteMode.TEXT


def normal(svg: str) -> str:
    """A picture without outside links, and without what differs from run to run."""
    svg = re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)
    return re.sub(r"terminal-\d+", "terminal", svg)


@pytest.fixture(autouse=True)
def no_memory(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Every test begins with nothing remembered, and leaves what its user remembers alone."""
    folder = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder / "config"))
    monkeypatch.setenv("XDG_DATA_HOME", str(folder / "data"))
    return folder


@pytest.fixture
def picture(snapshot: SnapshotAssertion) -> Callable[..., None]:
    """Hold the screen against its picture."""
    if textual.__version__ != DRAWN_BY:
        pytest.skip(f"the pictures are made with Textual {DRAWN_BY}")

    def hold(opened: Iterable[Document], keys: str, size: tuple[int, int]) -> None:
        svg = play(opened, keys, lambda app: normal(App.export_screenshot(app)), size)
        assert svg == snapshot.use_extension(Svg)

    return hold
