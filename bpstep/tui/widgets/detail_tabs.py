"""The tabs beside the graph: why, gradients, check, update, paths, source, and more when needed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Final

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget

from bpstep.tui.scene import Scene
from bpstep.tui.widgets.about_pane import AboutPane
from bpstep.tui.widgets.node_table import Gradients
from bpstep.tui.widgets.output_pane import OutputPane
from bpstep.tui.widgets.tab_bar import TabBar
from bpstep.tui.widgets.tab_body import TabBody
from bpstep.tui.widgets.why_pane import WhyPane

WHY, GRADIENTS, ABOUT, OUTPUT = "why", "gradients", "about", "output"

Maker = Callable[[], Widget]


LATE_PANES: Final = {
    "bpstep.tui.widgets.check_pane": "CheckPane",
    "bpstep.tui.widgets.update_pane": "UpdatePane",
    "bpstep.tui.widgets.paths_pane": "PathsPane",
    "bpstep.tui.widgets.source_pane": "SourcePane",
}
"""Modules that are imported when a tab is opened: the first screen does not wait for them."""


def _late(module: str) -> Maker:
    def make() -> Widget:
        pane: Maker = getattr(import_module(module), LATE_PANES[module])
        return pane()

    return make


SCENE_PANES: Final[dict[str, Maker]] = {
    WHY: WhyPane,
    GRADIENTS: Gradients,
    "check": _late("bpstep.tui.widgets.check_pane"),
    "update": _late("bpstep.tui.widgets.update_pane"),
    "paths": _late("bpstep.tui.widgets.paths_pane"),
    "source": _late("bpstep.tui.widgets.source_pane"),
}
"""The panes about the scene, in the order of their tabs."""

PANES: Final[dict[str, Maker]] = {**SCENE_PANES, ABOUT: AboutPane, OUTPUT: OutputPane}
"""All panes, in the order of their tabs."""

SHORT: Final = (WHY, GRADIENTS)
"""The card keeps its lines beside these; panes with plots and tables get more."""
TALL: Final = "22fr"
"""Beside a card of 11."""

LEAVE = "Esc or a motion: back   Tab: scroll"


class DetailTabs(Vertical):
    """Panes about the session, one at a time. A pane with nothing in it has no tab.

    A pane is made when its tab is opened for the first time.
    """

    scene: reactive[Scene | None] = reactive(None, repaint=False)
    lines: reactive[tuple[Text, ...]] = reactive((), repaint=False)
    about: reactive[str] = reactive("", repaint=False)
    active: reactive[str] = reactive("", repaint=False)

    @dataclass
    class Turned(Message):
        """Another tab is open."""

        pane: str

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self.panes: dict[str, Widget] = {}
        self.before_output = WHY

    def compose(self) -> ComposeResult:
        """The line of tabs; panes follow when they are opened."""
        yield TabBar()

    def on_mount(self) -> None:
        """Begin with the first tab."""
        self.offer()
        self.open(WHY)

    # What the panes show.

    def watch_scene(self) -> None:
        """Another position, selection or run."""
        for name in SCENE_PANES.keys() & self.panes.keys():
            self.show(name)

    def watch_lines(self) -> None:
        """Something was said: the output has a tab once there is some."""
        self.offer()
        self.show(OUTPUT)

    def watch_about(self) -> None:
        """Another description: a scenario without one has no tab for it."""
        self.offer()
        self.show(ABOUT)

    def show(self, name: str) -> None:
        """Give a pane, if it is there, what it is about."""
        match self.panes.get(name):
            case AboutPane() as pane:
                pane.about = self.about
            case OutputPane() as pane:
                pane.lines = self.lines
            case Gradients() | TabBody() as pane:
                pane.scene = self.scene

    # Tabs.

    def offer(self) -> None:
        """Name the tabs of panes that have something in them."""
        if self.is_mounted:
            shown = {ABOUT: bool(self.about.strip()), OUTPUT: bool(self.lines)}
            self.query_one(TabBar).names = tuple(name for name in PANES if shown.get(name, True))

    def open(self, name: str) -> None:
        """Bring a pane into sight."""
        if name == OUTPUT != self.active:
            self.before_output = self.active
        if name not in self.panes:
            self.panes[name] = PANES[name]()
            self.mount(self.panes[name])
        self.active = name
        for other, pane in self.panes.items():
            pane.display = other == name
        # Not by a class: all panes would be styled anew, which takes longer than to paint one.
        self.styles.height = None if name in SHORT else TALL
        self.show(name)
        self.query_one(TabBar).active = name
        # The output, which comes up by itself, says how to get rid of it.
        self.border_subtitle = LEAVE if name == OUTPUT else ""
        self.post_message(self.Turned(name))

    def close_output(self) -> None:
        """Where the output is in sight, back to the pane that was before it."""
        if self.active == OUTPUT:
            self.open(self.before_output)

    def turn(self, steps: int) -> None:
        """Bring the pane of a tab further on, or back, into sight."""
        names = self.query_one(TabBar).names
        here = names.index(self.active) if self.active in names else 0
        self.open(names[(here + steps) % len(names)])

    @on(TabBar.Pointed)
    def pointed(self, event: TabBar.Pointed) -> None:
        """A tab was pointed at."""
        self.open(event.name)
