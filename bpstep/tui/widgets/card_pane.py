"""The card of the selected node."""

from __future__ import annotations

from collections.abc import Iterator

from rich.text import Text
from textual.geometry import Size
from textual.reactive import reactive

from bpstep.render import lines as ui
from bpstep.session import listing
from bpstep.session.card import Card, card
from bpstep.session.listing import NodeRow
from bpstep.session.places import place
from bpstep.tui.draw.card import arrival, card_lines, tensor_lines, title
from bpstep.tui.draw.fit import cut
from bpstep.tui.scene import Scene
from bpstep.tui.widgets.lines_pane import LinesPane
from bpstep.tui.widgets.lines_view import LinesView

MOST_ROWS = 40
"""Of more contributions those around the latest are shown."""

HELD = "   held: Esc follows"
NO_NODES = "There are no nodes: the program runs no forward pass."


class CardPane(LinesPane):
    """Value, local derivatives, contributions with the running sum, what is awaited.

    The contribution of this step is kept in sight.
    """

    TABLES = False
    """Its table is made for the width there is."""

    DEFAULT_CSS = """
    CardPane { overflow-x: hidden; }
    """

    scene: reactive[Scene | None] = reactive(None, repaint=False)

    def on_mount(self) -> None:
        """Draw what was bound before there was anything to draw on."""
        self.watch_scene()

    def placed(self) -> None:
        """The title is cut to the width."""
        self.watch_scene()

    def watch_scene(self) -> None:
        """Another position or selection."""
        if self.scene is None:
            return
        if self.scene.selected is None:
            self.write_frame(Text("card"))
            self.lay(lambda width: [Text(NO_NODES)])
            return
        shown = card(self.scene.session, self.scene.selected, MOST_ROWS)
        held = self.held(self.scene)
        named = cut(title(shown), max(1, self.size.width - 4 - len(held)))
        self.write_frame(Text.assemble(named, (held, ui.OPEN)), arrival(shown))
        ended = place(self.scene.session).after is not None
        end = listing.row(self.scene.session, self.scene.selected) if ended else None
        self.lay(lambda width: self.lines(shown, width, end))

    def held(self, scene: Scene) -> str:
        """Says that the selection stays where it was moved to."""
        return "" if scene.chosen is None else HELD

    def lines(self, shown: Card, width: int, end: NodeRow | None) -> Iterator[Text]:
        """The lines of the card."""
        return card_lines(shown, width, end, self.scrollable_content_region.height)

    def settle(self) -> None:
        """The contribution of this step is in sight, and as much as can be of what is above it."""
        height = self.scrollable_content_region.height
        if self.is_mounted and height > 0:
            here = self.view.row_of(ui.HERE) or 0
            below = 1 if height > 1 else 0
            top = 0 if here < height else here - height + 1 + below
            self.scroll_to(y=top, animate=False, immediate=True)


class FullCardPane(CardPane):
    """The card, and below it the numbers of its contributions."""

    def held(self, scene: Scene) -> str:
        """Here Esc goes back."""
        return ""

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """As many lines as it has: it stands above the elements, and leaves them the rest."""
        lines = LinesView(self.TABLES)
        lines.make = self.view.make
        lines.lay(max(1, width - self.scrollbar_size_vertical), self.app.console)
        return max(1, len(lines.laid))

    def on_mount(self) -> None:
        """Its height is known once it has lines."""
        self.refresh(layout=True)

    def lines(self, shown: Card, width: int, end: NodeRow | None) -> Iterator[Text]:
        """The lines of the card, then the tensors that were added up; the elements have a grid."""
        yield from card_lines(shown, width, end)
        yield from tensor_lines(shown)
