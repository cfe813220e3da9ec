"""What a screen with a session does to compare it with another."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, cast

from textual.reactive import reactive

from bpstep.render.errors import error_text
from bpstep.render.sanitize import visible
from bpstep.session.session import Session
from bpstep.tui.document import open_path
from bpstep.tui.screens.showing import ShowingScreen

if TYPE_CHECKING:
    from bpstep.tui.app import BpstepApp
    from bpstep.tui.screens.compare import CompareScreen
    from bpstep.tui.shelf import Book


class ComparingScreen(ShowingScreen):
    """Shows its session beside another, and goes on from where that has led.

    ``about`` is the description in its file.
    """

    about: reactive[str] = reactive("", repaint=False)

    def action_compare(self) -> None:
        """Choose another scenario, and show both side by side."""
        from bpstep.tui.screens.other import OtherScreen

        self.app.push_screen(OtherScreen(self.others()), self.compare_with)

    def others(self) -> list[Book]:
        """What can be compared with and is open already."""
        from bpstep.tui.screens.other import as_loaded

        own = self.session.scenario
        books = [_book(path, session) for path, session in self.beside().items()]
        if not self.session.changes:
            return books
        return books + as_loaded(own.path, visible(own.name), self.about)

    def beside(self) -> dict[str, Session]:
        """The other open sessions as they are now, by their paths."""
        pages = cast("BpstepApp", self.app).pages
        shown = [page for page in pages if isinstance(page, ComparingScreen) and page is not self]
        return {page.session.scenario.path: page.session for page in shown}

    def compare_with(self, path: str | None) -> None:
        """Show the session beside another one, if one was chosen and it can be run."""
        if path is None:
            return
        other = self.beside().get(path)
        if other is not None:
            self.compare_sessions(other)
            return
        document = open_path(path)
        if document.session is not None:
            self.compare_sessions(document.session)
        elif document.fault is not None:
            self.notify(error_text(document.fault), severity="error", markup=False)

    def compare_sessions(self, other: Session) -> None:
        """Both side by side; the position reached there is kept."""
        from bpstep.tui.screens.compare import CompareScreen

        screen = CompareScreen(self.session, other)
        self.app.push_screen(screen, lambda _: self.compared(screen))

    def compared(self, screen: CompareScreen) -> None:
        """Back from there."""
        self.scene = self.shown.moved(screen.session)
        if screen.another:
            self.action_compare()


def _book(path: str, session: Session) -> Book:
    from bpstep.tui.screens.other import opened_book

    name, title = os.path.basename(path), session.scenario.title
    return opened_book(path, visible(name), visible(title), bool(session.changes))
