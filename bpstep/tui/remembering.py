"""What the app remembers between runs: the theme, and how far scenarios were taken."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

from textual.app import App, SystemCommand
from textual.command import Provider
from textual.filter import LineFilter
from textual.reactive import Reactive
from textual.screen import Screen
from textual.theme import ThemeProvider

from bpstep.tui.ansi_filter import MarkFilter
from bpstep.tui.palette import ANSI_DARK, ANSI_LIGHT, OWN_THEMES
from bpstep.tui.palette_keys import KeyCommands
from bpstep.tui.screens.once import Palette
from bpstep.tui.settings import Settings, load_settings, save_settings

if TYPE_CHECKING:
    from bpstep.tui.record import Progress
    from bpstep.tui.recorder import Recorder
    from bpstep.tui.scene import Scene


LEFT_OUT = ("Keys", "Screenshot")
"""The help and the export do what these would."""


class RememberingApp(App[None]):
    """Begins with the theme that was chosen last, and writes down what is finished."""

    COMMANDS: ClassVar[set[type[Provider] | Callable[[], type[Provider]]]] = {
        *App.COMMANDS,
        KeyCommands,
    }

    # Given to instances, they would have all styles read again.
    ansi_theme_dark = Reactive(ANSI_DARK, init=False)
    ansi_theme_light = Reactive(ANSI_LIGHT, init=False)

    def __init__(self) -> None:
        # With colours left to the terminal, Textual's answer to NO_COLOR is to send none at all;
        # otherwise it sends shades of grey.
        super().__init__(ansi_color=True if os.environ.get("NO_COLOR") else None)
        self._remembered: Settings | None = None
        self._complaints: set[str] = set()
        self._recall()

    def on_mount(self) -> None:
        """Say what could not be read."""
        self.complain(self._unread)

    @cached_property
    def recorder(self) -> Recorder:
        """Keeps the record; it knows scenarios, and so comes after the first screen."""
        from bpstep.tui.recorder import Recorder

        return Recorder()

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """Textual's own entries of the palette; ours stand in place of some of them."""
        own = super().get_system_commands(screen)
        return (command for command in own if command.title not in LEFT_OUT)

    def get_line_filters(self) -> Sequence[LineFilter]:
        """What every line goes through on its way to the screen."""
        marked = [MarkFilter()] if self.native_ansi_color else []
        return [*marked, *super().get_line_filters()]

    def _recall(self) -> None:
        """Take up the theme that was chosen last; one that there is no longer is the usual one.

        Before anything is styled: another theme has all styles read again.
        """
        for theme in OWN_THEMES:
            self.register_theme(theme)
        settings, self._unread = load_settings()
        known = settings.theme in self.available_themes
        self.theme = settings.theme if settings.theme and known else OWN_THEMES[0].name
        self._remembered = settings

    def watch_theme(self, theme: str) -> None:
        """Another theme: the next run begins with it."""
        if self._remembered is not None and theme != self._remembered.theme:
            self._remembered = Settings(theme)
            self.complain(save_settings(self._remembered))

    def search_themes(self) -> None:
        """Textual's palette of themes, answered once."""
        self.push_screen(Palette(providers=[ThemeProvider], placeholder="find a theme"))

    def moved(self, path: str, scene: Scene | None) -> None:
        """A scenario was stepped through: write down how far."""
        from bpstep.tui.recorder import progress_of

        if scene is not None:
            self.write_down(path, progress_of(scene.session))

    def write_down(self, path: str, progress: Progress) -> None:
        """Record how far a scenario was taken."""
        self.complain(self.recorder.note(path, progress))

    def complain(self, said: str | None) -> None:
        """Say what cannot be read or written; once, for the app is of use all the same."""
        if said is not None and said not in self._complaints:
            self._complaints.add(said)
            self.notify(said, severity="warning", markup=False)
