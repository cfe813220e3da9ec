"""Loads scenarios beside the app, which stays at hand meanwhile: it can be left at any moment."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from threading import Thread
from typing import TYPE_CHECKING

from textual.message import Message

if TYPE_CHECKING:
    from textual.app import App

    from bpstep.tui.document import Document


class Loaded(Message):
    """Everything has been loaded, or a mistake of ours came up."""

    def __init__(self, documents: Sequence[Document], error: BaseException | None = None) -> None:
        super().__init__()
        self._documents = documents
        self._error = error

    def result(self) -> Sequence[Document]:
        """The documents; raises the mistake."""
        if self._error is not None:
            raise self._error
        return self._documents


def load_beside(app: App[None], sources: Sequence[Document | str]) -> None:
    """Load what are paths still; the app is told by a message.

    The thread is one that nobody waits for when the app ends, as is done for a worker's.
    """
    Thread(target=_load, args=(app, sources), daemon=True).start()


def _load(app: App[None], sources: Sequence[Document | str]) -> None:
    try:
        message = Loaded([_opened(each) if isinstance(each, str) else each for each in sources])
    except BaseException as error:  # noqa: BLE001 - raised again in the app
        message = Loaded([], error)
    with suppress(RuntimeError):  # the app has been left
        app.post_message(message)


def _opened(path: str) -> Document:
    """A scenario loaded and run. The module of its page is imported here as well."""
    from bpstep.tui.document import open_path

    import_module("bpstep.tui.screens.debug")
    return open_path(path)
