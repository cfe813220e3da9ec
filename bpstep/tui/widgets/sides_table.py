"""The nodes of two runs in lines, drawn one visible line at a time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from rich.text import Text
from textual.binding import Binding, BindingType
from textual.events import Click
from textual.geometry import Size
from textual.message import Message
from textual.reactive import reactive

from bpstep.tui.draw.sides import table_heads, table_line, table_title
from bpstep.tui.sides import Sides
from bpstep.tui.widgets.painted import PaintedPane


class SidesTable(PaintedPane, can_focus=True):
    """A line for each node, its halves the two runs. The selected one is kept in sight."""

    HEADS = 1

    DEFAULT_CSS = """
    SidesTable { scrollbar-size-vertical: 1; overflow-x: hidden; scrollbar-gutter: stable; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down", "move(1)", "next line", show=False),
        Binding("up", "move(-1)", "line before", show=False),
        Binding("pagedown,space", "page(1)", "a page down", show=False),
        Binding("pageup", "page(-1)", "a page up", show=False),
        Binding("home", "edge(-1)", "first line", show=False),
        Binding("end", "edge(1)", "last line", show=False),
        Binding("left,right", "move(0)", "nothing: lines are cut", show=False),
    ]

    sides: reactive[Sides | None] = reactive(None, repaint=False)

    @dataclass
    class Moved(Message):
        """The selection is to be so many lines further down."""

        lines: int

    def watch_sides(self) -> None:
        """Another step, selection or list: paint the lines that differ."""
        if self.sides is None or self.postponed():
            return
        self.extend(Size(self.size.width, len(self.sides.listed) + self.HEADS))
        self.write_frame(table_title(self.sides))
        self.keep_in_sight()
        self.repaint()

    def placed(self) -> None:
        """The selected line stays in sight."""
        self.watch_sides()

    def keep_in_sight(self) -> None:
        """Scroll no further than needed for the selected line to be seen."""
        height = self.scrollable_content_region.height - self.HEADS
        if self.sides is None or self.sides.selected is None or height <= 0:
            return
        row, top = self.sides.line_of_selected(), round(self.scroll_offset.y)
        if row < top:
            self.scroll_to(y=max(0, row - height // 4), animate=False)
        elif row >= top + height:
            self.scroll_to(y=row - height + 1 + height // 4, animate=False)

    def head(self, row: int) -> Text:
        """What stands in the columns."""
        return table_heads(self.scrollable_content_region.width)

    def line(self, row: int) -> Text:
        """The line of a node."""
        if self.sides is None or row >= len(self.sides.listed):
            return Text()
        return table_line(self.sides, self.sides.listed[row], self.scrollable_content_region.width)

    def on_click(self, event: Click) -> None:
        """A click chooses a line."""
        if self.sides is not None:
            number = event.y - self.gutter.top - self.HEADS + round(self.scroll_offset.y)
            if 0 <= number < len(self.sides.listed):
                self.action_move(number - self.sides.line_of_selected())

    def action_move(self, lines: int) -> None:
        """Choose a line further down or up."""
        self.post_message(self.Moved(lines))

    def action_page(self, pages: int) -> None:
        """Choose a line a page away."""
        self.action_move(pages * max(1, self.size.height - self.HEADS - 1))

    def action_edge(self, way: int) -> None:
        """Choose the first line, or the last."""
        if self.sides is not None:
            self.action_move(way * len(self.sides.listed))
