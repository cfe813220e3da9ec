"""Why the step is as it is."""

from __future__ import annotations

from textual.reactive import reactive

from bpstep.tui.draw.why import why_lines
from bpstep.tui.scene import Scene
from bpstep.tui.widgets.lines_pane import LinesPane


class WhyPane(LinesPane):
    """The sentence for the step, what comes next, notes and watches."""

    TABLES = False

    DEFAULT_CSS = """
    WhyPane { overflow-x: hidden; }
    """

    scene: reactive[Scene | None] = reactive(None, repaint=False)

    def on_mount(self) -> None:
        """Draw what was bound before there was anything to draw on."""
        self.watch_scene()

    def watch_scene(self) -> None:
        """Another position."""
        if self.scene is not None:
            session, selected = self.scene.session, self.scene.selected
            self.lay(lambda width: why_lines(session, selected))
