"""The line in place of the prompt that tells how far a slow command is."""

from __future__ import annotations

from dataclasses import dataclass

from textual.app import RenderResult
from textual.events import Click
from textual.message import Message
from textual.widget import Widget

from bpstep.render.progress import progress_line
from bpstep.tui.jobs import News


class JobBar(Widget):
    """A command, a bar, and how to call it off; in sight only while something goes on."""

    DEFAULT_CSS = """
    JobBar { height: 1; padding: 0 1; background: $panel; display: none; }
    """

    @dataclass
    class Cancelled(Message):
        """It was clicked: what goes on is to be called off."""

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self.title, self.news = "", News()

    def tell(self, title: str, news: News) -> None:
        """Show how far something is."""
        self.title, self.news = title, news
        self.display = True
        self.refresh()

    def end(self) -> None:
        """Nothing goes on any more."""
        self.display = False

    def render(self) -> RenderResult:
        """The line."""
        return progress_line(self.title, self.news, self.content_size.width)

    def on_click(self, event: Click) -> None:
        """Call it off."""
        event.stop()
        self.post_message(self.Cancelled())
