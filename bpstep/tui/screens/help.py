"""Help, made from the declarations of the keys and from the table of commands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.screen import ModalScreen

from bpstep.tui.draw.help import help_lines
from bpstep.tui.keys import DEBUG_KEYS, HELP_KEYS, Key, bindings
from bpstep.tui.widgets.key_bar import KeyBar
from bpstep.tui.widgets.text_pane import TextPane


class HelpScreen(ModalScreen[None]):
    """What the keys, the signs and the commands are."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings(HELP_KEYS)]

    def __init__(self, keys: Sequence[Key] = DEBUG_KEYS) -> None:
        super().__init__()
        self.keys = keys

    def compose(self) -> ComposeResult:
        """The text."""
        pane = TextPane()
        pane.border_title = "help"
        yield pane
        yield KeyBar()

    def on_mount(self) -> None:
        """Write it."""
        self.query_one(TextPane).show(help_lines(self.keys))
