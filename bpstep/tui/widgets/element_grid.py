"""The elements of a node, value and gradient side by side, with a cursor on one of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.text import Text
from textual.events import Click
from textual.geometry import Size
from textual.message import Message
from textual.reactive import reactive

from bpstep.analysis.elements import element
from bpstep.render.card import gradient_head
from bpstep.render.lines import line
from bpstep.render.numbers import compact
from bpstep.render.sums import element_name
from bpstep.tui.draw.grid import Columns, Grid, Index, index_line, row_line, title_line
from bpstep.tui.draw.status import counted
from bpstep.tui.widgets.painted import PaintedPane

if TYPE_CHECKING:
    from bpstep.session.card import Card

HEADS = 2
"""Lines at the top that do not scroll."""


class ElementGrid(PaintedPane, can_focus=True, inherit_bindings=False):
    """Drawn one line at a time: a tensor of any size opens at once."""

    HEADS = HEADS

    DEFAULT_CSS = """
    ElementGrid { scrollbar-size-vertical: 1; overflow-x: hidden; scrollbar-gutter: stable; }
    """

    cursor: reactive[Index] = reactive((), repaint=False)
    count: reactive[str] = reactive("", repaint=False)

    @dataclass
    class Opened(Message):
        """An element is asked for."""

        index: Index

    def __init__(self, card: Card) -> None:
        super().__init__()
        self.card = card
        self.grid = Grid(card.shape)
        self.first = 0
        self.set_reactive(ElementGrid.cursor, (0,) * len(card.shape))

    def on_mount(self) -> None:
        """Show where the cursor is."""
        self.watch_cursor()

    def placed(self) -> None:
        """The cursor stays in sight."""
        self.watch_cursor()

    @property
    def columns(self) -> Columns:
        """How the width is shared."""
        column = self.grid.place(self.cursor)[1]
        width = self.scrollable_content_region.width
        return Columns.fitting(self.grid, width, column, self.first)

    def watch_cursor(self) -> None:
        """Another element: say what it is, scroll no further than needed, paint what differs."""
        if not self.is_mounted or self.postponed():
            return
        self.extend(Size(self.size.width, self.grid.rows + HEADS))
        self.first = self.columns.first
        row, height = self.grid.place(self.cursor)[0], self.size.height - HEADS
        top = round(self.scroll_offset.y)
        if height > 0 and not top <= row < top + height:
            self.scroll_to(y=row if row < top else row - height + 1, animate=False, immediate=True)
        self.watch_count()
        self.repaint()

    def watch_count(self) -> None:
        """Digits before a key stand in the frame."""
        self.write_frame(counted("elements", self.count), self.said())

    def said(self) -> Text:
        """The element under the cursor."""
        name = element_name(self.card.row.name, self.cursor)
        value, grad = self.card.row.value, self.card.row.grad
        arrived = "no gradient yet"
        if grad is not None:
            arrived = f"gradient {compact(element(grad, self.cursor))}"
        return line(f"{name}  value {compact(element(value, self.cursor))}  {arrived}")

    def head(self, row: int) -> Text:
        """What the columns are."""
        if row:
            return index_line(self.grid, self.columns)
        return title_line(self.columns, gradient_head(self.card.row))

    def line(self, row: int) -> Text:
        """A row of elements."""
        if row >= self.grid.rows:
            return Text()
        shown = self.card.row
        return row_line(self.grid, self.columns, row, self.cursor, shown.value, shown.grad)

    # What the user does.

    def move(self, down: int, right: int) -> None:
        """The cursor to another element."""
        self.cursor = self.grid.moved(self.cursor, down, right)

    def page(self, pages: int) -> None:
        """The cursor a page further."""
        row, column = self.grid.place(self.cursor)
        rows = pages * max(1, self.size.height - HEADS - 1)
        self.cursor = self.grid.index(row + rows, column)

    def edge(self, last: bool) -> None:
        """The cursor to the first element, or the last."""
        rows, columns = (self.grid.rows, self.grid.columns) if last else (0, 0)
        self.cursor = self.grid.index(rows, columns)

    def on_click(self, event: Click) -> None:
        """A click moves the cursor, a second one opens the element."""
        offset = event.get_content_offset(self)
        if offset is None or offset.y < HEADS:
            return
        row = offset.y - HEADS + round(self.scroll_offset.y)
        if row < self.grid.rows:
            self.cursor = self.grid.index(row, self.columns.column_at(offset.x))
            if event.chain > 1:
                self.post_message(self.Opened(self.cursor))
