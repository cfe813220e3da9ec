"""A short list of choices, one of them taken: it has a sign, and takes clicks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.text import Text
from textual.events import Click
from textual.geometry import Size
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget

from bpstep.render import lines as ui
from bpstep.render.lines import line
from bpstep.tui.palette import SELECTED


class ChoiceList(Widget):
    """A line for each choice; what moves in it is its screen's to say."""

    DEFAULT_CSS = """
    ChoiceList { height: auto; width: 1fr; text-wrap: nowrap; text-overflow: ellipsis; }
    """

    taken: reactive[int] = reactive(0)

    @dataclass
    class Taken(Message):
        """A choice was clicked."""

        number: int

    def __init__(self, choices: Sequence[tuple[str, str]]) -> None:
        super().__init__()
        self.choices = choices

    def render(self) -> Text:
        """The endings of their files, and the choices."""
        room = max((len(ending) for ending, _ in self.choices), default=0)
        return Text("\n").join(
            self._line(number, f"{ending:<{room}}  ", says)
            for number, (ending, says) in enumerate(self.choices)
        )

    def _line(self, number: int, ending: str, says: str) -> Text:
        taken = number == self.taken
        shown = line(f"{ui.HERE if taken else ' '} ", (ending, ui.NUMBER), says)
        if taken:
            shown.stylize(SELECTED)
        return shown

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """A line a choice."""
        return len(self.choices)

    def on_click(self, event: Click) -> None:
        """Take the choice under the pointer."""
        offset = event.get_content_offset(self)
        if offset is not None and offset.y < len(self.choices):
            self.post_message(self.Taken(offset.y))
