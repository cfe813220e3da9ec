"""What is shown in place of the panes where there is no room for them."""

from __future__ import annotations

from textual.widgets import Static

FEWEST_COLUMNS, FEWEST_LINES = 40, 14
"""Below this the panes would be frames with nothing in them."""


class TooSmall(Static):
    """Says how much room is needed. Styles put it in place of everything else."""

    DEFAULT_CSS = """
    TooSmall { display: none; height: 1fr; padding: 0 1; content-align: center middle; }
    """

    def __init__(self) -> None:
        super().__init__(
            f"Too small: {FEWEST_COLUMNS}x{FEWEST_LINES} at least, 80x24 is comfortable.",
            markup=False,
        )
