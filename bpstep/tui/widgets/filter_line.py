"""The line in which what a list is narrowed by is typed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.message import Message
from textual.widgets import Input, Static

from bpstep.tui.settled import settled


class FilterLine(Horizontal):
    """Stays in sight as long as the list is narrowed."""

    DEFAULT_CSS = """
    FilterLine { height: 1; background: $panel; }
    FilterLine Static { width: 2; padding: 0 0 0 1; text-style: bold; color: $accent; }
    FilterLine Input { border: none; height: 1; padding: 0; background: $panel; width: 1fr; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "accept", "to the list", key_display="Enter", priority=True),
        Binding("escape", "give_up", "all of them", key_display="Esc", priority=True),
        Binding("down", "move(1)", show=False, priority=True, tooltip="the next scenario"),
        Binding("up", "move(-1)", show=False, priority=True, tooltip="the scenario before"),
    ]

    @dataclass
    class Moved(Message):
        """Another line of the list is wanted."""

        lines: int

    class Left(Message):
        """The list has the keys again."""

    def __init__(self) -> None:
        super().__init__()
        self.display = False

    def compose(self) -> ComposeResult:
        """A sign and the input."""
        yield Static("/", markup=False)
        line = Input(select_on_focus=False, compact=True)
        line.cursor_blink = False
        yield line

    @property
    def input(self) -> Input:
        """The line."""
        return self.query_one(Input)

    def open(self) -> None:
        """Begin to type, after what is there."""
        self.display = True
        # At once, so that a key which follows at once is text.
        self.screen.set_focus(self.input)

    async def action_accept(self) -> None:
        """The list stays as it is."""
        await settled(self.input)
        self.display = bool(self.input.value.strip())
        self.post_message(self.Left())

    def action_give_up(self) -> None:
        """The whole list again."""
        self.input.value = ""
        self.display = False
        self.post_message(self.Left())

    def action_move(self, lines: int) -> None:
        """Another line of the list."""
        self.post_message(self.Moved(lines))
