"""How far a long piece of work is, in one line."""

from __future__ import annotations

from rich.text import Text

from bpstep.render import lines as ui
from bpstep.render.lines import cut, line
from bpstep.render.numbers import short
from bpstep.tui.jobs import News

CANCEL = "[Esc cancels]"
DONE, TO_COME = "█", "░"
LEAST_BAR, MOST_BAR = 6, 30
TITLE = 24
"""Columns for what is being done."""

SOON = 1.0
"""Less time than this is not told."""


def progress_line(title: str, news: News, width: int) -> Text:
    """What is done, a bar, the numbers of it, the time that it takes yet, how to call it off."""
    title, told = cut(title, TITLE), _told(news)
    room = width - sum(map(len, (title, told, CANCEL))) - 3
    bar = _bar(news, min(room - 1, MOST_BAR)) if room > LEAST_BAR else ""
    parts = [part for part in (bar, told) if part]
    while parts and len(title) + len(CANCEL) + sum(len(part) + 1 for part in parts) + 1 > width:
        parts.pop()
    shown = line((title, ui.HEADING), *(f" {part}" for part in parts), (f" {CANCEL}", ui.OPEN))
    shown.truncate(max(1, width))
    return shown


def _bar(news: News, width: int) -> str:
    done = round(width * min(1.0, news.done / news.total)) if news.total else 0
    return DONE * done + TO_COME * (width - done)


def _told(news: News) -> str:
    """``differences 120 of 337, 3 s left``."""
    if not news.total:
        return news.what
    left = news.left
    time = f", {duration(left)} left" if left is not None and left >= SOON else ""
    return f"{news.what} {news.done:,} of {news.total:,}{time}".lstrip()


def duration(seconds: float) -> str:
    """A time as people say it: ``7 s``, ``12 min``, ``3 h``."""
    for size, unit, most in ((1, "s", 100), (60, "min", 100), (3600, "h", 48)):
        if seconds < size * most:
            return f"{max(1, round(seconds / size))} {unit}"
    return f"{short(round(seconds / 86400))} days"
