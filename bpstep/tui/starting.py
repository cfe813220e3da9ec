"""The start of the app: a frame first, then what takes time; keys typed meanwhile are not lost.

The engine, the loader and the pages are imported after the first screen has been painted.
"""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from textual.events import Event, Key, Paste
from textual.widget import AwaitMount

from bpstep.tui.loading import Loaded, load_beside
from bpstep.tui.remembering import RememberingApp
from bpstep.tui.screens.opening import OpeningScreen
from bpstep.tui.settled import settled

if TYPE_CHECKING:
    from bpstep.tui.document import Document

LEAVING = {"q", "ctrl+c"}
"""Keys that end the app while it is loading."""
PATIENCE = 1.0
"""Seconds to wait for a widget that may have been closed by a key."""
BEGIN_LINE = {"colon", "slash"}
"""Keys after which those that end the app are text."""


class StartingApp(RememberingApp):
    """Shows what is loaded when it is; what is a path still is loaded while a frame is in sight."""

    def __init__(self) -> None:
        super().__init__()
        self._held: list[Event] | None = None

    def receive(self, documents: Sequence[Document]) -> None:
        """Show the pages of what has been loaded."""
        raise NotImplementedError

    @property
    def starting(self) -> bool:
        """Whether files are being loaded, or what was typed meanwhile is still to be done."""
        return self._held is not None

    def start(self, sources: Sequence[Document | str]) -> None:
        """Open documents, and the files at paths."""
        paths = [each for each in sources if isinstance(each, str)]
        if paths:
            self._held = []
            frame = OpeningScreen(paths[0])
            self.push_screen(frame)
            frame.call_after_refresh(load_beside, self, sources)
        else:
            self.receive([each for each in sources if not isinstance(each, str)])

    def on_loaded(self, event: Loaded) -> None:
        """Show the pages, and do what was typed meanwhile."""
        self.receive(event.result())
        # Else every search for garbage goes through the graphs: 0.1 s at 100,000 nodes.
        gc.freeze()
        self.screen.call_after_refresh(self.prepare)
        self.run_worker(self._type_held())

    def prepare(self) -> None:
        """The first page is in sight."""
        from bpstep.tui.ahead import import_ahead

        import_ahead(self)

    async def on_event(self, event: Event) -> None:
        """As Textual's; what is typed before there is a page is held for it."""
        typed = isinstance(event, Key | Paste) and not event.is_forwarded
        if self._held is not None and typed and not self._leaves(event):
            self._held.append(event)
        else:
            await self._pass_on(event, typed)

    async def _pass_on(self, event: Event, typed: bool) -> None:
        """Hand an event on; one that was typed once the screen that is to take it is whole.

        Keys of ours are the screen's before they are a line's, and so do not wait in its queue.
        """
        if typed and not self.screen.is_mounted:
            await AwaitMount(self.screen, [self.screen])
        await super().on_event(event)

    def _leaves(self, event: Event) -> bool:
        """Whether a key ends the app; in a line that is typed ahead it does not."""
        in_line = any(isinstance(each, Key) and each.key in BEGIN_LINE for each in self._held or ())
        return isinstance(event, Key) and event.key in LEAVING and not in_line

    async def _type_held(self) -> None:
        """Give the page what was typed, each when the one before has been dealt with."""
        while self._held:
            event, receiver = self._held.pop(0), self.focused or self.screen
            await self._pass_on(event, typed=True)
            for node in receiver.ancestors_with_self:  # the way that a key takes
                with suppress(TimeoutError):
                    await asyncio.wait_for(settled(node), PATIENCE)
        self._held = None
