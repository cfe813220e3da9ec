"""The first step of many that satisfies a condition.

On a scalar tape a condition made of exact arithmetic is tried on whole columns of the ledger at
once; any other one is tried step by step.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from bpstep.engine.ops import CODES
from bpstep.scenario.expressions import Expr, evaluate
from bpstep.scenario.syntax import Binary, Call, Name, Number, Text, Unary, postorder
from bpstep.session.edges import index_of
from bpstep.session.scope import QUANTITIES, Scope, View, holds

if TYPE_CHECKING:
    from bpstep.engine.arithmetic import Array, Value
    from bpstep.engine.graph import Graph
    from bpstep.engine.ledger import Ledger

CHUNK = 16_384
FEW = 32

# Functions that give the same bits over an array as for each of its numbers.
_EXACT = frozenset(
    ["abs", "sign", "floor", "round", "relu", "maximum", "minimum", "sqrt", "square", "isnan"]
)
_SYMBOLS = frozenset(["+", "-", "*", "/", "<", "<=", ">", ">=", "==", "!="])


def first_that_holds(condition: Expr, view: View, steps: range) -> int | None:
    """The first of these steps, in the order given, that satisfies a condition.

    Raises ExpressionError where it cannot be evaluated at a step.
    """
    graph, pass_ = view.graph, view.pass_
    if pass_ is None or len(steps) <= FEW or not graph.is_plain:
        return _first_of_each(condition, view, steps)
    if not _over_columns(condition, graph):
        return _first_of_each(condition, view, steps)
    columns = Columns(view, pass_.ledger)
    for start in range(0, len(steps), CHUNK):
        found = _first_of_chunk(condition, columns, steps[start : start + CHUNK])
        if found is not None:
            return found
    return None


def _first_of_each(condition: Expr, view: View, steps: range) -> int | None:
    for step in steps:
        if holds(condition, Scope(view, step, quantities_first=True)):
            return step
    return None


def _first_of_chunk(condition: Expr, columns: Columns, steps: range) -> int | None:
    # The seed has neither upstream nor local: the columns begin at step 2.
    if steps[0] == 1:
        seed = _first_of_each(condition, columns.view, steps[:1])
        return seed or _first_of_chunk(condition, columns, steps[1:]) if len(steps) > 1 else seed
    if steps[-1] == 1:
        later = _first_of_chunk(condition, columns, steps[:-1])
        return later or _first_of_each(condition, columns.view, steps[-1:])
    hits = np.flatnonzero(columns.mask(condition, np.asarray(steps)))
    return steps[int(hits[0])] if len(hits) else None


def _over_columns(condition: Expr, graph: Graph) -> bool:
    """Is it made of columns, numbers and arithmetic that arrays do exactly as floats do?"""
    match condition:
        case Binary(symbol="and" | "or", left=left, right=right):
            return _over_columns(left, graph) and _over_columns(right, graph)
        case Unary(symbol="not", operand=operand):
            return _over_columns(operand, graph)
        case Binary(symbol="==" | "!=", left=Name(id="op" | "node"), right=Text()):
            return True
        case _:
            return all(_is_exact(part, graph) for part in postorder(condition))


def _is_exact(part: Expr, graph: Graph) -> bool:
    match part:
        case Number() | Unary(symbol="-"):
            return True
        case Name(id=name):
            return name in _COLUMNS or (
                name not in QUANTITIES and index_of(graph, name) is not None
            )
        case Call(function=function, keywords=keywords):
            return function in _EXACT and not keywords
        case Binary(symbol=symbol):
            return symbol in _SYMBOLS
        case _:
            return False


class Columns:
    """The quantities of many contributions at once, as a condition's names see them."""

    functions: Collection[str] = ()

    def __init__(self, view: View, ledger: Ledger) -> None:
        self.view = view
        self.ledger = ledger
        self.arrays = ledger.arrays()
        self.rows: Array = np.zeros(0, dtype=np.int64)

    def mask(self, condition: Expr, steps: Array) -> Array:
        """Which of these steps (2 or later) satisfy a condition: booleans, one a step."""
        self.rows = steps - 2
        return np.broadcast_to(self._mask(condition), self.rows.shape)

    def _mask(self, condition: Expr) -> Array:
        match condition:
            case Binary(symbol="and", left=left, right=right):
                return _bools(self._mask(left) & self._mask(right))
            case Binary(symbol="or", left=left, right=right):
                return _bools(self._mask(left) | self._mask(right))
            case Unary(symbol="not", operand=operand):
                return _bools(~self._mask(operand))
            case Binary(symbol=symbol, left=Name(id=name), right=Text(value=text)):
                return _bools(self._called(name, text) == (symbol == "=="))
            case _:
                return _bools(evaluate(condition, self, self.view.dtype))

    def _called(self, name: str, text: str) -> Array:
        """Where the receiver (``node``) or the consumer's operation (``op``) is called so."""
        if name == "node":
            return _bools(self.targets == index_of(self.view.graph, text))
        codes = self.view.graph.columns().code
        return _bools(codes[self.sources] == CODES.get(text, -1))

    @property
    def sources(self) -> Array:
        """The consumer that sends, at each of the rows."""
        return np.asarray(self.ledger.sources[self.rows])

    @property
    def targets(self) -> Array:
        """The node that receives, at each of the rows."""
        return np.asarray(self.ledger.targets[self.rows])

    @cached_property
    def values(self) -> Array:
        """The value of every node of the tape."""
        return np.asarray(self.view.graph.values)

    @cached_property
    def depths(self) -> Array:
        """The fewest edges from the output to every node of the tape, -1 where there are none."""
        found = np.full(len(self.view.graph), -1.0)
        found[list(self.view.depths)] = list(self.view.depths.values())
        return found

    def value(self, name: str) -> Value:
        """A quantity of all the rows, or the value of a node."""
        column = _COLUMNS.get(name)
        if column is not None:
            return column(self)
        return float(self.values[self.view.graph.find(name)])

    def call(self, function: str, arguments: tuple[Expr, ...]) -> Value:
        """No function but operations is evaluated over columns."""
        raise AssertionError(f"{function} is not evaluated over columns")


def _bools(values: object) -> Array:
    """Numbers as a condition takes them: 0 is false, anything else (nan too) is true."""
    return np.asarray(values, dtype=bool)


def _nonfinite(columns: Columns) -> Array:
    sent, running = columns.arrays["value"], columns.arrays["running"]
    finite = np.isfinite(sent[columns.rows]) & np.isfinite(running[columns.rows])
    return (~finite).astype(np.float64)


def _column(key: str) -> Callable[[Columns], Array]:
    return lambda columns: columns.arrays[key][columns.rows]


_COLUMNS: Mapping[str, Callable[[Columns], Array]] = {
    "value": lambda columns: columns.values[columns.targets],
    "grad": _column("running"),
    "running": _column("running"),
    "contribution": _column("value"),
    "upstream": _column("upstream"),
    "local": _column("local"),
    "depth": lambda columns: columns.depths[columns.targets],
    "nonfinite": _nonfinite,
}
"""The quantities of ``scope.QUANTITIES`` that are numbers, over many contributions."""
