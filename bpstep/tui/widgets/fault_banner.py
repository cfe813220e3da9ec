"""What is wrong with the file, for as long as it is."""

from __future__ import annotations

from rich.text import Text
from textual.reactive import reactive
from textual.widgets import Static

from bpstep.engine.errors import BpstepError
from bpstep.tui.draw.fault import fault_lines


class FaultBanner(Static):
    """A few lines above the panes, which keep showing the last good run."""

    DEFAULT_CSS = """
    FaultBanner {
        display: none; height: auto; max-height: 7; padding: 0 1;
        background: $panel; border-left: thick $error;
        text-wrap: nowrap; text-overflow: ellipsis;
    }
    """

    fault: reactive[BpstepError | None] = reactive(None, repaint=False)

    def __init__(self, file: str) -> None:
        super().__init__(markup=False)
        self.file = file

    def watch_fault(self, fault: BpstepError | None) -> None:
        """Something else is wrong, or nothing any more."""
        self.display = fault is not None
        if fault is not None:
            self.update(Text("\n").join(fault_lines(fault, self.file)))
