"""The tab `paths`."""

from __future__ import annotations

from collections.abc import Hashable, Iterable

from rich.text import Text

from bpstep.analysis.paths import PathsResult, effort, paths
from bpstep.render import lines as ui
from bpstep.tui.draw.paths import LOOKING, MOST_PATHS, NO_PASS, paths_lines
from bpstep.tui.scene import Scene
from bpstep.tui.widgets.found_pane import FoundPane
from bpstep.tui.widgets.in_sight import keep_in_sight

SHORT_PASS = 1000
"""Of a longer pass, paths are looked for in a thread."""

FEW_EDGES = 5000
"""So many edges are walked at once."""


class PathsPane(FoundPane[PathsResult]):
    """The paths from the output of the pass to the selected node, the one of this step marked."""

    def __init__(self) -> None:
        super().__init__()
        self._settled: Hashable | None = None

    def wanted(self, scene: Scene) -> Hashable | None:
        """The pass and the node."""
        ledger = scene.session.ledger
        return None if ledger is None or scene.selected is None else (ledger, scene.selected)

    def is_quick(self, scene: Scene) -> bool:
        """Whether the pass is short and the paths are few."""
        ledger, node = scene.session.ledger, scene.selected
        if ledger is None or node is None or len(ledger) > SHORT_PASS:
            return False
        return effort(ledger, node) <= FEW_EDGES

    def find(self, scene: Scene) -> PathsResult:
        """The largest paths, their number and their sum."""
        ledger, node = scene.session.ledger, scene.selected
        assert ledger is not None, "only what is wanted is looked for"
        assert node is not None, "only what is wanted is looked for"
        return paths(ledger, node, MOST_PATHS)

    def draw(self, scene: Scene, found: PathsResult, width: int) -> Iterable[Text]:
        """A bar a path, with its nodes and factors."""
        return paths_lines(scene.session, found, width)

    def instead(self, scene: Scene) -> str:
        """What is said where there is no pass, and while paths are looked for."""
        graph = scene.session.graph
        if graph is None or scene.selected is None or scene.session.ledger is None:
            return NO_PASS
        return f"{LOOKING}{graph.label(scene.selected)} …"

    def settle(self) -> None:
        """A path that this step's edge lies on is in sight; of another node, the beginning."""
        wanted = None if self.scene is None else self.wanted(self.scene)
        if wanted != self._settled:
            self._settled = wanted
            self.scroll_to(y=0, animate=False, immediate=True)
        keep_in_sight(self, ui.HERE, above=1)
