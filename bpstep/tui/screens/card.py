"""A node's card on the whole screen, the numbers of its tensors written out."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import ModalScreen
from textual.widgets import Footer

from bpstep.tui.scene import Scene
from bpstep.tui.widgets.card_pane import FullCardPane


class CardScreen(ModalScreen[None]):
    """A look at one node, which keys leave again."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,enter,q", "dismiss", "back", key_display="Esc"),
    ]

    def __init__(self, scene: Scene) -> None:
        super().__init__()
        self.shown = scene

    def compose(self) -> ComposeResult:
        """The card."""
        pane = FullCardPane()
        pane.scene = self.shown
        yield pane
        yield Footer(show_command_palette=False, compact=True)
