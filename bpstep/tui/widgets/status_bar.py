"""The line at the top."""

from __future__ import annotations

from rich.text import Text
from textual.reactive import reactive

from bpstep.tui.draw.status import Beside, status
from bpstep.tui.scene import Scene
from bpstep.tui.widgets.line_bar import LineBar


class StatusBar(LineBar):
    """What is debugged, and where we are."""

    DEFAULT_CSS = """
    StatusBar { dock: top; height: 1; background: $panel; }
    """

    scene: reactive[Scene | None] = reactive(None)
    count: reactive[str] = reactive("")
    mode: reactive[str] = reactive("")
    wrong: reactive[str] = reactive("")
    among: reactive[str] = reactive("")

    async def on_click(self) -> None:
        """The palette of commands, for those who have only a mouse."""
        await self.run_action("app.command_palette")

    def render(self) -> Text:
        """The line, in the width there is."""
        if self.scene is None:
            return Text()
        more = Beside(self.mode, self.wrong, self.among)
        return status(self.scene.session, self.size.width, self.count, more)
