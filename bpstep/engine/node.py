"""A handle on one entry of a tape: its operators and indexing record further entries."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from bpstep.engine.arithmetic import Value, divide, power
from bpstep.engine.ops import CODES

if TYPE_CHECKING:
    from bpstep.engine.graph import Graph


def _operator(name: str, floats: Callable[..., float]) -> Callable[[Node, Any], Node]:
    """The method that records ``node ∘ other``."""
    code = CODES[name]

    def method(self: Node, other: Any) -> Node:
        graph = self.graph
        if type(other) is Node and other.graph is graph:
            return graph.record_binary(code, floats, self.index, other.index)
        return graph.record_binary(code, floats, self.index, graph.operand_index(other))

    return method


def _reflected(name: str, floats: Callable[..., float]) -> Callable[[Node, Any], Node]:
    """The method that records ``other ∘ node``."""
    code = CODES[name]

    def method(self: Node, other: Any) -> Node:
        graph = self.graph
        return graph.record_binary(code, floats, graph.operand_index(other), self.index)

    return method


class Node:
    """A handle on one entry of a tape. Operators and indexing record; ``value`` is what came out.

    ``value`` is a Python float for shape (), else a read-only NumPy array.
    """

    __slots__ = ("graph", "index")
    # NumPy arrays on the left hand side leave the operator to the node.
    __array_ufunc__ = None
    __iter__ = None

    def __init__(self, graph: Graph, index: int) -> None:
        self.graph = graph
        self.index = index

    @property
    def value(self) -> Value:
        """The recorded value."""
        return self.graph.values[self.index]

    @property
    def shape(self) -> tuple[int, ...]:
        """The value's shape, () for a number."""
        return self.graph.shape(self.index)

    @property
    def name(self) -> str:
        """The node's name, or its formula in parentheses."""
        return self.graph.label(self.index)

    def __repr__(self) -> str:
        return f"<Node {self.name} = {self.value}>"

    def __bool__(self) -> bool:
        raise TypeError(f"{self.name} has no truth value while recording: use bpstep.where")

    def __neg__(self) -> Node:
        return self.graph.apply("neg", self)

    def __pos__(self) -> Node:
        return self

    def __abs__(self) -> Node:
        return self.graph.apply("abs", self)

    def __getitem__(self, index: int | tuple[int, ...]) -> Node:
        return self.graph.apply("index", self, index=index)

    def __lt__(self, other: Any) -> Node:
        return self.graph.apply("lt", self, other)

    def __le__(self, other: Any) -> Node:
        return self.graph.apply("le", self, other)

    def __gt__(self, other: Any) -> Node:
        return self.graph.apply("gt", self, other)

    def __ge__(self, other: Any) -> Node:
        return self.graph.apply("ge", self, other)

    __add__ = _operator("add", operator.add)
    __sub__ = _operator("sub", operator.sub)
    __mul__ = _operator("mul", operator.mul)
    __truediv__ = _operator("div", divide)
    __pow__ = _operator("pow", power)
    __radd__ = _reflected("add", operator.add)
    __rsub__ = _reflected("sub", operator.sub)
    __rmul__ = _reflected("mul", operator.mul)
    __rtruediv__ = _reflected("div", divide)
    __rpow__ = _reflected("pow", power)

    def __matmul__(self, other: Any) -> Node:
        return self.graph.apply("matmul", self, other)

    def __rmatmul__(self, other: Any) -> Node:
        return self.graph.apply("matmul", other, self)
