"""The timeline: shows every step, and goes to the one that is clicked."""

from __future__ import annotations

from dataclasses import dataclass

from rich.text import Text
from textual.events import Click, MouseDown, MouseMove, MouseUp
from textual.message import Message
from textual.reactive import reactive

from bpstep.tui.draw.timeline import BEFORE, Track, labels, timeline, track
from bpstep.tui.scene import Scene
from bpstep.tui.widgets.line_bar import LineBar


class TimelineBar(LineBar):
    """Every step on a line: click or drag to go there."""

    DEFAULT_CSS = """
    TimelineBar { height: 2; background: $panel 50%; }
    """

    scene: reactive[Scene | None] = reactive(None)

    _track: Track | None = None
    _dragging = False

    @dataclass
    class Sought(Message):
        """A position was pointed at."""

        position: int

    def layout_for(self, scene: Scene) -> Track:
        """The steps laid out: made anew only for another run, breakpoint or width."""
        fresh, old = track(scene.session, self.size.width), self._track
        if old is None or (old.run, old.breakpoints, old.width) != (
            fresh.run,
            fresh.breakpoints,
            fresh.width,
        ):
            self._track = fresh
            return fresh
        return old

    def render(self) -> Text:
        """The line, and names under it where there is a second one."""
        if self.scene is None:
            return Text()
        layout, position = self.layout_for(self.scene), self.scene.session.position
        text = timeline(layout, position)
        if self.size.height > 1:
            under = labels(layout, position)
            under.truncate(self.size.width)
            text = Text("\n").join((text, under))
        text.no_wrap = True
        return text

    def on_click(self, event: Click) -> None:
        """Go to the step that was clicked."""
        self.seek(event.x)

    def on_mouse_down(self, event: MouseDown) -> None:
        """Take hold of the position."""
        self._dragging = True
        self.capture_mouse()

    def on_mouse_move(self, event: MouseMove) -> None:
        """Drag the position along."""
        if self._dragging:
            self.seek(event.x)

    def on_mouse_up(self, event: MouseUp) -> None:
        """Let go of it."""
        self._dragging = False
        self.release_mouse()

    def seek(self, x: int) -> None:
        """Ask for the position at a column, if it is another."""
        if self.scene is not None:
            position = self.layout_for(self.scene).position(x - len(BEFORE))
            if position != self.scene.session.position:
                self.post_message(self.Sought(position))
