"""The app: what is open, and which of it is in sight."""

from __future__ import annotations

import os
from collections.abc import Sequence
from itertools import count

from textual.app import App

from bpstep.tui.document import Document, open_path
from bpstep.tui.palette import ANSI_DARK, DARK
from bpstep.tui.screens.debug import DebugScreen
from bpstep.tui.screens.help import HelpScreen
from bpstep.tui.screens.library import LibraryScreen
from bpstep.tui.screens.once import Palette
from bpstep.tui.screens.problems import ProblemScreen
from bpstep.tui.widgets.too_small import FEWEST_COLUMNS, FEWEST_LINES

Page = DebugScreen | ProblemScreen


class BpstepApp(App[None]):
    """A page for each open scenario, one of them in sight; without any, the library."""

    TITLE = "bpstep"
    CSS_PATH = "styles.tcss"
    # Textual does not declare these as class variables.
    HORIZONTAL_BREAKPOINTS = [  # noqa: RUF012
        (0, "-tiny"),
        (FEWEST_COLUMNS, "-narrow"),
        (64, "-normal"),
        (100, "-wide"),
    ]
    VERTICAL_BREAKPOINTS = [(0, "-flat"), (FEWEST_LINES, "-low"), (30, "-high")]  # noqa: RUF012

    def __init__(self, documents: Sequence[Document] = ()) -> None:
        # With colours left to the terminal, Textual's answer to NO_COLOR is to send none at all;
        # otherwise it sends shades of grey.
        super().__init__(ansi_color=True if os.environ.get("NO_COLOR") else None)
        self.ansi_theme_dark = ANSI_DARK
        self.documents = documents
        self.pages: list[Page] = []
        self.here = 0
        self._numbers = count()

    def on_mount(self) -> None:
        """Open what was asked for, or the library."""
        self.register_theme(DARK)
        self.theme = DARK.name
        for document in self.documents:
            self.pages.append(self.page(document))
        if self.pages:
            self.show(0)
        else:
            self.action_library()

    # Pages.

    def page(self, document: Document) -> Page:
        """A screen for a document, kept until the app ends."""
        if document.session is None:
            page: Page = ProblemScreen(document)
        else:
            page = DebugScreen(document, document.session)
        self.install_screen(page, name=f"page-{next(self._numbers)}")
        return page

    def show(self, number: int) -> None:
        """Bring a page into sight."""
        self.here = number
        if isinstance(self.screen, Page):
            self.switch_screen(self.pages[number])
        else:
            self.push_screen(self.pages[number])

    def open(self, path: str | None) -> None:
        """Bring the page of a file into sight, opening it if it is not."""
        if path is None:
            return
        paths = [page.document.path for page in self.pages]
        if path not in paths:
            self.pages.append(self.page(open_path(path)))
            paths.append(path)
        self.show(paths.index(path))

    # Keys.

    def action_switch(self, steps: int) -> None:
        """Another page."""
        if len(self.pages) > 1:
            self.show((self.here + steps) % len(self.pages))

    def action_library(self) -> None:
        """The library, over what is open."""
        self.push_screen(LibraryScreen(leavable=bool(self.pages)), self.open)

    def action_help(self) -> None:
        """The help, over what is in sight."""
        self.push_screen(HelpScreen())

    def action_command_palette(self) -> None:
        """The palette of commands, unless it is open."""
        if not isinstance(self.screen, Palette):
            self.push_screen(Palette(id="--command-palette"))

    def action_reopen(self) -> None:
        """Read the file of a page with problems again."""
        old = self.pages[self.here]
        self.pages[self.here] = self.page(open_path(old.document.path))
        self.show(self.here)
        self.notify(f"read again: {old.document.file}", markup=False, timeout=3)
        self.uninstall_screen(old)

    @property
    def faulty(self) -> bool:
        """Whether there is a page with problems."""
        return any(isinstance(page, ProblemScreen) for page in self.pages)
