"""The keys at the bottom: one widget for all, where Textual's footer has one for each.

Each widget in sight has its cost whenever the screen is painted, and when it first comes up.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate

from rich.text import Text
from textual.binding import ActiveBinding
from textual.events import Click
from textual.reactive import reactive
from textual.screen import Screen

from bpstep.render.lines import line
from bpstep.tui.widgets.line_bar import LineBar

KEY_STYLE = "bold cyan"


@dataclass(frozen=True)
class Shown:
    """A key that is shown: the key to press for it, its sign, and what it does."""

    key: str
    sign: str
    does: str

    @property
    def width(self) -> int:
        """The columns it takes, the space after it included."""
        return len(self.sign) + len(self.does) + 2

    @property
    def drawn(self) -> Text:
        """How it looks."""
        return line((self.sign, KEY_STYLE), " ", self.does, " ")


ALL = Shown("ctrl+p", "^P", "keys")
"""Opens the palette, which has the keys that have no room here, or no label."""


class KeyBar(LineBar):
    """The keys that have an effect now and a label, then the palette; a click on one presses it."""

    DEFAULT_CSS = """
    KeyBar {
        dock: bottom;
        height: 1;
        padding: 0 1;
        color: $footer-foreground;
        background: $footer-background;
    }
    """

    keys: reactive[tuple[Shown, ...]] = reactive(())

    def on_mount(self) -> None:
        """Follow the bindings of the screen."""
        self.screen.bindings_updated_signal.subscribe(self, self.changed)
        self.changed(self.screen)

    def changed(self, screen: Screen[object]) -> None:
        """Other keys may have an effect now."""
        if self.is_attached and screen is self.screen:
            active = screen.active_bindings.values()
            self.keys = tuple(dict.fromkeys(self.shown(each) for each in active if shows(each)))

    def shown(self, active: ActiveBinding) -> Shown:
        """How a binding is shown."""
        binding = active.binding
        return Shown(binding.key, self.app.get_key_display(binding), binding.description)

    @property
    def placed(self) -> list[tuple[int, Shown]]:
        """The keys that have room before the palette, each with the column at which it ends."""
        ends, room = accumulate(key.width for key in self.keys), self.size.width - ALL.width
        placed = zip(ends, self.keys, strict=True)
        return [(end, key) for end, key in placed if end <= room + 1]

    def render(self) -> Text:
        """The line; what has no room before its end is left out."""
        text = Text(no_wrap=True, end="")
        for _, key in self.placed:
            text.append_text(key.drawn)
        text.pad_right(self.size.width - text.cell_len - ALL.width + 1)
        return text.append_text(ALL.drawn)

    def on_click(self, event: Click) -> None:
        """Press the key that was clicked."""
        at = event.get_content_offset(self)
        places = [*self.placed, (self.size.width, ALL)]
        if at is not None and not self.between(at.x):
            self.app.simulate_key(next(key.key for end, key in places if at.x < end))

    def between(self, column: int) -> bool:
        """Whether a column is of the space between the last key and the palette."""
        last = self.placed[-1][0] if self.placed else 0
        return last <= column <= self.size.width - ALL.width


def shows(active: ActiveBinding) -> bool:
    """Whether a key is to be shown."""
    return active.binding.show and active.enabled
