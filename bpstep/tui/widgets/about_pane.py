"""What a scenario shows, in its author's words."""

from __future__ import annotations

from textual.reactive import reactive
from textual.widgets import Static

from bpstep.render.sanitize import visible_block
from bpstep.tui.widgets.text_pane import TextPane


class AboutPane(TextPane):
    """A text in Markdown. Links are shown and lead nowhere."""

    about: reactive[str] = reactive("", repaint=False)

    def on_mount(self) -> None:
        """Draw what was bound before there was anything to draw on."""
        self.watch_about()

    def watch_about(self) -> None:
        """Another text."""
        # With what it imports it takes as long to be there as a whole screen to be drawn.
        from rich.markdown import Markdown

        for text in self.query(Static):
            text.update(Markdown(visible_block(self.about), hyperlinks=False))
