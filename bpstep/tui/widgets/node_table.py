"""Nodes in lines: drawn one visible line at a time, so that a hundred thousand cost nothing."""

from __future__ import annotations

from typing import ClassVar

from rich.text import Text
from textual.binding import Binding, BindingType
from textual.events import Click
from textual.geometry import Size
from textual.reactive import reactive

from bpstep.session import listing
from bpstep.tui.draw.nodes import Columns, heads, node_line
from bpstep.tui.scene import Scene
from bpstep.tui.widgets.choosing import NodeChosen, NodeOpened
from bpstep.tui.widgets.painted import PaintedPane


class NodeTable(PaintedPane, can_focus=True):
    """A line for each node. The selected one is kept in sight. Out of sight it draws nothing."""

    HEADS = 1

    DEFAULT_CSS = """
    NodeTable { scrollbar-size-vertical: 1; overflow-x: hidden; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down", "move(1)", "next line", show=False),
        Binding("up", "move(-1)", "line before", show=False),
        Binding("pagedown,space", "page(1)", "a page down", show=False),
        Binding("pageup", "page(-1)", "a page up", show=False),
        Binding("home", "row(0)", "first line", show=False),
        Binding("end", "row(-1)", "last line", show=False),
        Binding("left,right", "move(0)", "nothing: lines are cut", show=False),
    ]

    scene: reactive[Scene | None] = reactive(None, repaint=False)

    def row_of(self, scene: Scene, index: int) -> int:
        """The line of a node."""
        raise NotImplementedError

    def node_at(self, scene: Scene, row: int) -> int:
        """The node of a line."""
        raise NotImplementedError

    def watch_scene(self) -> None:
        """Another position, selection or graph: paint the lines that differ."""
        if self.scene is not None and not self.postponed():
            self.extend(Size(self.size.width, len(self.scene.nodes) + self.HEADS))
            self.keep_in_sight()
            self.repaint()

    def placed(self) -> None:
        """The selected line stays in sight."""
        self.watch_scene()

    def keep_in_sight(self) -> None:
        """Scroll no further than needed for the selected line to be seen."""
        if self.scene is None or self.scene.selected is None or not self.scene.nodes:
            return
        row, height = self.row_of(self.scene, self.scene.selected), self.size.height - self.HEADS
        top = round(self.scroll_offset.y)
        if height > 0 and row < top:
            self.scroll_to(y=max(0, row - height // 4), animate=False)
        elif height > 0 and row >= top + height:
            self.scroll_to(y=row - height + 1 + height // 4, animate=False)

    @property
    def columns(self) -> Columns:
        """How the width is shared."""
        return Columns.fitting(self.scrollable_content_region.width)

    def head(self, row: int) -> Text:
        """What stands in the columns."""
        return heads(self.columns)

    def line(self, row: int) -> Text:
        """The line of a node."""
        if self.scene is None or row >= len(self.scene.nodes):
            return Text()
        index = self.node_at(self.scene, row)
        shown = listing.row(self.scene.session, index)
        return node_line(shown, self.columns, index == self.scene.selected)

    # What the user does.

    def on_click(self, event: Click) -> None:
        """A click chooses a line, a second one opens it."""
        row = event.y - self.gutter.top - self.HEADS + round(self.scroll_offset.y)
        if self.scene is not None and 0 <= row < len(self.scene.nodes):
            index = self.node_at(self.scene, row)
            self.post_message(NodeOpened(index) if event.chain > 1 else NodeChosen(index))

    def action_move(self, rows: int) -> None:
        """Choose a line further down or up."""
        if self.scene is not None and self.scene.selected is not None:
            self.choose(self.row_of(self.scene, self.scene.selected) + rows)

    def action_page(self, pages: int) -> None:
        """Choose a line a page away."""
        self.action_move(pages * max(1, self.size.height - self.HEADS - 1))

    def action_row(self, row: int) -> None:
        """Choose the first line, or the last."""
        if self.scene is not None:
            self.choose(row if row >= 0 else len(self.scene.nodes) - 1)

    def choose(self, row: int) -> None:
        """Choose the node of a line, or of the nearest there is."""
        if self.scene is not None and self.scene.nodes:
            row = min(max(row, 0), len(self.scene.nodes) - 1)
            self.post_message(NodeChosen(self.node_at(self.scene, row)))


class Gradients(NodeTable):
    """The nodes in the order in which they are evaluated."""

    def row_of(self, scene: Scene, index: int) -> int:
        """The line of a node: leaves first."""
        return len(scene.nodes) - 1 - scene.row_of(index)

    def node_at(self, scene: Scene, row: int) -> int:
        """The node of a line."""
        return scene.nodes[row]
