"""The tab `check`."""

from __future__ import annotations

from collections.abc import Iterable

from rich.text import Text

from bpstep.tui.scene import Scene
from bpstep.tui.widgets.tab_body import TabBody


class CheckPane(TabBody):
    """Not there yet."""

    def fill(self, scene: Scene, width: int) -> Iterable[Text]:
        """The lines for so many columns."""
        return ()
