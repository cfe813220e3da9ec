"""The tab `source`."""

from __future__ import annotations

from collections.abc import Iterable

from rich.text import Text

from bpstep.render import lines as ui
from bpstep.tui.draw.nodes import SELECTION
from bpstep.tui.draw.source import source_lines
from bpstep.tui.scene import Scene
from bpstep.tui.widgets.tab_body import TabBody


class SourcePane(TabBody):
    """The file, the line of the node that sends at this step marked and kept in sight.

    Where the selection was moved, the line of the selected node is kept in sight instead.
    """

    def fill(self, scene: Scene, width: int) -> Iterable[Text]:
        """The lines for so many columns."""
        return source_lines(scene.session, scene.selected)

    def settle(self) -> None:
        """The marked line is in sight: where it is already, nothing moves."""
        height = self.scrollable_content_region.height
        row = self._marked_row()
        if row is None or height <= 0:
            return
        top = self.scroll_offset.y
        if not top <= row < top + height:
            self.scroll_to(y=max(0, row - height // 2), animate=False, immediate=True)

    def _marked_row(self) -> int | None:
        if not self.is_mounted:
            return None
        held = self.scene is not None and self.scene.chosen is not None
        first, second = (SELECTION, ui.HERE) if held else (ui.HERE, SELECTION)
        row = self.view.row_of(first)
        return self.view.row_of(second) if row is None else row
