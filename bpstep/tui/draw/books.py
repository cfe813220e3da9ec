"""The library's list: a line for each scenario, and which of them are listed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.text import Text

from bpstep.render.lines import line, padded

if TYPE_CHECKING:
    from bpstep.tui.shelf import Book

WIDEST_NAME = 30


def book_line(book: Book, width: int) -> Text:
    """Name and title; the names take ``width`` columns. What does not fit ends in an ellipsis."""
    name = padded((book.name, "bold"), min(width, WIDEST_NAME))
    text = line(name, "  ", (book.title, "" if book.fine else "red"))
    text.no_wrap, text.overflow = True, "ellipsis"
    return text


def fitting(books: Sequence[Book], wanted: str) -> list[Book]:
    """The scenarios whose names and titles have every one of these words in them."""
    words = wanted.casefold().split()
    return [
        book
        for book in books
        if all(word in f"{book.name} {book.title}".casefold() for word in words)
    ]
