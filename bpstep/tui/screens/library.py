"""The library: scenarios to open, and what each shows."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from typing import ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.message import Message
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from bpstep.tui.draw.books import LEGEND, book_line, fitting, progress_text
from bpstep.tui.keys import BOOK_KEYS, LIBRARY_KEYS, bindings
from bpstep.tui.record import NOTHING_YET, Progress, Record, identity
from bpstep.tui.screens.once import Once
from bpstep.tui.shelf import Book, shelf
from bpstep.tui.widgets.about_pane import AboutPane
from bpstep.tui.widgets.filter_line import FilterLine
from bpstep.tui.widgets.key_bar import KeyBar
from bpstep.tui.widgets.too_small import TooSmall


@dataclass(frozen=True)
class Choice:
    """What was chosen: the path of a scenario, and whether its questions are to be asked."""

    path: str
    learn: bool = False


class Books(OptionList):
    """The list, in which ``j`` and ``k`` move too."""

    class Learn(Message):
        """The highlighted scenario is to be learned."""

    BINDINGS: ClassVar[list[BindingType]] = [
        # The list's own, so that they wait for the arrows that were pressed before.
        *(replace(binding, priority=False) for binding in bindings(BOOK_KEYS)),
        Binding("j", "cursor_down", show=False),
        Binding("k", "cursor_up", show=False),
    ]

    def action_page_up(self) -> None:
        """As Textual's, which cannot turn a page of a list that is not laid out yet."""
        with suppress(KeyError):
            super().action_page_up()  # type: ignore[no-untyped-call]

    def action_page_down(self) -> None:
        """As Textual's, with the same exception."""
        with suppress(KeyError):
            super().action_page_down()  # type: ignore[no-untyped-call]

    def action_learn(self) -> None:
        """Open what is highlighted, to learn from it."""
        if self.highlighted is not None:
            self.post_message(self.Learn())


class LibraryScreen(Once[Choice | None]):
    """Scenarios in teaching order, then those of the working folder. Ends with what was chosen.

    ``record`` says how far each was taken. With ``learning`` whatever is opened asks its questions.
    """

    AUTO_FOCUS = "OptionList"
    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings(LIBRARY_KEYS),
    ]

    def __init__(self, *, leavable: bool, record: Record, learning: bool = False) -> None:
        super().__init__()
        self.leavable = leavable
        self.record = record
        self.learning = learning
        self.books = shelf()
        self.shown: list[Book] = []

    def compose(self) -> ComposeResult:
        """The list, and the description of the one that is highlighted."""
        head = "bpstep   library, to learn" if self.learning else "bpstep   library"
        yield Static(head, id="head", markup=False)
        with Horizontal(id="body"):
            yield Books(id="books", markup=False)
            yield AboutPane(id="about")
        yield TooSmall()
        yield FilterLine()
        yield KeyBar()

    def on_mount(self) -> None:
        """List all there are."""
        self.fill("")

    def fill(self, wanted: str) -> None:
        """List the scenarios that have all these words in their names or titles."""
        self.shown = fitting(self.books, wanted)
        width = max((len(book.name) for book in self.books), default=0)
        books = self.query_one(Books)
        books.set_options(
            Option(book_line(book, width, self.progress(book))) for book in self.shown
        )
        books.highlighted = 0 if self.shown else None
        count = f"{len(self.shown)} of {len(self.books)}" if wanted.strip() else ""
        books.border_subtitle = Text(count or (LEGEND if self.record else ""))
        if not self.shown:
            self.describe("nothing has that in its name or title", "")

    def progress(self, book: Book) -> Progress:
        """How far a scenario was taken."""
        return self.record.get(identity(book.path), NOTHING_YET) if self.record else NOTHING_YET

    def describe(self, title: str, about: str, progress: Progress = NOTHING_YET) -> None:
        """Say what a scenario shows, and how far it was taken."""
        pane = self.query_one(AboutPane)
        pane.border_title = Text(title)
        pane.border_subtitle = Text(progress_text(progress))
        pane.about = about
        pane.scroll_home(animate=False)

    @on(OptionList.OptionHighlighted)
    def highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Another scenario: say what it shows."""
        if event.option_index < len(self.shown):
            book = self.shown[event.option_index]
            self.describe(book.title, book.about, self.progress(book))

    @on(OptionList.OptionSelected)
    def selected(self, event: OptionList.OptionSelected) -> None:
        """One was chosen."""
        self.dismiss(Choice(self.shown[event.option_index].path, self.learning))

    @on(Books.Learn)
    def to_learn(self) -> None:
        """One was chosen, to learn from it."""
        highlighted = self.query_one(Books).highlighted
        if highlighted is not None:
            self.dismiss(Choice(self.shown[highlighted].path, learn=True))

    @on(Input.Changed)
    def narrowed(self, event: Input.Changed) -> None:
        """The filter is being typed."""
        self.fill(event.value)

    @on(FilterLine.Moved)
    def moved(self, event: FilterLine.Moved) -> None:
        """Another line is highlighted while the filter is typed."""
        books = self.query_one(Books)
        (books.action_cursor_down if event.lines > 0 else books.action_cursor_up)()

    @on(FilterLine.Left)
    def left(self, event: FilterLine.Left) -> None:
        """The filter is complete, or given up: keys are the list's again."""
        self.query_one(Books).focus()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """While a filter is typed, keys are text; with nothing open there is no way back."""
        if isinstance(self.focused, Input):
            return False
        return action != "back" or self.leavable or self.query_one(FilterLine).display

    def action_filter(self) -> None:
        """Type what scenarios are to have in their names or titles."""
        self.query_one(FilterLine).open()

    def action_back(self) -> None:
        """Leave without choosing; where the list is narrowed, widen it first."""
        line = self.query_one(FilterLine)
        if line.display:
            line.action_give_up()
        else:
            self.dismiss(None)

    # Keys of the whole app, which are text while a filter is typed.

    def action_help(self) -> None:
        """What the keys do."""
        from bpstep.tui.screens.help import HelpScreen

        self.app.push_screen(HelpScreen((*BOOK_KEYS, *LIBRARY_KEYS)))

    def action_quit(self) -> None:
        """Leave the app."""
        self.app.exit()
