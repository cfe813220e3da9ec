"""Why the step is as it is."""

from __future__ import annotations

from collections.abc import Iterable

from rich.text import Text

from bpstep.tui.draw.why import why_lines
from bpstep.tui.scene import Scene
from bpstep.tui.widgets.tab_body import TabBody


class WhyPane(TabBody):
    """The sentence for the step, what comes next, notes and watches."""

    TABLES = False

    DEFAULT_CSS = """
    WhyPane { overflow-x: hidden; }
    """

    def fill(self, scene: Scene, width: int) -> Iterable[Text]:
        """The lines for so many columns."""
        return why_lines(scene.session, scene.selected)
