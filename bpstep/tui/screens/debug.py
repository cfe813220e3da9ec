"""The main screen: a session, stepped through with keys and commands."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.command import Provider
from textual.containers import Horizontal, Vertical
from textual.widgets import Input

from bpstep.render.drawing.shape import Direction
from bpstep.session.commands import COMMANDS
from bpstep.session.session import Session
from bpstep.tui.begun import breakpoint_line
from bpstep.tui.document import Document
from bpstep.tui.keys import DEBUG_KEYS, bindings
from bpstep.tui.palette_commands import SessionCommands
from bpstep.tui.runner import Result, carry_out
from bpstep.tui.scene import Scene
from bpstep.tui.screens.comparing import ComparingScreen
from bpstep.tui.screens.editing import EditingScreen
from bpstep.tui.screens.moving import MovingScreen
from bpstep.tui.screens.page import PageScreen
from bpstep.tui.screens.reloading import ReloadingScreen
from bpstep.tui.screens.working import WorkingScreen
from bpstep.tui.widgets.card_pane import CardPane
from bpstep.tui.widgets.choosing import NodeOpened
from bpstep.tui.widgets.detail_tabs import OUTPUT, DetailTabs
from bpstep.tui.widgets.fault_banner import FaultBanner
from bpstep.tui.widgets.graph_pane import GraphPane
from bpstep.tui.widgets.job_bar import JobBar
from bpstep.tui.widgets.key_bar import KeyBar
from bpstep.tui.widgets.order_grid import OrderGrid
from bpstep.tui.widgets.output_pane import OutputPane
from bpstep.tui.widgets.prompt import Prompt
from bpstep.tui.widgets.status_bar import StatusBar
from bpstep.tui.widgets.timeline_bar import TimelineBar
from bpstep.tui.widgets.too_small import TooSmall

EDGES = {True: "This is the end of the program.", False: "This is the start."}
MOST_WALKED = 1000
"""A count before a walk is not more than this."""


class DebugScreen(
    PageScreen, MovingScreen, ComparingScreen, EditingScreen, ReloadingScreen, WorkingScreen
):
    """Owns a session. A key or a command makes another, and the panes are bound to it."""

    AUTO_FOCUS = ""
    ALLOW_IN_MAXIMIZED_VIEW = "StatusBar, TimelineBar, Prompt, JobBar, KeyBar"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(DEBUG_KEYS)]
    COMMANDS: ClassVar[set[type[Provider] | Callable[[], type[Provider]]]] = {SessionCommands}

    def __init__(self, document: Document, session: Session) -> None:
        super().__init__()
        self.take(document)
        self.set_reactive(DebugScreen.scene, Scene(session))
        self.set_reactive(DebugScreen.about, document.about)

    def compose(self) -> ComposeResult:
        """The panes, each bound to what it shows."""
        yield StatusBar().data_bind(
            DebugScreen.scene, DebugScreen.count, DebugScreen.wrong, DebugScreen.among
        )
        yield FaultBanner(self.document.file).data_bind(DebugScreen.fault)
        with Horizontal(id="body"):
            with Vertical(id="left"):
                yield GraphPane(id="graph").data_bind(DebugScreen.scene)
                yield OrderGrid(id="order").data_bind(DebugScreen.scene)
            with Vertical(id="right"):
                yield CardPane(id="card").data_bind(DebugScreen.scene)
                yield DetailTabs(id="tabs").data_bind(
                    DebugScreen.scene, DebugScreen.lines, DebugScreen.about
                )
        yield TooSmall()
        yield TimelineBar().data_bind(DebugScreen.scene)
        yield Prompt([command.name for command in COMMANDS])
        yield JobBar()
        yield KeyBar()

    # Commands: typed, chosen or bound to keys, all are carried out here.

    def do(self, text: str, *, told: bool = True) -> Result:
        """Carry out a command line and show where it leads."""
        # What was said of the step before is out of date.
        self.app.clear_notifications()
        before = self.session
        result = carry_out(before, text, told)
        self.scene = self.shown.moved(result.session)
        self.tell_changes(before)
        if result.quit:
            self.app.exit()
        return result

    def press(self, text: str) -> None:
        """Carry out the command of a key: what it does is seen, only a mistake is said."""
        self.warn(self.do(text, told=False).fault)

    @property
    def last_step(self) -> int:
        """The number of the last step there is."""
        return self.session.total

    def move(self, text: str) -> None:
        """Carry out a motion: what follows from it is seen, so the output makes room."""
        before = self.session
        self.press(text)
        self.leave_output()
        if self.session.position == before.position and self.session.run is before.run:
            self.tell(EDGES[self.session.position == self.session.total])

    def choose(self, text: str) -> None:
        """Carry out a command that was chosen from the palette."""
        self.warn(self.carry(text))

    @on(Prompt.Entered)
    def entered(self, event: Prompt.Entered) -> None:
        """A line was entered: done, it is put away; with a mistake in it, it stays."""
        if event.mode == "find":
            self.query_one(Prompt).close()
            return
        fault = self.carry(event.text)
        if fault is None:
            self.query_one(Prompt).close()
        else:
            self.query_one(Prompt).fail(fault)

    # Panes.

    @on(NodeOpened)
    def opened(self, event: NodeOpened) -> None:
        """A node was opened in a pane."""
        self.scene = self.shown.choosing(event.index)
        self.action_card()

    # Keys.

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """While a line is typed, keys are text."""
        return not isinstance(self.focused, Input)

    def action_walk(self, direction: Direction) -> None:
        """Move the selection over the graph, as often as the count says."""
        graph = self.query_one(GraphPane)
        count = self.take_count()
        for _ in range(1 if count is None else min(count, MOST_WALKED)):
            beside = graph.beside(self.shown, direction)
            if beside is None:
                break
            self.scene = self.shown.choosing(beside)

    def action_breakpoint(self) -> None:
        """Set a breakpoint on the selected node, or remove it."""
        self.take_count()
        line = breakpoint_line(self.shown)
        if line is not None:
            self.press(line)

    def action_card(self) -> None:
        """The card of the selected node, on the whole screen."""
        from bpstep.tui.screens.card import CardScreen

        if self.shown.selected is not None:
            self.app.push_screen(CardScreen(self.shown))

    def action_find(self) -> None:
        """Find a node."""
        self.begin_find()

    def action_command(self) -> None:
        """The command line."""
        self.begin()

    def action_export(self) -> None:
        """Write this screen, what was done or the whole run to a file."""
        from bpstep.tui.screens.export import ask_what_to_write

        ask_what_to_write(self, self.session)

    def action_tab(self, steps: int) -> None:
        """Another tab."""
        self.take_count()
        self.query_one(DetailTabs).turn(steps)

    def action_enter_pane(self) -> None:
        """Give the next pane the keys that are its own."""
        if self.focused is None and self.query_one(DetailTabs).active == OUTPUT:
            self.query_one(OutputPane).focus()
        else:
            self.focus_next()

    def action_zoom(self) -> None:
        """The pane that has the focus, or the graph, on the whole screen; or back."""
        self.take_count()
        if self.maximized is None:
            pane = self.focused or self.query_one(GraphPane)
            self.maximize(pane, container=False)
        else:
            self.minimize()

    def action_release(self) -> None:
        """Cancel what goes on; or leave the pane or the output, follow again, forget a count."""
        if self.call_off():
            return
        self.query_one(Prompt).close()
        self.count = ""
        self.scene = self.shown.following()
        self.leave_output()

    def action_reload(self) -> None:
        """Read the file again; where it is wrong now, keep the last good run and say why."""
        if self.reread():
            self.leave_output()

    # Keys of the whole app, which are text while a line is typed.

    async def action_switch(self, steps: int) -> None:
        """Another open scenario."""
        await self.run_action(f"app.switch({steps})")

    async def action_library(self) -> None:
        """The library."""
        await self.run_action("app.library")

    async def action_help(self) -> None:
        """The help."""
        await self.run_action("app.help")

    def action_quit(self) -> None:
        """Leave the app."""
        self.app.exit()
