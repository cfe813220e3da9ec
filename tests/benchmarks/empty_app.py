"""An app of Textual's own widgets, with nothing of ours: what every app pays."""

from __future__ import annotations

from textual.app import App, ComposeResult
from textual.widgets import DataTable, Footer, Header, Tree


class Empty(App[None]):
    """A header, a footer, a tree and a table; a key moves in the table."""

    TITLE = "empty"
    BINDINGS = [("s", "down", "step"), ("q", "quit", "quit")]  # noqa: RUF012

    def compose(self) -> ComposeResult:
        """Widgets of Textual's own."""
        yield Header()
        yield Tree("nodes")
        yield DataTable(cursor_type="row")
        yield Footer()

    def on_mount(self) -> None:
        """A few rows."""
        self.query_one(Tree).styles.height = 5
        table = self.query_one(DataTable)
        table.add_columns("node", "value")
        for row in range(50):
            table.add_row(f"row {row}", str(row))

    def action_down(self) -> None:
        """The next row."""
        table = self.query_one(DataTable)
        table.move_cursor(row=(table.cursor_row + 1) % table.row_count)


if __name__ == "__main__":
    Empty().run()
