"""How far a long piece of work is, in one line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.cells import cell_len

from bpstep.render import lines as ui
from bpstep.render.lines import cut, line
from bpstep.render.numbers import short

if TYPE_CHECKING:
    from rich.text import Text

CANCEL = "[Esc cancels]"
DONE, TO_COME = "█", "░"
LEAST_BAR, MOST_BAR = 6, 30
TITLE = 24
"""Columns for what is being done."""

SOON = 1.0
"""Less time than this is not told."""


@dataclass(frozen=True)
class News:
    """So much of one part of the work is done, after so many seconds of that part."""

    done: int = 0
    total: int = 0
    what: str = ""
    seconds: float = 0.0

    @property
    def left(self) -> float | None:
        """Seconds that this part will still take, if it goes on as it has; None at its start."""
        if not self.done or not self.total:
            return None
        return self.seconds * (self.total - self.done) / self.done


def progress_line(title: str, news: News, width: int) -> Text:
    """What is done, a bar, the numbers of it, the time that it takes yet, how to call it off.

    Where there is little room, words are left out first.
    """
    title = cut(title, TITLE)
    for told in told_text(news):
        room = width - cell_len(title) - len(told) - len(CANCEL) - 3
        if room >= LEAST_BAR:
            break
    parts = [_bar(news, min(room, MOST_BAR))] if room >= LEAST_BAR and news.total else []
    parts += [told] if told and room >= 0 else []
    shown = line((title, ui.HEADING), *(f" {part}" for part in parts), (f" {CANCEL}", ui.OPEN))
    shown.truncate(max(1, width))
    return shown


def _bar(news: News, width: int) -> str:
    done = round(width * min(1.0, news.done / news.total))
    return DONE * done + TO_COME * (width - done)


def told_text(news: News) -> Sequence[str]:
    """``differences 120 of 337, 3 s left``, and the same in fewer words."""
    if not news.total:
        return (news.what, "")
    count, left = f"{news.done:,} of {news.total:,}", news.left
    time = f", {duration(left)} left" if left is not None and left >= SOON else ""
    return f"{news.what} {count}{time}".lstrip(), f"{count}{time}", count, ""


def duration(seconds: float) -> str:
    """A time as people say it: ``7 s``, ``12 min``, ``3 h``."""
    for size, unit, most in ((1, "s", 100), (60, "min", 100), (3600, "h", 48)):
        if seconds < size * most:
            return f"{max(1, round(seconds / size))} {unit}"
    return f"{short(round(seconds / 86400))} days"
