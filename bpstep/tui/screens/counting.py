"""Counts before keys, as in vi: digits are collected, and the next key takes them."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import BindingType
from textual.reactive import reactive
from textual.screen import Screen, ScreenResultType

from bpstep.tui.keys import DIGITS

MOST_DIGITS = 9


class CountingScreen(Screen[ScreenResultType]):
    """Collects the digits of a count."""

    BINDINGS: ClassVar[list[BindingType]] = [*DIGITS]

    count: reactive[str] = reactive("", repaint=False)

    def action_digit(self, digit: int) -> None:
        """A digit of a count."""
        self.count = f"{self.count}{digit}"[:MOST_DIGITS]

    def on_screen_suspend(self) -> None:
        """Another screen comes up: a count before the key that brought it is forgotten."""
        self.count = ""

    def on_descendant_focus(self) -> None:
        """So is one before a key that gives the focus to a line or a pane."""
        self.count = ""

    def times(self) -> int:
        """How often a key is meant, whose count is used up by that."""
        count = self.take_count()
        return 1 if count is None else count

    def take_count(self) -> int | None:
        """The count before a key, which is used up by it."""
        count, self.count = self.count, ""
        return int(count) if count else None
