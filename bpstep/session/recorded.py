"""A graph that was recorded in Python as something to debug, with its leaves to change."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from bpstep.analysis.again import copied
from bpstep.engine.graph import Graph, Node
from bpstep.engine.program import execute
from bpstep.engine.statements import Backward, Forward
from bpstep.scenario.model import Tolerance

if TYPE_CHECKING:
    from bpstep.engine.arithmetic import Value
    from bpstep.engine.faults import Fault
    from bpstep.engine.program import Run
    from bpstep.scenario.model import CheckSpec, Question, UpdateSpec


class Recorded:
    """The Subject of a session on a node of a tape: one forward pass, one pass back from it.

    Other leaf values are tried on a copy of the tape: the same operations, recorded again.
    """

    path = "-"
    name = "recorded"
    title = "A graph recorded in Python"
    breakpoints: tuple[str, ...] = ()
    checks: tuple[CheckSpec, ...] = ()
    updates: UpdateSpec | None = None
    fault: Fault | None = None
    predict: tuple[Question, ...] = ()
    tolerance = Tolerance()

    def __init__(self, output: Node) -> None:
        self.graph = output.graph
        self.loss = output.name
        self.dtype = str(output.graph.dtype)
        self.notes: Mapping[str, str] = {}
        self.leaf_values: Mapping[str, Value] = {
            self.graph.label(leaf): self.graph.recorded(leaf) for leaf in self.graph.leaves()
        }

    def run(self, leaves: Mapping[str, Value] | None = None) -> Run:
        """Record with these leaf values and go back from the output; raises GraphError."""
        return execute(self, (Forward(), Backward(self.loss)), leaves=leaves)

    def record(self, leaves: Mapping[str, Value]) -> Graph:
        """The tape with these leaf values: itself, where none differs."""
        if all(leaves[name] is value for name, value in self.leaf_values.items()):
            return self.graph
        return copied(self.graph, leaves)
