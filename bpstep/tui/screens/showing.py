"""A screen with a scene, and the line in which commands and names to find are typed."""

from __future__ import annotations

from textual import on
from textual.reactive import reactive
from textual.screen import Screen

from bpstep.session.session import Session
from bpstep.tui import find
from bpstep.tui.scene import Scene
from bpstep.tui.widgets.choosing import NodeChosen
from bpstep.tui.widgets.prompt import Prompt


class ShowingScreen(Screen[None]):
    """Owns a scene, to which its panes are bound, and in which nodes are chosen and found."""

    scene: reactive[Scene | None] = reactive(None, repaint=False)

    before_find: Scene | None = None
    """The scene to go back to when a search is given up."""

    @property
    def shown(self) -> Scene:
        """What is shown."""
        assert self.scene is not None, "a scene is given when the screen is made"
        return self.scene

    @property
    def session(self) -> Session:
        """The session, as it is now."""
        return self.shown.session

    @on(NodeChosen)
    def chosen(self, event: NodeChosen) -> None:
        """A node was chosen in a pane."""
        self.scene = self.shown.choosing(event.index)

    # Typing.

    def begin(self, text: str = "") -> None:
        """Open the command line with some text in it."""
        self.query_one(Prompt).open("command", text, find.labels(self.shown))

    def begin_find(self) -> None:
        """Open the line for a name: the selection moves while it is typed."""
        self.before_find = self.shown
        self.query_one(Prompt).open("find")

    @on(Prompt.Typed)
    def typed(self, event: Prompt.Typed) -> None:
        """A name is being typed: select the first node that it fits."""
        if event.mode == "find":
            found = find.find_node(self.before_find or self.shown, event.text)
            if found is None:
                self.query_one(Prompt).fail("no node has that in its name")
            else:
                self.scene = self.shown.choosing(found)

    @on(Prompt.Closed)
    def left(self, event: Prompt.Closed) -> None:
        """A line was left: what it selected on the way is given up."""
        if event.mode == "find" and self.before_find is not None:
            self.scene = self.before_find
