"""What all screens have in common that take each other's place in the app."""

from __future__ import annotations

from textual.screen import Screen


class PageScreen(Screen[None]):
    """A scenario, a file's problems, or the frame of one that is being loaded.

    One of them is in sight, or under the screens that are over it.
    """
