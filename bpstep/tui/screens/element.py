"""One element of a tensor on the whole screen: its contributions, split into scalar products."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.screen import ModalScreen

from bpstep.tui.draw.grid import Grid, Index
from bpstep.tui.keys import ELEMENT_KEYS, bindings
from bpstep.tui.scene import Scene
from bpstep.tui.screens.counting import CountingScreen
from bpstep.tui.screens.help import HelpScreen
from bpstep.tui.widgets.element_pane import ElementPane
from bpstep.tui.widgets.key_bar import KeyBar


class ElementScreen(ModalScreen[Index], CountingScreen[Index]):
    """Keys go to the elements beside this one; the last one is told to what it was opened from."""

    AUTO_FOCUS = ""
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(ELEMENT_KEYS)]

    def __init__(self, scene: Scene, index: Index) -> None:
        super().__init__()
        self.shown = scene
        self.index = index

    def compose(self) -> ComposeResult:
        """The lines about it."""
        yield ElementPane().data_bind(ElementScreen.count)
        yield KeyBar()

    def on_mount(self) -> None:
        """Show the element."""
        self.pane.show_element(self.shown, self.index)

    @property
    def pane(self) -> ElementPane:
        """The lines."""
        return self.query_one(ElementPane)

    def action_move(self, down: int, right: int) -> None:
        """To the element beside this one, or as many further as the count says."""
        times = self.times()
        graph, node = self.shown.session.graph, self.shown.selected
        assert graph is not None, "an element is of a node of a graph"
        assert node is not None, "an element is of a node"
        index = Grid(graph.shape(node)).moved(self.index, down * times, right * times)
        if index != self.index:
            self.index = index
            self.pane.show_element(self.shown, index)

    def action_page(self, pages: int) -> None:
        """Scroll by pages."""
        self.pane.action_page(pages * self.times())

    def action_edge(self, last: int) -> None:
        """Scroll to the first line, or the last."""
        self.take_count()
        self.pane.action_edge(last)

    def action_leave(self) -> None:
        """Back."""
        self.dismiss(self.index)

    def action_help(self) -> None:
        """What the keys are here."""
        self.app.push_screen(HelpScreen(ELEMENT_KEYS))
