"""The reverse order: nodes one after the other, as text flows, drawn a visible line at a time."""

from __future__ import annotations

from typing import ClassVar

from rich.text import Text
from textual.binding import Binding, BindingType
from textual.events import Click
from textual.geometry import Size
from textual.reactive import reactive

from bpstep.session import listing
from bpstep.tui.draw.cells import Grid, node_cell
from bpstep.tui.scene import Scene
from bpstep.tui.widgets.choosing import NodeChosen, NodeOpened
from bpstep.tui.widgets.painted import PaintedPane


class OrderGrid(PaintedPane, can_focus=True):
    """The nodes in the order in which the reverse pass visits them; the selected one in sight."""

    BORDER_TITLE = "reverse order"

    DEFAULT_CSS = """
    OrderGrid { scrollbar-size-vertical: 1; overflow-x: hidden; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right", "move(1)", "next node", show=False),
        Binding("left", "move(-1)", "node before", show=False),
        Binding("down", "row(1)", "a line down", show=False),
        Binding("up", "row(-1)", "a line up", show=False),
        Binding("pagedown,space", "page(1)", "a page down", show=False),
        Binding("pageup", "page(-1)", "a page up", show=False),
        Binding("home", "edge(0)", "first node", show=False),
        Binding("end", "edge(-1)", "last node", show=False),
    ]

    scene: reactive[Scene | None] = reactive(None, repaint=False)

    @property
    def grid(self) -> Grid:
        """How the cells are laid out in the width there is."""
        return Grid.fitting(self.scrollable_content_region.width)

    def watch_scene(self) -> None:
        """Another position, selection or graph: paint the lines that differ."""
        if self.scene is not None and not self.postponed():
            self.extend(Size(self.size.width, self.grid.rows(len(self.scene.nodes))))
            self.keep_in_sight()
            self.repaint()

    def placed(self) -> None:
        """The selected node stays in sight."""
        self.watch_scene()

    def keep_in_sight(self) -> None:
        """Scroll no further than needed for the selected node to be seen."""
        height = self.scrollable_content_region.height
        if self.scene is None or self.scene.selected is None or height <= 0:
            return
        row = self.scene.row_of(self.scene.selected) // self.grid.across
        top = round(self.scroll_offset.y)
        if row < top:
            self.scroll_to(y=max(0, row - height // 4), animate=False)
        elif row >= top + height:
            self.scroll_to(y=row - height + 1 + height // 4, animate=False)

    def line(self, row: int) -> Text:
        """The cells of a row."""
        text, scene, grid = Text(end=""), self.scene, self.grid
        if scene is not None:
            for node in listing.rows(scene.session, self.nodes_from(scene, row * grid.across)):
                text.append_text(node_cell(node, grid.width, node.index == scene.selected))
        return text

    def nodes_from(self, scene: Scene, first: int) -> list[int]:
        """The nodes of a row, of which the first stands at a place of the reverse order."""
        last = min(first + self.grid.across, len(scene.nodes))
        return [scene.nodes[-1 - place] for place in range(first, last)]

    # What the user does.

    def on_click(self, event: Click) -> None:
        """A click chooses a node, a second one opens it."""
        at, grid = event.get_content_offset(self), self.grid
        if at is None or self.scene is None or at.x >= grid.width * grid.across:
            return
        place = (at.y + round(self.scroll_offset.y)) * grid.across + at.x // grid.width
        if place < len(self.scene.nodes):
            index = self.scene.nodes[-1 - place]
            self.post_message(NodeOpened(index) if event.chain > 1 else NodeChosen(index))

    def action_move(self, nodes: int) -> None:
        """Choose a node further on or back."""
        chosen = None if self.scene is None else self.scene.choosing_by(nodes).chosen
        if chosen is not None:
            self.post_message(NodeChosen(chosen))

    def action_row(self, rows: int) -> None:
        """Choose a node in a line further down or up."""
        self.action_move(rows * self.grid.across)

    def action_page(self, pages: int) -> None:
        """Choose a node a page away."""
        self.action_row(pages * max(1, self.scrollable_content_region.height - 1))

    def action_edge(self, last: int) -> None:
        """Choose the first node, or the last."""
        if self.scene is not None:
            self.action_move(-len(self.scene.nodes) if last == 0 else len(self.scene.nodes))
