"""The graph, drawn in boxes and lines: it scrolls, follows, and can be walked over and clicked."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, cast

from rich.text import Text
from textual.binding import Binding, BindingType
from textual.events import Click
from textual.geometry import Offset, Region, Size, Spacing
from textual.reactive import reactive

from bpstep.engine.graph import Graph
from bpstep.render.drawing.painter import Painter
from bpstep.render.drawing.scenes import Picture, picture
from bpstep.render.drawing.shape import Direction, Style
from bpstep.tui.scene import Scene
from bpstep.tui.widgets.choosing import NodeChosen, NodeOpened
from bpstep.tui.widgets.painted import PaintedPane

if TYPE_CHECKING:
    from bpstep.tui.app import BpstepApp

MARGIN = Spacing(2, 3, 2, 3)
"""So much round the selected node is in sight as well."""

MOST_FRAMED = 150
"""A larger graph is drawn in part."""
PART = Size(70, 30)
"""Room in which most of what is drawn of a large graph can be seen with frames."""


class GraphPane(PaintedPane, can_focus=True):
    """The whole graph; of one that is too large to draw, the neighbourhood of the selected node."""

    BORDER_TITLE = "graph"

    DEFAULT_CSS = """
    GraphPane { scrollbar-size: 1 1; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "walk('left')", "node to the left", show=False),
        Binding("right", "walk('right')", "node to the right", show=False),
        Binding("up", "walk('up')", "node above", show=False),
        Binding("down", "walk('down')", "node below", show=False),
        Binding("pagedown,space", "page(1)", "a page down", show=False),
        Binding("pageup", "page(-1)", "a page up", show=False),
        Binding("home", "edge(0)", "the top", show=False),
        Binding("end", "edge(1)", "the bottom", show=False),
    ]

    scene: reactive[Scene | None] = reactive(None, repaint=False)

    picture: Picture | None = None

    _fitted: tuple[Graph | None, Size] = (None, Size(0, 0))
    _framed = False

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._painter = Painter()

    def watch_scene(self) -> None:
        """Another position, selection or graph."""
        if self.scene is None or self.postponed():
            return
        shown = self.picture = self.drawn(self.scene)
        if shown is not None:
            self.extend(Size(shown.layout.width, shown.layout.height))
            self.tell("" if shown.whole else f"{shown.shown:,} of {shown.total:,} nodes")
            self.keep_in_sight(self.scene)
        self.repaint()

    def tell(self, remark: str) -> None:
        """Say in the frame how much of the graph is drawn."""
        if self.border_subtitle != remark:
            self.border_subtitle = remark

    def placed(self) -> None:
        """What fits may be another style; the selected node stays in sight."""
        self.watch_scene()

    def drawn(self, scene: Scene) -> Picture | None:
        """The picture, with frames round the boxes where all of it has room then.

        Whether it has is looked up once for a graph and a size: boxes keep theirs.
        """
        fitted = (scene.session.graph, self.container_size)
        if fitted != self._fitted:
            self._fitted, self._framed = fitted, self._has_room(scene)
        return picture(scene.session, scene.selected, self.style(framed=self._framed))

    def _has_room(self, scene: Scene) -> bool:
        room = self.container_size
        if len(scene.nodes) > MOST_FRAMED:
            return room.width >= PART.width and room.height >= PART.height
        framed = picture(scene.session, scene.selected, self.style(framed=True))
        return framed is not None and (
            framed.layout.width <= room.width and framed.layout.height <= room.height
        )

    def style(self, framed: bool) -> Style:
        """How boxes and lines are drawn."""
        return Style(framed=framed, ascii=cast("BpstepApp", self.app).ascii)

    def keep_in_sight(self, scene: Scene) -> None:
        """Scroll no further than needed for the selected node to be seen, and what is round it."""
        box = None
        if self.picture is not None and scene.selected is not None:
            box = self.picture.layout.regions.get(scene.selected)
        if box is not None:
            region = Region(box.x, box.y, box.width, box.height).grow(MARGIN)
            self.scroll_to_region(region, animate=False, force=True, immediate=True)

    @property
    def left_edge(self) -> int:
        """Columns before a picture that is narrower than the pane."""
        return max(0, (self.scrollable_content_region.width - self.virtual_size.width) // 2)

    def line(self, row: int) -> Text:
        """A line of the picture."""
        shown = self.picture
        if shown is None or row >= shown.layout.height:
            return Text()
        text = self._painter.line(shown, row).copy()
        text.pad_left(self.left_edge)
        return text

    # What the user does.

    def beside(self, scene: Scene, direction: Direction) -> int | None:
        """The node that stands beside the selected one in a direction."""
        if scene.selected is None:
            return None
        if self.picture is None or self.scene is not scene:
            self.picture = self.drawn(scene)
        if self.picture is None or scene.selected not in self.picture.layout.regions:
            return None
        return self.picture.layout.neighbour(scene.selected, direction)

    def node_at(self, at: Offset) -> int | None:
        """The node whose box is at an offset in the pane."""
        if self.picture is None:
            return None
        column = at.x - self.left_edge + round(self.scroll_offset.x)
        return self.picture.layout.box_at(column, at.y + round(self.scroll_offset.y))

    def on_click(self, event: Click) -> None:
        """A click chooses a node, a second one opens it."""
        at = event.get_content_offset(self)
        index = None if at is None else self.node_at(at)
        if index is not None:
            self.post_message(NodeOpened(index) if event.chain > 1 else NodeChosen(index))

    def action_walk(self, direction: Direction) -> None:
        """Choose the node beside the selected one."""
        beside = None if self.scene is None else self.beside(self.scene, direction)
        if beside is not None:
            self.post_message(NodeChosen(beside))

    def action_page(self, pages: int) -> None:
        """Scroll by pages."""
        lines = max(1, self.scrollable_content_region.height - 1)
        self.scroll_relative(y=pages * lines, animate=False)

    def action_edge(self, last: int) -> None:
        """Scroll to the top, or the bottom."""
        self.scroll_to(y=self.max_scroll_y if last else 0, animate=False)
