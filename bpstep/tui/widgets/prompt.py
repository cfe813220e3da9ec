"""The line at the bottom in which commands, and names to find, are typed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.widgets import Input, Static
from textual.widgets.input import Selection

from bpstep.tui.completion import CommandSuggester, candidates, word_start
from bpstep.tui.draw.choices import choices_line
from bpstep.tui.editing import value_start
from bpstep.tui.settled import settled

Mode = Literal["command", "find"]
SIGNS: dict[Mode, str] = {"command": ":", "find": "/"}


@dataclass(frozen=True)
class Choices:
    """What a line may become, one of them taken; they differ from column ``start`` on.

    Of ``changes``, the value is what is to be typed.
    """

    lines: tuple[str, ...] = ()
    start: int = 0
    taken: int = 0
    changes: bool = False

    @property
    def line(self) -> str | None:
        """The one that is taken."""
        return self.lines[self.taken] if self.lines else None

    @property
    def words(self) -> list[str]:
        """What differs in them."""
        return [line[self.start :] for line in self.lines]

    def turned(self, step: int) -> Choices:
        """With the next taken, or the one before."""
        return replace(self, taken=(self.taken + step) % max(1, len(self.lines)))

    def beginning(self, line: str, step: int) -> Choices:
        """With the first taken, or the last: not the one that is there already."""
        begun = self if step > 0 else self.turned(step)
        return begun.turned(step) if begun.line == line else begun


class Prompt(Vertical):
    """A line to type in, with history and completion, and room for what is wrong with it."""

    DEFAULT_CSS = """
    Prompt { height: auto; background: $panel; }
    Prompt Horizontal { height: 1; }
    Prompt #sign { width: 2; padding: 0 0 0 1; text-style: bold; color: $accent; }
    Prompt Input { border: none; height: 1; padding: 0; background: $panel; width: 1fr; }
    Prompt #fault { height: auto; max-height: 8; padding: 0 1; color: $error; display: none; }
    Prompt.-wrong #fault { display: block; }
    Prompt #choices { height: 1; padding: 0 1; display: none; }
    Prompt.-choosing #choices { display: block; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "enter", "accept", key_display="Enter", priority=True),
        Binding("tab", "complete(1)", "complete", key_display="Tab", priority=True),
        Binding(
            "shift+tab",
            "complete(-1)",
            "completion before",
            show=False,
            priority=True,
            tooltip="the completion before",
        ),
        Binding(
            "up", "recall(-1)", "line before", show=False, priority=True, tooltip="the line before"
        ),
        Binding(
            "down", "recall(1)", "line after", show=False, priority=True, tooltip="the line after"
        ),
        Binding("escape", "close", "leave", key_display="Esc", priority=True),
    ]

    @dataclass
    class Entered(Message):
        """A line was entered."""

        mode: Mode
        text: str

    @dataclass
    class Typed(Message):
        """A line changed while it is being typed."""

        mode: Mode
        text: str

    @dataclass
    class Closed(Message):
        """The line was left without entering it."""

        mode: Mode

    def __init__(self, commands: Sequence[str], id: str | None = None) -> None:
        super().__init__(id=id)
        self.mode: Mode = "command"
        self.history: list[str] = []
        self.recalled = 0
        self.draft = ""
        self.suggester = CommandSuggester(commands)
        self.choices = Choices()
        self.display = False

    def compose(self) -> ComposeResult:
        """The sign of the mode, the input, and the fault."""
        with Horizontal():
            yield Static(SIGNS[self.mode], id="sign", markup=False)
            line = Input(suggester=self.suggester, select_on_focus=False, compact=True)
            line.cursor_blink = False
            yield line
        yield Static(id="choices", markup=False)
        yield Static(id="fault", markup=False)

    @property
    def is_open(self) -> bool:
        """Whether a line is being typed."""
        return self.display

    @property
    def input(self) -> Input:
        """The line."""
        return self.query_one(Input)

    def open(self, mode: Mode, text: str = "", names: Sequence[str] = ()) -> None:
        """Begin a line, with some text in it; ``names`` are what it may be completed with."""
        self.mode = mode
        self.suggester.names = names
        self.query_one("#sign", Static).update(SIGNS[mode])
        self.input.suggester = self.suggester if mode == "command" else None
        self.input.value = text
        self.input.cursor_position = len(text)
        self.recalled, self.draft = len(self.history), text
        self.clear_fault()
        self.choose(Choices())
        self.display = True
        # At once, so that a key which follows at once is text.
        self.screen.set_focus(self.input)

    def offer(self, lines: Sequence[str], names: Sequence[str] = ()) -> None:
        """Begin a change: the first of these lines, its value selected; Tab goes on to the next."""
        self.open("command", lines[0], names)
        self.choose(Choices(tuple(lines), len("set "), changes=True))
        self.select_value()

    def select_value(self) -> None:
        """What is typed takes the place of the value."""
        line = self.input.value
        self.input.selection = Selection(value_start(line), len(line))

    def close(self) -> None:
        """Put the line away."""
        self.screen.set_focus(None)
        self.display = False
        self.clear_fault()
        self.choose(Choices())

    def fail(self, message: str) -> None:
        """Say what is wrong with the line, which stays to be corrected."""
        self.query_one("#fault", Static).update(Text(message, no_wrap=False))
        self.add_class("-wrong")

    def clear_fault(self) -> None:
        """What was wrong is being corrected."""
        self.remove_class("-wrong")

    @on(Input.Changed)
    def type(self, event: Input.Changed) -> None:
        """The line is being typed."""
        event.stop()
        if self.is_open:
            self.clear_fault()
            if self.input.value != self.choices.line:
                self.choose(Choices())
            self.post_message(self.Typed(self.mode, event.value))

    async def action_enter(self) -> None:
        """The line is complete. The next key waits until it has been dealt with."""
        await self.settled_line()
        line = self.input.value
        if self.mode == "command" and line.strip():
            self.history = [*(old for old in self.history if old != line), line]
        self.recalled = len(self.history)
        self.post_message(self.Entered(self.mode, line))
        await settled(self)
        await settled(self.screen)

    async def settled_line(self) -> None:
        """Wait for what was typed, and for those who follow it."""
        await settled(self.input)
        await settled(self.input)
        await settled(self)
        await settled(self.screen)

    def action_close(self) -> None:
        """Leave the line."""
        self.close()
        self.post_message(self.Closed(self.mode))

    async def action_recall(self, step: int) -> None:
        """An older line, or a newer one; after the newest, what was being typed."""
        await settled(self.input)
        if self.mode != "command":
            return
        if self.recalled == len(self.history):
            self.draft = self.input.value
        self.recalled = min(max(self.recalled + step, 0), len(self.history))
        lines = [*self.history, self.draft]
        self.input.value = lines[self.recalled]
        self.input.cursor_position = len(self.input.value)

    async def action_complete(self, step: int) -> None:
        """Complete the last word with the first that fits; again, with the next of them."""
        await settled(self.input)
        if self.mode != "command":
            return
        line = self.input.value
        if self.choices.line == line:
            self.choose(self.choices.turned(step))
        else:
            found = candidates(line, self.suggester.commands, self.suggester.names)
            self.choose(Choices(tuple(found), word_start(line)).beginning(line, step))
        self.input.value = self.choices.line or line
        self.input.action_end()
        if self.choices.changes:
            self.select_value()

    def choose(self, choices: Choices) -> None:
        """List what a word may become, the one that is taken marked; of one there is no list."""
        self.choices = choices
        self.set_class(len(choices.lines) > 1, "-choosing")
        if len(choices.lines) > 1:
            shown = choices_line(choices.words, choices.taken, self.screen.size.width - 2)
            self.query_one("#choices", Static).update(shown)
