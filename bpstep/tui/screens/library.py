"""The library: scenarios to open, and what each shows."""

from __future__ import annotations

from typing import ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.widgets import Footer, OptionList, Static
from textual.widgets.option_list import Option

from bpstep.tui.keys import BOOK_KEYS, LIBRARY_KEYS, bindings
from bpstep.tui.screens.once import Once
from bpstep.tui.shelf import Book, shelf
from bpstep.tui.widgets.about_pane import AboutPane

NAME_WIDTH = 24


class Books(OptionList):
    """The list, in which ``j`` and ``k`` move too."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings(BOOK_KEYS),
        Binding("j", "cursor_down", show=False),
        Binding("k", "cursor_up", show=False),
    ]


class LibraryScreen(Once[str | None]):
    """Scenarios in teaching order, then those of the working folder. Ends with the chosen path."""

    AUTO_FOCUS = "OptionList"
    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings(LIBRARY_KEYS),
    ]

    def __init__(self, *, leavable: bool) -> None:
        super().__init__()
        self.leavable = leavable
        self.books = shelf()

    def compose(self) -> ComposeResult:
        """The list, and the description of the one that is highlighted."""
        yield Static("bpstep   library", id="head", markup=False)
        with Horizontal(id="body"):
            yield Books(*map(_option, self.books), id="books", markup=False)
            yield AboutPane(id="about")
        yield Footer(show_command_palette=False, compact=True)

    @on(OptionList.OptionHighlighted)
    def highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Another scenario: say what it shows."""
        book = self.books[event.option_index]
        pane = self.query_one(AboutPane)
        pane.border_title = Text(book.title)
        pane.about = book.about
        pane.scroll_home(animate=False)

    @on(OptionList.OptionSelected)
    def selected(self, event: OptionList.OptionSelected) -> None:
        """One was chosen."""
        self.dismiss(self.books[event.option_index].path)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """With nothing open there is nothing to go back to."""
        return action != "back" or self.leavable

    def action_back(self) -> None:
        """Leave without choosing."""
        self.dismiss(None)


def _option(book: Book) -> Option:
    title = (book.title, "" if book.fine else "red")
    return Option(Text.assemble((f"{book.name:<{NAME_WIDTH}} ", "bold"), title))
