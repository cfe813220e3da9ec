"""Lines laid out for the width that the layout gives them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from rich.text import Text
from textual.geometry import Size
from textual.strip import Strip
from textual.widget import Widget

Make = Callable[[int], Iterable[Text]]
"""Makes lines for a number of columns."""


class LinesView(Widget):
    """Lines made while the layout is: for the width they will really have, never for an older one.

    Sentences are wrapped. So are rows of tables, unless ``tables`` says that they keep their shape,
    for what holds this to scroll sideways.
    """

    DEFAULT_CSS = """
    LinesView { width: auto; height: auto; }
    """

    def __init__(self, tables: bool) -> None:
        super().__init__()
        self.tables = tables
        self._make: Make = lambda width: ()
        self._room = 0
        self._laid: Sequence[Text] | None = None

    def show(self, make: Make) -> None:
        """Show other lines."""
        self._make, self._laid = make, None
        self.refresh(layout=True)

    @property
    def laid(self) -> Sequence[Text]:
        """The lines, in the columns there were at the last layout."""
        if self._laid is None:
            room = self._room
            self._laid = [part for line in self._make(room) for part in self._fitted(line, room)]
        return self._laid

    def row_of(self, sign: str) -> int | None:
        """The first line that begins with a sign."""
        rows = (row for row, line in enumerate(self.laid) if line.plain.startswith(sign))
        return next(rows, None)

    def get_content_width(self, container: Size, viewport: Size) -> int:
        """The columns there are, or those of the longest row of a table."""
        self._given(container.width)
        return max([container.width, *(line.cell_len for line in self.laid)])

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """The number of lines."""
        self._given(container.width)
        return len(self.laid)

    def _given(self, room: int) -> None:
        if room != self._room:
            self._room, self._laid = room, None

    def render_line(self, y: int) -> Strip:
        """One line."""
        width = self.size.width
        if y >= len(self.laid):
            return Strip.blank(width, self.rich_style)
        strip = Strip(self.laid[y].render(self.app.console))
        return strip.adjust_cell_length(width).apply_style(self.rich_style)

    def _fitted(self, line: Text, width: int) -> Iterable[Text]:
        if width <= 0 or line.cell_len <= width or (self.tables and is_row(line)):
            return (line,)
        return line.wrap(self.app.console, width)


def is_row(line: Text) -> bool:
    """Whether a line is a row of a table: its cells are two spaces apart, or more."""
    return "  " in line.plain.strip()
