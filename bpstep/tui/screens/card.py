"""A node's card on the whole screen; of a tensor, a cursor on its elements, which can be opened."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.screen import ModalScreen

from bpstep.session.card import card
from bpstep.tui.draw.grid import Index
from bpstep.tui.keys import CARD_KEYS, NUMBER_KEYS, bindings
from bpstep.tui.scene import Scene
from bpstep.tui.screens.counting import CountingScreen
from bpstep.tui.screens.element import ElementScreen
from bpstep.tui.screens.help import HelpScreen
from bpstep.tui.widgets.card_pane import MOST_ROWS, FullCardPane
from bpstep.tui.widgets.element_grid import ElementGrid
from bpstep.tui.widgets.key_bar import KeyBar

OF_ELEMENTS = ("move", "page", "edge", "open", "digit")
"""Actions that there are only where there are elements."""


class CardScreen(ModalScreen[None], CountingScreen[None]):
    """A look at one node, which keys leave again."""

    AUTO_FOCUS = ""
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(CARD_KEYS), *bindings(NUMBER_KEYS)]

    def __init__(self, scene: Scene) -> None:
        super().__init__()
        self.shown = scene

    def compose(self) -> ComposeResult:
        """The card, and the elements where there are any."""
        pane = FullCardPane()
        pane.scene = self.shown
        yield pane
        assert self.shown.selected is not None, "a card is of a node"
        shown = card(self.shown.session, self.shown.selected, MOST_ROWS)
        if shown.shape and all(shown.shape):
            self.add_class("-tensor")
            yield ElementGrid(shown).data_bind(CardScreen.count)
        yield KeyBar()

    def on_mount(self) -> None:
        """Keys are the elements', or scroll the card where there are none."""
        (self.grid or self.query_one(FullCardPane)).focus()

    @property
    def grid(self) -> ElementGrid | None:
        """The elements; None of a number, or of a tensor without any."""
        return next(iter(self.query(ElementGrid)), None)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """A number has no elements to move over or to open: keys scroll, and Enter leads back."""
        return action not in OF_ELEMENTS or self.grid is not None

    def action_move(self, down: int, right: int) -> None:
        """To another element, as many further as the count says."""
        if self.grid is not None:
            times = self.times()
            self.grid.move(down * times, right * times)

    def action_page(self, pages: int) -> None:
        """A page of elements on."""
        if self.grid is not None:
            self.grid.page(pages * self.times())

    def action_edge(self, last: int) -> None:
        """To the first element, or the last."""
        self.take_count()
        if self.grid is not None:
            self.grid.edge(bool(last))

    def action_open(self) -> None:
        """Open the element."""
        if self.grid is not None:
            self.open(self.grid.cursor)

    @on(ElementGrid.Opened)
    def opened(self, event: ElementGrid.Opened) -> None:
        """An element was opened with the mouse."""
        self.open(event.index)

    def open(self, index: Index) -> None:
        """One element on a screen of its own."""
        self.app.push_screen(ElementScreen(self.shown, index), self.returned)

    def returned(self, index: Index | None) -> None:
        """Back from an element: the cursor is where one went to."""
        if index is not None and self.grid is not None:
            self.grid.cursor = index

    def action_leave(self) -> None:
        """Back."""
        self.dismiss()

    def action_help(self) -> None:
        """What the keys are here."""
        self.app.push_screen(HelpScreen(NUMBER_KEYS if self.grid is None else CARD_KEYS))
