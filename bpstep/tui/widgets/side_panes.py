"""The panes of the comparison that belong to one side: its step, and the card of a node."""

from __future__ import annotations

from rich.text import Text
from textual.app import RenderResult
from textual.reactive import reactive
from textual.widget import Widget

from bpstep.render import lines as ui
from bpstep.render.comparing import DIFFERENT
from bpstep.render.lines import line
from bpstep.tui.draw.sides import file_name, head, left_lines, right_lines
from bpstep.tui.scene import Scene
from bpstep.tui.sides import Sides
from bpstep.tui.widgets.card_pane import CardPane


class SidesBar(Widget):
    """The line at the top: both files, where they part, both positions."""

    DEFAULT_CSS = """
    SidesBar { height: 1; background: $panel; }
    """

    sides: reactive[Sides | None] = reactive(None)
    count: reactive[str] = reactive("")

    def render(self) -> RenderResult:
        """The line, in the width there is."""
        return Text() if self.sides is None else head(self.sides, self.size.width, self.count)


class SideStep(Widget):
    """What the step of one side did. As much of it is seen as there is room for."""

    sides: reactive[Sides | None] = reactive(None)

    def __init__(self, right: bool, id: str) -> None:
        super().__init__(id=id)
        self.right = right

    def watch_sides(self) -> None:
        """Another step: it stands in the frame."""
        if self.sides is not None:
            session = self.sides.right if self.right else self.sides.left
            self.border_title = line(file_name(session))
            self.border_subtitle = f"step {session.position} of {session.total}"

    def render(self) -> RenderResult:
        """The lines; sentences are wrapped."""
        if self.sides is None:
            return Text()
        lines = right_lines(self.sides) if self.right else left_lines(self.sides)
        return Text("\n").join(lines)


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
        self.border_title = line((f"{DIFFERENT} no {name}", ui.OPEN))
        self.border_subtitle = Text("")
        session = self.sides.right if self.right else self.sides.left
        says = f"{name} is no node of {file_name(session)}."
        self.lay(lambda width: [line(says)])

    def held(self, scene: Scene) -> str:
        """The list says which node is selected."""
        return ""
