"""How far a long analysis has come, told to whoever asked, who may call it off.

The loops of the analyses call ``advance`` where they know how far they are, and ``breathe`` where
they do not. Without a listener both cost a look-up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TypeVar

Item = TypeVar("Item")

Callback = Callable[[int, int, str], None]
"""Called with what is done, of how much, and what it is; it may raise ``Cancelled``."""

STRIDE = 1024
"""So many short turns of a loop are made between two breaths."""


class Cancelled(Exception):  # noqa: N818
    """A listener called the analysis off. It leaves nothing half done, and may be begun again.

    No fault of a user, and so no BpstepError: only who raises it catches it.
    """


@dataclass
class _Listener:
    """Who is told, and what they were told last."""

    callback: Callback
    done: int = 0
    total: int = 0
    what: str = ""

    def tell(self) -> None:
        """Say it again."""
        self.callback(self.done, self.total, self.what)


_LISTENER: ContextVar[_Listener | None] = ContextVar("listener", default=None)


@contextmanager
def reporting(callback: Callback) -> Iterator[None]:
    """Tell ``callback`` how far the analyses inside come; what it raises comes out of them."""
    token = _LISTENER.set(_Listener(callback))
    try:
        yield
    finally:
        _LISTENER.reset(token)


def advance(done: int, total: int, what: str = "") -> None:
    """So much is done, of so much, of one part of the work; ``what`` names that part."""
    listener = _LISTENER.get()
    if listener is not None:
        listener.done, listener.total, listener.what = done, total, what
        listener.tell()


def breath() -> Callable[[], None] | None:
    """Tells the listener the same again: nothing new, but a moment to be called off.

    None where nobody listens; for loops in which a look-up each turn would be felt.
    """
    listener = _LISTENER.get()
    return None if listener is None else listener.tell


def breathe() -> None:
    """A ``breath``, if anybody listens."""
    if (tell := breath()) is not None:
        tell()


def breathing(items: Iterable[Item], stride: int = STRIDE) -> Iterator[Item]:
    """The same items, with a breath after every ``stride`` of them."""
    for number, item in enumerate(items, 1):
        yield item
        if number % stride == 0:
            breathe()


def counted(items: Iterable[Item], total: int, what: str, stride: int = 1) -> Iterator[Item]:
    """The same items, telling after every ``stride`` of them how many of ``total`` are done."""
    for number, item in enumerate(items, 1):
        yield item
        if number % stride == 0 or number == total:
            advance(number, total, what)
