"""The tab `update`."""

from __future__ import annotations

from collections.abc import Hashable, Iterable

from rich.text import Text

from bpstep.tui.draw.update import NO_PASS, TRYING, Tried, rates_of, try_rates, update_lines
from bpstep.tui.scene import Scene
from bpstep.tui.widgets.found_pane import FoundPane

SMALL = 500
"""On a tape with more nodes, rates are tried in a thread."""


class UpdatePane(FoundPane[Tried]):
    """One step of gradient descent at each rate: the scenario's, and those typed with `update`."""

    def wanted(self, scene: Scene) -> Hashable | None:
        """The run and the rates."""
        run = scene.session.run
        return (run, rates_of(scene.session)) if run.passes else None

    def is_quick(self, scene: Scene) -> bool:
        """Whether the tape is small."""
        graph = scene.session.run.graph
        return graph is not None and len(graph) <= SMALL

    def find(self, scene: Scene) -> Tried:
        """Try the rates."""
        asked = scene.session.scenario.updates
        rates = rates_of(scene.session)
        return try_rates(scene.session.run, rates, asked.params if asked else None)

    def draw(self, scene: Scene, found: Tried, width: int) -> Iterable[Text]:
        """A table and a plot that fills the pane."""
        return update_lines(found, width, self.size.height)

    def instead(self, scene: Scene) -> str:
        """What is said where there is no pass, and while rates are tried."""
        return TRYING if scene.session.run.passes else NO_PASS
