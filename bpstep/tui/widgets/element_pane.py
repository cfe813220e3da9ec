"""The lines about one element of a tensor."""

from __future__ import annotations

from textual.reactive import reactive

from bpstep.render.scalar_terms import element_lines
from bpstep.render.sums import element_name
from bpstep.session.element import element_card
from bpstep.tui.draw.grid import Index
from bpstep.tui.draw.status import counted
from bpstep.tui.scene import Scene
from bpstep.tui.widgets.lines_pane import LinesPane


class ElementPane(LinesPane):
    """Value, gradient so far, contributions, and the scalar products of each."""

    count: reactive[str] = reactive("", repaint=False)

    title = ""

    def show_element(self, scene: Scene, index: Index) -> None:
        """Another element, from its first line on."""
        assert scene.selected is not None, "an element is of a node"
        found = element_card(scene.session, scene.selected, index)
        self.title = f"element {element_name(found.name, index)}"
        self.watch_count()
        lines = list(element_lines(found))
        self.lay(lambda width: lines)
        self.scroll_home(animate=False, immediate=True)

    def watch_count(self) -> None:
        """Digits before a key stand in the frame, which cuts a title that is too long."""
        self.border_title = counted(self.title, self.count)
