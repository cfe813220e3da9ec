"""The tabs beside the graph: why, gradients, check, update, paths, source, and more when needed."""

from __future__ import annotations

from typing import Final

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.reactive import reactive
from textual.widgets import TabbedContent, TabPane, Tabs

from bpstep.tui.scene import Scene
from bpstep.tui.widgets.about_pane import AboutPane
from bpstep.tui.widgets.check_pane import CheckPane
from bpstep.tui.widgets.node_table import Gradients
from bpstep.tui.widgets.output_pane import OutputPane
from bpstep.tui.widgets.paths_pane import PathsPane
from bpstep.tui.widgets.source_pane import SourcePane
from bpstep.tui.widgets.update_pane import UpdatePane
from bpstep.tui.widgets.why_pane import WhyPane

WHY, GRADIENTS, ABOUT, OUTPUT = "why", "gradients", "about", "output"

SCENE_PANES: Final = {
    WHY: WhyPane,
    GRADIENTS: Gradients,
    "check": CheckPane,
    "update": UpdatePane,
    "paths": PathsPane,
    "source": SourcePane,
}
"""The panes about the scene, in the order of their tabs."""

LEAVE = "Esc or a motion: back   Tab: scroll"


class DetailTabs(Vertical):
    """Panes about the session, one at a time. A pane with nothing in it has no tab."""

    DEFAULT_CSS = """
    DetailTabs ContentTabs { height: 1; }
    DetailTabs ContentTabs Underline { display: none; }
    DetailTabs ContentTabs Tab { padding: 0; margin: 0 1 0 0; }
    DetailTabs ContentTabs Tab.-active { text-style: bold reverse; }
    DetailTabs ContentSwitcher { height: 1fr; }
    DetailTabs TabPane { padding: 0; height: 1fr; }
    DetailTabs TabPane > * { height: 1fr; }
    """

    scene: reactive[Scene | None] = reactive(None, repaint=False)
    lines: reactive[tuple[Text, ...]] = reactive((), repaint=False)
    about: reactive[str] = reactive("", repaint=False)

    def compose(self) -> ComposeResult:
        """The panes, and the tabs made from them."""
        with TabbedContent(initial=WHY):
            for name, pane in SCENE_PANES.items():
                with TabPane(name, id=name):
                    yield pane().data_bind(DetailTabs.scene)
            with TabPane(ABOUT, id=ABOUT):
                yield AboutPane().data_bind(DetailTabs.about)
            with TabPane(OUTPUT, id=OUTPUT):
                yield OutputPane().data_bind(DetailTabs.lines)

    def on_mount(self) -> None:
        """The tabs are reached by keys of the screen, so they need no focus."""
        self.query_one(Tabs).can_focus = False
        self.watch_lines()
        self.watch_about()

    @property
    def tabs(self) -> TabbedContent:
        """The tabs and their panes."""
        return self.query_one(TabbedContent)

    @property
    def active(self) -> str:
        """The pane in sight."""
        return self.tabs.active

    def watch_lines(self) -> None:
        """The output has a tab once there is some."""
        self._offer(OUTPUT, bool(self.lines))

    def watch_about(self) -> None:
        """A scenario without a description has no tab for it."""
        self._offer(ABOUT, bool(self.about.strip()))

    def _offer(self, pane: str, offered: bool) -> None:
        if self.is_mounted:
            (self.tabs.show_tab if offered else self.tabs.hide_tab)(pane)

    def open(self, pane: str) -> None:
        """Bring a pane into sight."""
        self.tabs.active = pane

    @on(TabbedContent.TabActivated)
    def tell_how_to_leave(self) -> None:
        """The output, which came up by itself, says how to get rid of it."""
        self.border_subtitle = LEAVE if self.active == OUTPUT else ""

    def turn(self, steps: int) -> None:
        """Bring the pane of a tab further on, or back, into sight."""
        shown = [pane for pane in (*SCENE_PANES, ABOUT, OUTPUT) if self._has(pane)]
        here = shown.index(self.active) if self.active in shown else 0
        self.open(shown[(here + steps) % len(shown)])

    def _has(self, pane: str) -> bool:
        return {ABOUT: bool(self.about.strip()), OUTPUT: bool(self.lines)}.get(pane, True)
