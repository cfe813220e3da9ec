"""The library's list: a line for each scenario, and which of them are listed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.text import Text

from bpstep.render import lines as ui
from bpstep.render.lines import Cell, line, padded
from bpstep.tui.record import NOTHING_YET

if TYPE_CHECKING:
    from bpstep.tui.record import Progress
    from bpstep.tui.shelf import Book

WIDEST_NAME = 30


FINISHED, BEGUN = "✓", ui.PARTIAL
LEGEND = f"{FINISHED} finished  {BEGUN} begun"


def book_line(book: Book, width: int, progress: Progress = NOTHING_YET) -> Text:
    """How far it was taken, name and title; the names take ``width`` columns.

    What does not fit ends in an ellipsis.
    """
    name = padded((book.name, "bold"), min(width, WIDEST_NAME))
    text = line(_sign(progress), " ", name, "  ", (book.title, "" if book.fine else "red"))
    text.no_wrap, text.overflow = True, "ellipsis"
    return text


def _sign(progress: Progress) -> Cell:
    if progress.finished:
        return (FINISHED, ui.GOOD)
    return (BEGUN, ui.OPEN) if progress.begun else " "


def progress_text(progress: Progress) -> str:
    """How far a scenario was taken, in words; empty where it was never begun."""
    words = f"{FINISHED} finished" if progress.finished else ""
    if progress.begun and not words:
        words = f"{BEGUN} begun"
    score = progress.learned
    if score is None:
        return words
    return f"{words}, {score.right} of {score.of} questions right at the first try"


def fitting(books: Sequence[Book], wanted: str) -> list[Book]:
    """The scenarios whose names and titles have every one of these words in them."""
    words = wanted.casefold().split()
    return [
        book
        for book in books
        if all(word in f"{book.name} {book.title}".casefold() for word in words)
    ]
