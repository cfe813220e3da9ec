"""Choosing the scenario to compare with: what is open, the library, the folder, or a typed path."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from typing import ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from bpstep.render.sanitize import visible
from bpstep.tui.draw.books import book_line, fitting
from bpstep.tui.keys import OTHER_KEYS, bindings
from bpstep.tui.screens.once import Once
from bpstep.tui.settled import settled
from bpstep.tui.shelf import Book, shelf
from bpstep.tui.watching import NO_FILE
from bpstep.tui.widgets.about_pane import AboutPane
from bpstep.tui.widgets.key_bar import KeyBar
from bpstep.tui.widgets.too_small import TooSmall

HEAD = "compare with: a name, words of a title, or the path of a file"


class OtherScreen(Once[str | None]):
    """A line to type in, and what fits it. Ends with the path of the highlighted scenario."""

    AUTO_FOCUS = "Input"
    BINDINGS: ClassVar[list[BindingType]] = [
        # The line that is typed in has the focus, and would keep them for itself.
        *(replace(binding, priority=True) for binding in bindings(OTHER_KEYS)),
    ]

    def __init__(self, opened: Iterable[Book]) -> None:
        super().__init__()
        self.books = [*opened, *shelf()]
        self.shown: list[Book] = []

    def compose(self) -> ComposeResult:
        """The line, the list, and the description of the one that is highlighted."""
        yield Static(HEAD, id="head", markup=False)
        line = Input(placeholder="type to find", compact=True, id="wanted")
        line.cursor_blink = False
        yield line
        with Horizontal(id="body"):
            books = OptionList(id="books", markup=False)
            books.can_focus = False
            yield books
            yield AboutPane(id="about")
        yield TooSmall()
        yield KeyBar()

    def on_mount(self) -> None:
        """List all there are."""
        self.fill("")

    def fill(self, wanted: str) -> None:
        """List what fits; the file of that path, if there is one, is the first."""
        path = os.path.expanduser(wanted.strip())
        typed = [Book(path, visible(path), "this file", "")] if os.path.isfile(path) else []
        self.shown = typed + fitting(self.books, wanted)
        width = max((len(book.name) for book in self.shown), default=0)
        books = self.query_one("#books", OptionList)
        books.set_options(Option(book_line(book, width)) for book in self.shown)
        books.highlighted = 0 if self.shown else None
        if not self.shown:
            self.describe(Book("", "", "nothing has that in its name or title, no file", ""))

    def describe(self, book: Book) -> None:
        """Say what a scenario shows."""
        pane = self.query_one(AboutPane)
        pane.border_title = Text(book.title)
        pane.about = book.about
        pane.scroll_home(animate=False)

    @on(Input.Changed)
    def narrowed(self, event: Input.Changed) -> None:
        """Something is being typed."""
        self.fill(event.value)

    @on(OptionList.OptionHighlighted)
    def highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Another scenario: say what it shows."""
        if event.option_index < len(self.shown):
            self.describe(self.shown[event.option_index])

    @on(OptionList.OptionSelected)
    def selected(self, event: OptionList.OptionSelected) -> None:
        """One was clicked."""
        self.dismiss(self.shown[event.option_index].path)

    async def action_choose(self) -> None:
        """The one that is highlighted, once everything is known that was typed."""
        await settled(self.query_one(Input))
        await settled(self.query_one(Input))
        await settled(self)
        chosen = self.query_one("#books", OptionList).highlighted
        if chosen is not None:
            self.dismiss(self.shown[chosen].path)

    def action_move(self, way: str) -> None:
        """Another one is highlighted."""
        books = self.query_one("#books", OptionList)
        # Textual cannot turn a page of a list that is not laid out yet.
        with suppress(KeyError):
            getattr(books, f"action_{way}")()


def opened_book(path: str, name: str, title: str, changed: bool) -> Book:
    """The entry of a scenario that is open; ``changed`` says that leaves of it were changed."""
    said = "open, leaves changed" if changed else "open"
    return Book(path, name, f"{title} ({said})", "As it stands now, with what was changed in it.")


def as_loaded(path: str, name: str, about: str) -> list[Book]:
    """The entry of a session's own file, for one whose leaves were changed."""
    return [] if path == NO_FILE else [Book(path, name, "as its file has it", about)]
