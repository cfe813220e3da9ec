"""A pane of text that scrolls."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.widgets import Static

from bpstep.tui.widgets.scroll_keys import SCROLL_KEYS, ScrollKeys


class TextPane(ScrollKeys, VerticalScroll, can_focus=True):
    """Lines of text, wrapped where they are too long."""

    DEFAULT_CSS = """
    TextPane { scrollbar-size-vertical: 1; }
    TextPane > Static { width: 1fr; height: auto; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        *SCROLL_KEYS,
        Binding("left,right", "line(0)", "nothing: lines are wrapped", show=False),
    ]

    def compose(self) -> ComposeResult:
        """One text."""
        yield Static(markup=False)

    def show(self, lines: Iterable[Text]) -> None:
        """Replace the text."""
        if self.is_mounted:
            self.query_one(Static).update(Text("\n").join(lines))
