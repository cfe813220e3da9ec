"""The line of tabs: one widget for all of them, which is painted sooner than one for each."""

from __future__ import annotations

from dataclasses import dataclass

from rich.text import Text
from textual.events import Click
from textual.message import Message
from textual.reactive import reactive

from bpstep.tui.draw.tabs import Tab, laid_out, tabs_line
from bpstep.tui.widgets.line_bar import LineBar


class TabBar(LineBar):
    """The names of the tabs, the open one marked; a click on a name asks for its tab."""

    DEFAULT_CSS = """
    TabBar { height: 1; }
    """

    names: reactive[tuple[str, ...]] = reactive(())
    active: reactive[str] = reactive("")

    @dataclass
    class Pointed(Message):
        """A tab was pointed at."""

        name: str

    @property
    def tabs(self) -> list[Tab]:
        """Where the names stand."""
        return laid_out(self.names, self.active, self.size.width)

    def render(self) -> Text:
        """The line, in the width there is."""
        tabs = self.tabs
        before = bool(tabs) and tabs[0].name != self.names[0]
        return tabs_line(tabs, self.active, self.size.width, before=before)

    def on_click(self, event: Click) -> None:
        """Ask for the tab that was clicked."""
        for tab in self.tabs:
            if tab.start <= event.x < tab.end:
                self.post_message(self.Pointed(tab.name))
