"""Imports what keys will need, once a page is in sight: no key waits for a file to be read."""

from __future__ import annotations

from contextlib import suppress
from importlib import import_module
from threading import Thread
from typing import TYPE_CHECKING, Final

from bpstep.tui.widgets.detail_tabs import LATE_PANES

if TYPE_CHECKING:
    from textual.app import App

LATER: Final = (
    *LATE_PANES,
    "plotille",
    "rich.markdown",
    "rich.syntax",
    "bpstep.tui.screens.card",
    "bpstep.tui.screens.help",
    "bpstep.tui.screens.library",
    "bpstep.tui.screens.export",
    "bpstep.tui.screens.other",
    "bpstep.tui.screens.compare",
    "bpstep.render.reports",
)
"""What the first screen does without, roughly in the order in which it is asked for."""


def import_ahead(app: App[None]) -> None:
    """Import beside the app. Nobody waits for the thread when the app ends."""
    Thread(target=_import, args=(app,), daemon=True).start()


def _import(app: App[None]) -> None:
    for name in LATER:
        if not app.is_running:
            return
        # What is wrong with a module is told where it is used.
        with suppress(Exception):
            import_module(name)
