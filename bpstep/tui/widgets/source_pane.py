"""The tab `source`."""

from __future__ import annotations

from collections.abc import Iterable

from rich.text import Text

from bpstep.render import lines as ui
from bpstep.tui.draw.nodes import SELECTION
from bpstep.tui.draw.source import source_lines
from bpstep.tui.scene import Scene
from bpstep.tui.widgets.in_sight import keep_in_sight
from bpstep.tui.widgets.tab_body import TabBody


class SourcePane(TabBody):
    """The file, the line of the node that sends at this step marked and kept in sight.

    Where the selection was moved, the line of the selected node is kept in sight instead.
    """

    DEFAULT_CSS = """
    SourcePane { scrollbar-size-horizontal: 0; }
    """

    def fill(self, scene: Scene, width: int) -> Iterable[Text]:
        """The lines for so many columns."""
        return source_lines(scene.session, scene.selected)

    def settle(self) -> None:
        """The marked line is in sight."""
        held = self.scene is not None and self.scene.chosen is not None
        keep_in_sight(self, *((SELECTION, ui.HERE) if held else (ui.HERE, SELECTION)))
