"""The panes of the comparison that belong to one side: its step, and the card of a node."""

from __future__ import annotations

from rich.text import Text
from textual.reactive import reactive

from bpstep.render import lines as ui
from bpstep.render.comparing import DIFFERENT
from bpstep.render.lines import line
from bpstep.tui.draw.sides import file_name, head, left_lines, right_lines
from bpstep.tui.scene import Scene
from bpstep.tui.sides import Sides
from bpstep.tui.widgets.card_pane import CardPane
from bpstep.tui.widgets.line_bar import LineBar
from bpstep.tui.widgets.lines_pane import LinesPane


class SidesBar(LineBar):
    """The line at the top: both files, where they part, both positions."""

    DEFAULT_CSS = """
    SidesBar { height: 1; background: $panel; }
    """

    sides: reactive[Sides | None] = reactive(None)
    count: reactive[str] = reactive("")

    def render(self) -> Text:
        """The line, in the width there is."""
        return Text() if self.sides is None else head(self.sides, self.size.width, self.count)


class SideStep(LinesPane, can_focus=False):
    """What the step of one side did. As much of it is seen as there is room for."""

    TABLES = False
    """Sentences are wrapped."""

    DEFAULT_CSS = """
    SideStep { overflow: hidden hidden; }
    """

    sides: reactive[Sides | None] = reactive(None, repaint=False)

    def __init__(self, right: bool, id: str) -> None:
        super().__init__(id=id)
        self.right = right

    def watch_sides(self) -> None:
        """Another step: it stands in the frame."""
        if self.sides is not None:
            session = self.sides.right if self.right else self.sides.left
            step = f"step {session.position} of {session.total}"
            self.write_frame(line(file_name(session)), line(step))
            lines = list(right_lines(self.sides) if self.right else left_lines(self.sides))
            self.lay(lambda width: lines)


class SideCard(CardPane):
    """The card of the selected node on one side, or that it is not there."""

    sides: reactive[Sides | None] = reactive(None, repaint=False)

    def __init__(self, right: bool, id: str) -> None:
        super().__init__(id=id)
        self.right = right

    def watch_sides(self) -> None:
        """Another step or selection."""
        if self.sides is not None:
            self.scene = self.sides.scenes()[self.right]
            if self.scene is None:
                # Another node that is not there is no other scene.
                self.watch_scene()

    def watch_scene(self) -> None:
        """The card; where this side has no such node, that."""
        if self.scene is not None or self.sides is None or not self.is_mounted:
            super().watch_scene()
            return
        name = self.sides.selected_name or ""
        self.write_frame(line((f"{DIFFERENT} no {name}", ui.OPEN)))
        session = self.sides.right if self.right else self.sides.left
        says = f"{name} is no node of {file_name(session)}."
        self.lay(lambda width: [line(says)])

    def held(self, scene: Scene) -> str:
        """The list says which node is selected."""
        return ""
