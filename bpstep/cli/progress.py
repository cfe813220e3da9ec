"""How far a long analysis is, on standard error: for whoever watches a terminal, nobody else."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from bpstep.analysis.progress import reporting
from bpstep.render.progress import News, told_text

Item = TypeVar("Item")

PATIENCE = 1.0
"""Seconds in which nothing is said."""

INTERVAL = 0.1
"""Seconds between two lines."""

CLEARED = "\r\x1b[K"


class Telling:
    """One line that is written over, and gone when the analysis is."""

    def __init__(self) -> None:
        self._what, self._since = "", time.monotonic()
        self._next = self._since + PATIENCE
        self._written = False

    def __call__(self, done: int, total: int, what: str) -> None:
        """An analysis has come so far."""
        now = time.monotonic()
        if what != self._what:
            self._what, self._since = what, now
        if now >= self._next:
            self._next, self._written = now + INTERVAL, True
            said = told_text(News(done, total, what, now - self._since))[0]
            sys.stderr.write(f"{CLEARED}{said}")
            sys.stderr.flush()

    def clear(self) -> None:
        """Take the line away."""
        if self._written:
            self._written = False
            sys.stderr.write(CLEARED)
            sys.stderr.flush()

    def before(self, items: Iterable[Item]) -> Iterator[Item]:
        """The same items, the line taken away before each."""
        for item in items:
            self.clear()
            yield item


@contextmanager
def telling() -> Iterator[Telling]:
    """Tell of the analyses inside, if standard error is a terminal that can write a line over."""
    told = Telling()
    if not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        yield told
        return
    try:
        with reporting(told):
            yield told
    finally:
        told.clear()
