"""The card of the selected node."""

from __future__ import annotations

from collections.abc import Iterator

from rich.text import Text
from textual.events import Resize
from textual.reactive import reactive

from bpstep.session.card import Card, card
from bpstep.tui.draw.card import arrival, card_lines, tensor_lines, title
from bpstep.tui.draw.fit import cut
from bpstep.tui.scene import Scene
from bpstep.tui.widgets.text_pane import TextPane

MOST_ROWS = 40
"""Of more contributions those around the latest are shown."""


class CardPane(TextPane):
    """Value, local derivatives, contributions with the running sum, what is awaited."""

    scene: reactive[Scene | None] = reactive(None, repaint=False)

    def on_mount(self) -> None:
        """Draw what was bound before there was anything to draw on."""
        self.watch_scene()

    def on_resize(self, event: Resize) -> None:
        """The columns of the card follow the width."""
        self.watch_scene()

    def watch_scene(self) -> None:
        """Another position or selection."""
        if self.scene is None:
            return
        if self.scene.selected is None:
            self.border_title, self.border_subtitle = Text("card"), Text("")
            self.show([Text("There are no nodes: the program runs no forward pass.")])
            return
        shown = card(self.scene.session, self.scene.selected, MOST_ROWS)
        self.border_title = Text(cut(title(shown), max(1, self.size.width - 2)))
        self.border_subtitle = arrival(shown)
        self.show(self.lines(shown))

    def lines(self, shown: Card) -> Iterator[Text]:
        """The lines of the card."""
        return card_lines(shown, self.columns)


class FullCardPane(CardPane):
    """The card, and below it the numbers of its tensors."""

    def lines(self, shown: Card) -> Iterator[Text]:
        """The lines of the card, then tensors written out."""
        yield from super().lines(shown)
        yield from tensor_lines(shown)
