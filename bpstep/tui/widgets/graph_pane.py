"""The graph, drawn in boxes and lines (soon)."""

from __future__ import annotations

from textual.reactive import reactive
from textual.scroll_view import ScrollView

from bpstep.tui.scene import Scene


class GraphPane(ScrollView, can_focus=True):
    """The whole graph."""

    BORDER_TITLE = "graph"

    scene: reactive[Scene | None] = reactive(None, repaint=False)

    def beside(self, scene: Scene, direction: str) -> int | None:
        """The node that stands beside the selected one in a direction."""
        return None
