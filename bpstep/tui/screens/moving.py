"""Motions through a run: by keys, with counts, and by the timeline."""

from __future__ import annotations

from textual import on

from bpstep.tui.screens.counting import CountingScreen
from bpstep.tui.widgets.timeline_bar import TimelineBar


class MovingScreen(CountingScreen[None]):
    """Turns the keys of motions into the command lines that carry them out."""

    def move(self, text: str) -> None:
        """Carry out a motion."""
        raise NotImplementedError

    @property
    def last_step(self) -> int:
        """The number of the last step there is."""
        raise NotImplementedError

    @on(TimelineBar.Sought)
    def sought(self, event: TimelineBar.Sought) -> None:
        """A step was pointed at."""
        self.move(f"goto {event.position}")

    def action_motion(self, command: str) -> None:
        """A motion, as often as the count says."""
        count = self.take_count()
        if count != 0:
            self.move(f"{command} {count or 1}")

    def action_start(self) -> None:
        """To the start."""
        self.take_count()
        self.move("goto start")

    def action_end(self) -> None:
        """To the end, or to the step that the count says."""
        count = self.take_count()
        self.move("goto end" if count is None else f"goto {min(count, self.last_step)}")
