"""The app: what is open, and which of it is in sight."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, TypeAlias

from textual.filter import LineFilter

from bpstep.tui.ascii_filter import AsciiFilter
from bpstep.tui.screens.once import Palette
from bpstep.tui.screens.page import PageScreen
from bpstep.tui.starting import StartingApp
from bpstep.tui.watching import EVERY, look_at_files
from bpstep.tui.widgets.too_small import FEWEST_COLUMNS, FEWEST_LINES

if TYPE_CHECKING:
    from bpstep.tui.document import Document
    from bpstep.tui.screens.debug import DebugScreen
    from bpstep.tui.screens.learn import LearnScreen
    from bpstep.tui.screens.library import Choice
    from bpstep.tui.screens.problems import ProblemScreen

    Page: TypeAlias = DebugScreen | ProblemScreen


ALONE = "Only this one is open. The library, o, opens another."


class BpstepApp(StartingApp):
    """A page for each open scenario, one of them in sight; without any, the library.

    Documents that are paths still it loads itself. With ``learning`` scenarios ask their questions.
    """

    TITLE = "bpstep"
    CSS_PATH = "styles.tcss"
    # Textual does not declare these as class variables.
    HORIZONTAL_BREAKPOINTS = [  # noqa: RUF012
        (0, "-tiny"),
        (FEWEST_COLUMNS, "-narrow"),
        (64, "-normal"),
        (100, "-wide"),
    ]
    VERTICAL_BREAKPOINTS = [(0, "-flat"), (FEWEST_LINES, "-low"), (30, "-high")]  # noqa: RUF012

    def __init__(
        self,
        documents: Sequence[Document | str] = (),
        ascii: bool = False,
        learning: bool = False,
    ) -> None:
        super().__init__()
        self.documents = documents
        self.learning = learning
        self.ascii = ascii
        self._last_filters = [AsciiFilter()] if ascii else []
        self.pages: list[Page] = []
        self.here = 0
        self._numbers = count()

    def on_mount(self) -> None:
        """Open what was asked for, or the library."""
        self.set_interval(EVERY, partial(look_at_files, self))
        self.start(self.documents)

    def receive(self, documents: Sequence[Document]) -> None:
        """A page for each document, the first in sight; without any, the library."""
        self.pages += [self.page(document, self.learning) for document in documents]
        if self.pages:
            self.show(0)
        else:
            self.action_library()

    def get_line_filters(self) -> Sequence[LineFilter]:
        """What every line goes through on its way to the screen."""
        return [*super().get_line_filters(), *self._last_filters]

    # Pages.

    def page(self, document: Document, learn: bool = False) -> Page:
        """A screen for a document, kept until the app ends."""
        from bpstep.tui.screens.debug import DebugScreen
        from bpstep.tui.screens.problems import ProblemScreen

        if document.session is None:
            page: Page = ProblemScreen(document)
        else:
            page = (learn_screen() if learn else DebugScreen)(document, document.session)
            self.watch(page, "scene", partial(self.moved, document.path), init=False)
        self.install_screen(page, name=f"page-{next(self._numbers)}")
        return page

    def show(self, number: int) -> None:
        """Bring a page into sight."""
        self.here = number
        if isinstance(self.screen, PageScreen):
            self.switch_screen(self.pages[number])
        else:
            self.push_screen(self.pages[number])

    def open(self, choice: Choice | None) -> None:
        """Bring the page of a scenario into sight, opening it if it is not."""
        if choice is None:
            return
        number = next((n for n, page in enumerate(self.pages) if is_of(page, choice)), None)
        if number is None:
            from bpstep.tui.document import open_path

            self.pages.append(self.page(open_path(choice.path), choice.learn))
            number = len(self.pages) - 1
        self.show(number)

    def on_learn_screen_learned(self, event: LearnScreen.Learned) -> None:
        """Every question of a scenario has been dealt with; skipped ones have not been learned."""
        from bpstep.tui.record import Progress, Score

        if not event.lesson.skipped:
            score = Score(event.lesson.right, len(event.lesson.predictions))
            self.write_down(event.path, Progress(begun=True, learned=score))

    def export_screenshot(self, *, title: str | None = None, simplify: bool = False) -> str:
        """As Textual's, with nothing in it that is loaded from elsewhere."""
        from bpstep.render.svg import self_contained

        return self_contained(super().export_screenshot(title=title, simplify=simplify))

    # Keys.

    def action_switch(self, steps: int) -> None:
        """Another page."""
        if len(self.pages) > 1:
            self.show((self.here + steps) % len(self.pages))
        else:
            self.clear_notifications()
            self.notify(ALONE, markup=False, timeout=3)

    def action_library(self) -> None:
        """The library, over what is open."""
        from bpstep.tui.screens.library import LibraryScreen

        record, said = self.recorder.record()
        self.complain(said)
        shelf = LibraryScreen(leavable=bool(self.pages), record=record, learning=self.learning)
        self.push_screen(shelf, self.open)

    def action_help(self) -> None:
        """The help, over what is in sight."""
        from bpstep.tui.screens.help import HelpScreen

        self.push_screen(HelpScreen())

    def action_command_palette(self) -> None:
        """The palette of commands, unless it is open."""
        if not isinstance(self.screen, Palette):
            self.push_screen(Palette(id="--command-palette"))

    def action_reopen(self) -> None:
        """Read the file of a page with problems again."""
        self.reopen(self.pages[self.here])

    def reopen(self, old: Page) -> None:
        """Put a page for the file as it is now in place of an old one."""
        from bpstep.tui.document import open_path

        number, in_sight = self.pages.index(old), self.screen is old
        self.pages[number] = self.page(open_path(old.document.path), self.learning)
        if in_sight:
            self.show(number)
        self.notify(f"read again: {old.document.file}", markup=False, timeout=3)
        self.uninstall_screen(old)

    @property
    def faulty(self) -> bool:
        """Whether there is a page with problems."""
        return any(page.document.session is None for page in self.pages)


def learn_screen() -> type[LearnScreen]:
    """The page that asks. Like every screen but the first it is imported when it is needed."""
    from bpstep.tui.screens.learn import LearnScreen

    return LearnScreen


def is_of(page: Page, choice: Choice) -> bool:
    """Whether a page is what was chosen. A lesson that is over is not: it is begun anew."""
    from bpstep.tui.record import identity
    from bpstep.tui.screens.problems import ProblemScreen

    if identity(page.document.path) != identity(choice.path):
        return False
    if isinstance(page, learn_screen()):
        return choice.learn and not page.lesson.over
    return isinstance(page, ProblemScreen) or not choice.learn
