"""Two sessions side by side, stepped in step; what differs is marked."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.reactive import reactive

from bpstep.session.session import Session
from bpstep.tui.keys import COMPARE_KEYS, bindings
from bpstep.tui.runner import carry_out
from bpstep.tui.scene import Scene
from bpstep.tui.screens.help import HelpScreen
from bpstep.tui.screens.moving import MovingScreen
from bpstep.tui.sides import Sides
from bpstep.tui.widgets.key_bar import KeyBar
from bpstep.tui.widgets.side_panes import SideCard, SidesBar, SideStep
from bpstep.tui.widgets.sides_table import SidesTable
from bpstep.tui.widgets.timeline_bar import TimelineBar
from bpstep.tui.widgets.too_small import TooSmall


class CompareScreen(MovingScreen):
    """Owns two sessions. Motions are the left one's; the right one goes along.

    It is left with ``session`` at the step reached; ``another`` says that the other scenario is to
    be chosen anew.
    """

    AUTO_FOCUS = ""
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(COMPARE_KEYS)]

    sides: reactive[Sides | None] = reactive(None, repaint=False)
    scene: reactive[Scene | None] = reactive(None, repaint=False)

    another = False

    def __init__(self, left: Session, other: Session) -> None:
        super().__init__()
        self.set_reactive(CompareScreen.sides, Sides(left, other))
        self.set_reactive(CompareScreen.scene, Scene(left))

    def compose(self) -> ComposeResult:
        """What the step did on both sides, the node's cards, the nodes, the timeline."""
        yield SidesBar().data_bind(CompareScreen.sides, CompareScreen.count)
        with Horizontal(id="steps", classes="sides"):
            yield SideStep(right=False, id="left-step").data_bind(CompareScreen.sides)
            yield SideStep(right=True, id="right-step").data_bind(CompareScreen.sides)
        with Horizontal(id="cards", classes="sides"):
            yield SideCard(right=False, id="left-card").data_bind(CompareScreen.sides)
            yield SideCard(right=True, id="right-card").data_bind(CompareScreen.sides)
        yield SidesTable().data_bind(CompareScreen.sides)
        yield TooSmall()
        yield TimelineBar().data_bind(CompareScreen.scene)
        yield KeyBar()

    @property
    def shown(self) -> Sides:
        """What is shown."""
        assert self.sides is not None, "both sides are given when the screen is made"
        return self.sides

    @property
    def session(self) -> Session:
        """The left session, as it is now."""
        return self.shown.left

    @property
    def last_step(self) -> int:
        """The number of the last step there is."""
        return self.session.total

    def watch_sides(self, sides: Sides) -> None:
        """The timeline is the left session's."""
        self.scene = Scene(sides.left)

    # Motion.

    def move(self, line: str) -> None:
        """Carry out a motion of the left session."""
        result = carry_out(self.session, line)
        if result.fault is not None:
            self.say(result.fault)
        elif result.session.position == self.session.position:
            at_end = self.session.position == self.session.total
            self.say("This is the end of the program." if at_end else "This is the start.")
        self.sides = self.shown.moved(result.session)

    def say(self, message: str) -> None:
        """Say something in passing, in place of what was said before."""
        self.app.clear_notifications()
        self.notify(message, markup=False, timeout=3)

    def action_difference(self, way: str) -> None:
        """To a step that differs, as many of them on or back as the count says."""
        steps, position = self.shown.steps, self.session.position
        for _ in range(min(self.take_count() or 1, self.session.total)):
            ahead = way == "next"
            found = (steps.next_difference if ahead else steps.previous_difference)(position)
            if found is None:
                break
            position = found
        if position == self.session.position:
            self.say(f"No step {'after' if way == 'next' else 'before'} this one differs.")
        else:
            self.move(f"goto {position}")

    def action_parting(self) -> None:
        """To the step at which the runs first part."""
        self.take_count()
        position = self.shown.steps.parting
        if position is None:
            self.say("No step differs.")
        elif position != self.session.position:
            self.move(f"goto {min(position, self.session.total)}")

    # Nodes.

    @on(SidesTable.Moved)
    def selection_moved(self, event: SidesTable.Moved) -> None:
        """A line of the list was chosen."""
        self.sides = self.shown.choosing_by(event.lines)

    def action_select(self, lines: int) -> None:
        """Move the selection down the list, or up."""
        count = self.take_count()
        self.sides = self.shown.choosing_by(lines * (1 if count is None else count))

    def action_narrow(self) -> None:
        """List only the nodes that differ, or all of them again."""
        self.sides = self.shown.narrowing()

    # The rest.

    def action_enter_pane(self) -> None:
        """Give the next pane the keys that are its own."""
        self.focus_next()

    def action_help(self) -> None:
        """What the keys do."""
        self.app.push_screen(HelpScreen(COMPARE_KEYS))

    def action_other(self) -> None:
        """Back, to choose another scenario."""
        self.another = True
        self.action_leave()

    def action_release(self) -> None:
        """Out of a pane; else the current node is followed again; else back."""
        if self.focused is not None:
            self.set_focus(None)
        elif self.count or self.shown.chosen is not None:
            self.count, self.sides = "", self.shown.following()
        else:
            self.action_leave()

    def action_leave(self) -> None:
        """Back, once, however often the key was pressed."""
        if self.app.screen is self:
            self.dismiss()
