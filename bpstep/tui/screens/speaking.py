"""What a screen says: lines in the output tab, and messages in passing."""

from __future__ import annotations

from rich.text import Text
from textual import on
from textual.reactive import reactive
from textual.screen import Screen

from bpstep.tui.widgets.detail_tabs import OUTPUT, DetailTabs

LIST_WIDTH = 34
"""Columns that the list takes, with its frame, and the frame of the tabs beside it."""
MOST_LINES = 2000
"""So many lines of output are kept."""


class SpeakingScreen(Screen[None]):
    """Has an output tab among its `DetailTabs`, which comes up when there is something in it."""

    lines: reactive[tuple[Text, ...]] = reactive((), repaint=False)

    wide_output = False
    """Whether the newest output has a line that is longer than its pane is wide."""

    def say(self, lines: tuple[Text, ...], quiet: bool = False) -> None:
        """Add lines to the output, and bring it into sight unless the panes show it all."""
        if not lines:
            return
        self.lines = (*self.lines, *lines)[-MOST_LINES:]
        if quiet:
            self.leave_output()
        else:
            longest = max(line.cell_len for line in lines)
            self.wide_output = longest > self.size.width - LIST_WIDTH
            # Else it would be behind the pane that has the whole screen.
            self.minimize()
            self.query_one(DetailTabs).open(OUTPUT)
            self.make_room(OUTPUT)

    def unsay(self, lines: tuple[Text, ...]) -> None:
        """Take lines out of the output again that are out of date."""
        stale = set(map(id, lines))
        self.lines = tuple(line for line in self.lines if id(line) not in stale)

    def leave_output(self) -> None:
        """Back from the output to what was in sight before it."""
        self.query_one(DetailTabs).close_output()

    def warn(self, message: str | None) -> None:
        """Say what could not be done."""
        if message is not None:
            self.notify(message, severity="error", markup=False)

    def tell(self, message: str) -> None:
        """Say something in passing, in place of what was said before."""
        self.app.clear_notifications()
        self.notify(message, markup=False, timeout=3)

    @on(DetailTabs.Turned)
    def turned(self, event: DetailTabs.Turned) -> None:
        """Another tab."""
        self.make_room(event.pane)

    def make_room(self, pane: str | None) -> None:
        """Wide output gets the columns of the graph too.

        What gives way has the class: to style all of the screen anew takes longer.
        """
        self.query_one("#left").set_class(pane == OUTPUT and self.wide_output, "-away")
