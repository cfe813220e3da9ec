"""What stands under a tab: lines about the scene, made only while they are in sight."""

from __future__ import annotations

from collections.abc import Iterable

from rich.text import Text
from textual.reactive import reactive

from bpstep.tui.scene import Scene
from bpstep.tui.widgets.lines_pane import LinesPane


class TabBody(LinesPane):
    """Lines for a scene. Behind another tab it makes none, and catches up when it is in sight."""

    DEFAULT_CSS = """
    TabBody { padding: 0 1; }
    """

    scene: reactive[Scene | None] = reactive(None, repaint=False)

    def fill(self, scene: Scene, width: int) -> Iterable[Text]:
        """The lines for so many columns."""
        raise NotImplementedError

    def call_off(self) -> bool:
        """Cancel what the pane works on; whether it worked on anything."""
        return False

    @property
    def in_sight(self) -> bool:
        """Whether this is under the open tab."""
        return self.display

    def placed(self) -> None:
        """There is other room, or what was left behind another tab is to be made."""
        self.watch_scene()

    def watch_scene(self) -> None:
        """Another position, selection or run."""
        scene = self.scene
        if scene is not None:
            self.lay(lambda width: self.fill(scene, width))
