"""Screens that are answered once, however often a key is pressed before they are gone.

Keys that were typed ahead reach a screen after its answer; Textual would take the screen below away
for each of them.
"""

from __future__ import annotations

from contextlib import suppress

from textual.await_complete import AwaitComplete
from textual.command import CommandPalette, Provider
from textual.screen import ModalScreen, Screen, ScreenResultType
from textual.widgets import Input


def _nothing() -> AwaitComplete:
    nothing: AwaitComplete = AwaitComplete.nothing()  # type: ignore[no-untyped-call]
    return nothing


class Once(Screen[ScreenResultType]):
    """A screen whose second answer does nothing."""

    def dismiss(self, result: ScreenResultType | None = None) -> AwaitComplete:
        """As Textual's, where this screen is still the one in sight."""
        return super().dismiss(result) if self.is_current else _nothing()


class OnceOver(ModalScreen[ScreenResultType]):
    """The same over another screen."""

    def dismiss(self, result: ScreenResultType | None = None) -> AwaitComplete:
        """As Textual's, where this screen is still the one in sight."""
        return super().dismiss(result) if self.is_current else _nothing()


class Palette(CommandPalette):
    """Textual's palette of commands, answered once.

    Textual inherits styles from the first base alone, so it cannot be a ``Once`` as well.
    """

    @property
    def _provider_classes(self) -> list[type[Provider]]:  # type: ignore[override]
        """As Textual's, our own first; from a set they come in another order in each process."""
        return sorted(super()._provider_classes, key=_rank)

    def on_mount(self) -> None:
        """Its cursor stands still, as that of every line here."""
        self.query_one(Input).cursor_blink = False

    def dismiss(self, result: None = None) -> AwaitComplete:
        """As Textual's, where the palette is still in sight."""
        return super().dismiss(result) if self.is_current else _nothing()

    def _action_command_list(self, action: str) -> None:
        """As Textual's, which cannot turn a page of a list that is not laid out.

        That is so before it is drawn, and for want of room; the list stays where it is then.
        """
        with suppress(KeyError):
            super()._action_command_list(action)


def _rank(provider: type[Provider]) -> tuple[bool, str, str]:
    module = provider.__module__
    return module.startswith("textual."), module, provider.__qualname__
