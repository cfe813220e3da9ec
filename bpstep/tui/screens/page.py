"""What all screens have in common that take each other's place in the app."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from textual.reactive import reactive
from textual.screen import Screen

if TYPE_CHECKING:
    from bpstep.tui.app import BpstepApp


class PageScreen(Screen[None]):
    """A scenario, a file's problems, or the frame of one that is being loaded.

    One of them is in sight, or under the screens that are over it.
    """

    among: reactive[str] = reactive("", repaint=False)
    """Which of several open ones it is: ``2/3``."""

    def on_screen_resume(self) -> None:
        """It comes into sight; others may have been opened since it was."""
        pages: list[PageScreen] = [*cast("BpstepApp", self.app).pages]
        numbered = len(pages) > 1 and self in pages
        self.among = f"{pages.index(self) + 1}/{len(pages)}" if numbered else ""
