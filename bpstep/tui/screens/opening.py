"""What is in sight while files are loaded: the frame of the main screen, and that it goes on."""

from __future__ import annotations

import os
from time import monotonic
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import Static

from bpstep.render.lines import line
from bpstep.render.sanitize import visible
from bpstep.tui.keys import OPENING_KEYS, bindings
from bpstep.tui.screens.page import PageScreen
from bpstep.tui.widgets.key_bar import KeyBar
from bpstep.tui.widgets.line_bar import LineBar


class LoadingLine(LineBar):
    """The file that is being loaded, and after a second for how long."""

    DEFAULT_CSS = "LoadingLine { height: 1; padding: 0 1; background: $panel; }"

    def __init__(self, file: str) -> None:
        super().__init__()
        self.file = file
        self._began = monotonic()

    def on_mount(self) -> None:
        """Count the seconds."""
        self.set_interval(1, self.refresh)

    def render(self) -> Text:
        """The line."""
        seconds = int(monotonic() - self._began)
        return line((self.file, "bold"), "  loading …", f" {seconds} s" if seconds else "")


class OpeningScreen(PageScreen):
    """Nothing of it needs the engine or a scenario, so that it comes up at once."""

    AUTO_FOCUS = ""
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(OPENING_KEYS)]

    def __init__(self, path: str) -> None:
        super().__init__()
        self.file = visible(os.path.basename(path))

    def compose(self) -> ComposeResult:
        """A frame for each pane that comes, and the room of the timeline."""
        yield LoadingLine(self.file)
        with Horizontal(id="body"):
            with Vertical(id="left"):
                yield Static(id="graph", classes="framed")
                yield Static(id="order", classes="framed")
            with Vertical(id="right"):
                yield Static(id="card", classes="framed")
                yield Static(id="tabs", classes="framed")
        yield Static(id="track")
        yield KeyBar()
