"""What names mean at a step: values, gradients so far, and the quantities of the step itself."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from bpstep.engine.errors import GraphError
from bpstep.scenario.expressions import (
    Expr,
    Found,
    NothingThereError,
    canonical,
    evaluate,
    truth,
)
from bpstep.scenario.syntax import Name, Number
from bpstep.session.edges import depths, local_value
from bpstep.session.errors import LISTS, hint

if TYPE_CHECKING:
    from bpstep.engine.arithmetic import Value
    from bpstep.engine.graph import Graph
    from bpstep.engine.ledger import Contribution
    from bpstep.engine.program import Pass, Run

FUNCTIONS = ("grad", "local")


class View:
    """A graph and, where the program has one, a pass over it; what all its steps share.

    ``end`` is the run where names speak of the end of its program: the statements after the last
    pass have run too, and may have changed leaves, gradients and the graph.
    """

    def __init__(self, graph: Graph, pass_: Pass | None, end: Run | None = None) -> None:
        self.graph = graph
        self.pass_ = pass_
        self.end = end

    @cached_property
    def depths(self) -> Mapping[int, int]:
        """The fewest edges from the output to each node that receives anything."""
        return depths(self.pass_.ledger) if self.pass_ else {}

    @property
    def dtype(self) -> str:
        """The graph's number type."""
        return str(self.graph.dtype)


class Scope:
    """The names of an expression after ``step`` steps of a pass (0: before the first).

    Nodes' names are their values, ``grad(NODE)`` and ``local(CONSUMER, NODE)`` look at the
    reverse pass, and the names in ``QUANTITIES`` belong to the step just taken: with
    ``quantities_first`` they win over nodes of the same name, as in conditions. ``missing`` is
    the last thing asked for that is not there at this step.
    """

    functions: Collection[str] = FUNCTIONS

    def __init__(self, view: View, step: int, *, quantities_first: bool = False) -> None:
        self.view = view
        self.step = step
        self.quantities_first = quantities_first
        self.missing: str | None = None

    def value(self, name: str) -> Found:
        """A node's value or a quantity of the step; raises GraphError for an unknown name."""
        quantity = QUANTITIES.get(name)
        if quantity is not None and (self.quantities_first or not self._is_node(name)):
            return self._noted(name, quantity(self) if self.step else None)
        if not self._is_node(name):
            raise self._unknown(name)
        if self.view.end is not None:
            return self.view.end.value(name)
        return self.view.graph.values[self.view.graph.find(name)]

    def call(self, function: str, arguments: tuple[Expr, ...]) -> Found:
        """``grad(NODE)`` or ``local(CONSUMER, NODE[, POSITION])``; raises GraphError."""
        found = self._grad(arguments) if function == "grad" else self._local(arguments)
        return self._noted(f"{function}({', '.join(map(canonical, arguments))})", found)

    def _noted(self, asked: str, found: Found) -> Found:
        if found is None:
            self.missing = asked
        return found

    def _is_node(self, name: str) -> bool:
        try:
            self.view.graph.find(name)
        except GraphError:
            return False
        return True

    def _unknown(self, name: str) -> GraphError:
        graph = self.view.graph
        known = [*map(graph.label, graph.visible()), *QUANTITIES]
        return GraphError(
            f"no node is called {name!r}{hint(name, known, LISTS['node'])}", code="unknown-name"
        )

    def _node(self, argument: Expr) -> int:
        text = canonical(argument)
        return self.view.graph.find(text if isinstance(argument, Name) else f"({text})")

    def _grad(self, arguments: tuple[Expr, ...]) -> Value | None:
        if len(arguments) != 1:
            raise GraphError("grad takes one node: grad(p)", code="argument")
        node = self._node(arguments[0])
        if self.view.end is not None:
            return self.view.end.grad(self.view.graph.label(node))
        return self.view.pass_.ledger.at(self.step).grad(node) if self.view.pass_ else None

    def _local(self, arguments: tuple[Expr, ...]) -> Value | None:
        if len(arguments) not in (2, 3):
            raise GraphError("local takes a consumer and one of its operands", code="argument")
        graph = self.view.graph
        consumer, operand = map(self._node, arguments[:2])
        positions = [i for i, node in enumerate(graph.operands(consumer)) if node == operand]
        names = graph.label(consumer), graph.label(operand)
        position = _position(names, positions, arguments[2:])
        ledger = self.view.pass_.ledger if self.view.pass_ else None
        return local_value(ledger, graph, consumer, position)

    # What the step just taken was.

    @cached_property
    def entry(self) -> Contribution | None:
        """The contribution of this step; None at a seed."""
        if self.view.pass_ is None or self.step < 2:
            return None
        return self.view.pass_.ledger.contribution(self.step)

    @property
    def receiver(self) -> int:
        """The node that receives at this step."""
        assert self.view.pass_ is not None, "a step belongs to a pass"
        return self.view.pass_.ledger.receiver(self.step)

    @property
    def running(self) -> Value | None:
        """The receiver's gradient at this step."""
        assert self.view.pass_ is not None, "a step belongs to a pass"
        return self.view.pass_.ledger.at(self.step).grad(self.receiver)

    @property
    def operation(self) -> str:
        """The consumer's operation; at a seed, which has no consumer, the empty text."""
        made_by = self.view.graph.operation(self.entry.source_id) if self.entry else None
        return made_by.name if made_by else ""


def _position(names: tuple[str, str], positions: list[int], given: tuple[Expr, ...]) -> int:
    consumer, operand = names
    if not positions:
        raise GraphError(f"{operand} is no operand of {consumer}", code="argument")
    places = " or ".join(map(str, positions))
    if not given and len(positions) > 1:
        raise GraphError(
            f"{operand} comes at {places} in {consumer}: "
            f"say which, as in local({consumer}, {operand}, {positions[0]})",
            code="argument",
        )
    if not given:
        return positions[0]
    if isinstance(given[0], Number) and given[0].value in positions:
        return int(given[0].value)
    raise GraphError(
        f"{operand} is operand {places} of {consumer}, not {canonical(given[0])}", code="argument"
    )


def _nonfinite(scope: Scope) -> float:
    sent = (scope.entry.value, scope.entry.running) if scope.entry else ()
    return float(not all(bool(np.isfinite(value).all()) for value in sent))


QUANTITIES: Mapping[str, Callable[[Scope], Found]] = {
    "value": lambda scope: scope.view.graph.values[scope.receiver],
    "grad": lambda scope: scope.running,
    "running": lambda scope: scope.running,
    "contribution": lambda scope: scope.entry.value if scope.entry else scope.running,
    "upstream": lambda scope: scope.entry.upstream if scope.entry else None,
    "local": lambda scope: scope.entry.local if scope.entry else None,
    "depth": lambda scope: float(scope.view.depths[scope.receiver]),
    "op": lambda scope: scope.operation,
    "node": lambda scope: scope.view.graph.label(scope.receiver),
    "nonfinite": _nonfinite,
}
"""What a condition knows of the step just taken.

``value grad`` are the receiver's, ``depth`` its fewest edges from the output; ``op`` is the
consumer's operation. A seed contributes 1 and has neither ``upstream`` nor ``local``.
"""


def holds(condition: Expr, scope: Scope) -> bool:
    """Does a condition hold? Of a tensor any element suffices; what is not there satisfies none.

    Raises ExpressionError where it cannot be evaluated.
    """
    try:
        return truth(evaluate(condition, scope, scope.view.dtype))
    except NothingThereError:
        return False
