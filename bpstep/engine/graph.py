"""The tape: nodes are integers in evaluation order, their operands ordered, their values recorded.

Everything is kept in flat columns, one entry a node, so that a million nodes fit and the reverse
pass can read whole columns at once. A ``Node`` (node.py) is a handle on one entry.
"""

from __future__ import annotations

import reprlib
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from bpstep.engine.arithmetic import Array, Value
from bpstep.engine.conventions import Conventions
from bpstep.engine.conventions import conventions as read_conventions
from bpstep.engine.errors import GraphError, did_you_mean
from bpstep.engine.labels import Labels
from bpstep.engine.node import Node as Node
from bpstep.engine.operation import Operation, evaluate, finish, freeze, numbers, rounded
from bpstep.engine.ops import CODES, OPERATIONS, TABLE

LEAF = -1
_NONE: Mapping[str, Any] = {}


class Columns(NamedTuple):
    """A tape as flat arrays: ``code``, ``needs`` and ``first`` have one entry a node (its row of
    the table or −1, whether it requires a gradient, where its operands begin); ``consumer`` and
    ``operand`` have one entry an operand position.
    """

    code: Array
    needs: Array
    first: Array
    consumer: Array
    operand: Array


class Graph:
    """A recorded computation.

    ``dtype`` is ``"float64"`` or ``"float32"``: every result is rounded to it. ``conventions`` is
    a preset (``"torch"``, ``"jax"``, ``"tensorflow"``) or a mapping that changes single ones.
    Raises GraphError for an unknown dtype or convention.
    """

    def __init__(
        self,
        dtype: str = "float64",
        conventions: str | Mapping[str, object] | Conventions = "torch",
    ) -> None:
        if dtype not in ("float64", "float32"):
            raise GraphError(f"dtype is float64 or float32, not {dtype!r}", "argument")
        self.dtype = np.dtype(dtype)
        self.conventions = read_conventions(conventions)
        self.values: list[Value] = []
        self._double = self._plain = dtype == "float64"
        self._codes: list[int] = []
        self._flat: list[int] = []
        self._ends: list[int] = []
        self._needs: list[bool] = []
        self._keywords: dict[int, Mapping[str, Any]] = {}
        self._roles: dict[int, str] = {}
        self._names: dict[int, str] = {}
        self._ids: dict[str, int] = {}
        self._labels = Labels(self)
        self._consumers: list[list[tuple[int, int]]] = []
        self._replaced: dict[int, Value] = {}
        self._columns: Columns | None = None

    # ---- recording ----

    def input(self, name: str, value: Any, *, grad: bool = True) -> Node:
        """A leaf that gets a gradient and is not trained; ``grad=False`` freezes it."""
        return self._leaf("input", name, value, grad)

    def param(self, name: str, value: Any, *, grad: bool = True) -> Node:
        """A leaf that gets a gradient and is what updates change; ``grad=False`` freezes it."""
        return self._leaf("param", name, value, grad)

    def constant(self, name: str, value: Any) -> Node:
        """A leaf for which nothing is recorded."""
        return self._leaf("constant", name, value, False)

    def literal(self, value: Any) -> Node:
        """A number (or an array) written into an expression: a constant without a name."""
        return self._leaf("literal", None, value, False)

    def _leaf(self, role: str, name: str | None, value: Any, needs: bool) -> Node:
        if name is not None:
            self._check_name(name)
        node = self._append(LEAF, (), self._number(value), needs)
        self._roles[node.index] = role
        return node if name is None else self.name(name, node)

    def _number(self, value: Any) -> Value:
        """A leaf's value as a float or a read-only copy in the graph's number type."""
        if type(value) is float:
            return rounded(value, self.dtype)
        try:
            array = numbers(value, self.dtype)
        except (TypeError, ValueError, OverflowError):
            raise GraphError(
                f"a value is a number or a tensor, not {reprlib.repr(value)}", "argument"
            ) from None
        return freeze(array) if array.ndim else finish(array, self.dtype)

    def apply(self, operation: str, *operands: Any, **keywords: Any) -> Node:
        """Record one operation of the table on nodes, numbers or arrays.

        Raises GraphError where the operation, an argument or the shapes are wrong.
        """
        row = OPERATIONS.get(operation)
        if row is None:
            raise GraphError(
                f"no operation is called {operation!r}{did_you_mean(operation, OPERATIONS)}",
                "argument",
            )
        row.check_arity(len(operands))
        bound = row.bind(keywords)
        indices = tuple([self.operand_index(operand) for operand in operands])
        return self.record(CODES[operation], indices, bound)

    def record(self, code: int, operands: tuple[int, ...], keywords: Mapping[str, Any]) -> Node:
        """Record a row of the table, by its code, on nodes; keyword arguments are bound ones."""
        row = TABLE[code]
        value = evaluate(row, [self.values[i] for i in operands], keywords, self.dtype)
        node = self._append(code, operands, value, self._depends(row, operands))
        if keywords:
            self._keywords[node.index] = keywords
        return node

    def record_binary(self, code: int, floats: Callable[..., float], left: int, right: int) -> Node:
        """An arithmetic operator; two floats take the short way, which makes recording cheap."""
        a, b = self.values[left], self.values[right]
        if self._double and type(a) is float and type(b) is float:
            value: Value = floats(a, b)
        else:
            value = evaluate(TABLE[code], (a, b), _NONE, self.dtype)
            self._plain = self._plain and type(value) is float
        index = len(self.values)
        self.values.append(value)
        self._codes.append(code)
        flat = self._flat
        flat.append(left)
        flat.append(right)
        self._ends.append(len(flat))
        needs = self._needs
        needs.append(needs[left] or needs[right])
        return Node(self, index)

    def _depends(self, row: Operation, indices: tuple[int, ...]) -> bool:
        for position, operand in enumerate(indices):
            if self._needs[operand] and row.rule(position) is not None:
                return True
        return False

    def operand_index(self, operand: Any) -> int:
        """The node that an operand is; a number or an array becomes a literal."""
        return self._own(operand) if isinstance(operand, Node) else self.literal(operand).index

    def _own(self, node: Node) -> int:
        if node.graph is not self:
            raise GraphError(f"{node!r} belongs to another graph", "argument")
        return node.index

    def _append(self, code: int, operands: tuple[int, ...], value: Value, needs: bool) -> Node:
        index = len(self.values)
        self._plain = self._plain and type(value) is float
        self.values.append(value)
        self._codes.append(code)
        self._flat.extend(operands)
        self._ends.append(len(self._flat))
        self._needs.append(needs)
        return Node(self, index)

    def name(self, name: str, node: Node) -> Node:
        """Give a node its name; raises GraphError where it is taken or the node has one."""
        self._check_name(name)
        if self._own(node) in self._names:
            raise GraphError(
                f"the node to call {name!r} is called {self._names[node.index]!r} already", "name"
            )
        self._names[node.index] = name
        self._ids[name] = node.index
        # Texts of later nodes may have been made from the nameless text.
        self._labels = Labels(self)
        return node

    def _check_name(self, name: object) -> None:
        if not isinstance(name, str) or not name.isprintable():
            raise GraphError(f"a name is printable text, not {reprlib.repr(name)}", "name")
        if not name:
            raise GraphError("a name cannot be empty", "name")
        if name in self._ids:
            raise GraphError(f"the name {name!r} is taken", "name")

    def replace(self, node: int, value: Any) -> None:
        """Overwrite a recorded value in place, as careless code does; the first one is kept.

        Raises GraphError (code ``shape``) where the shape is another.
        """
        new = self._number(value)
        if np.shape(new) != self.shape(node):
            raise GraphError(
                f"{self.label(node)} has shape {self.shape(node)}, not {np.shape(new)}", "shape"
            )
        self._replaced.setdefault(node, self.values[node])
        self.values[node] = new

    # ---- reading ----

    def __repr__(self) -> str:
        return f"<Graph of {len(self.visible())} nodes, {self.dtype}>"

    def __len__(self) -> int:
        """The number of nodes, literals included."""
        return len(self.values)

    def operation(self, node: int) -> Operation | None:
        """The table's row of a node; None for a leaf."""
        code = self._codes[node]
        return None if code == LEAF else TABLE[code]

    def operands(self, node: int) -> tuple[int, ...]:
        """The nodes an operation reads, in order; a node used twice stands twice."""
        return tuple(self._flat[self._ends[node - 1] if node else 0 : self._ends[node]])

    def keywords(self, node: int) -> Mapping[str, Any]:
        """The operation's keyword arguments, defaults included."""
        return self._keywords.get(node, _NONE)

    def role(self, node: int) -> str:
        """``input``, ``param``, ``constant`` or ``literal`` for a leaf, else ``op``."""
        return self._roles.get(node, "op")

    def requires_grad(self, node: int) -> bool:
        """Whether the reverse pass can send anything to this node."""
        return self._needs[node]

    def shape(self, node: int) -> tuple[int, ...]:
        """The shape of the node's value, () for a number."""
        return tuple(np.shape(self.values[node]))

    def recorded(self, node: int) -> Value:
        """The value as the forward pass recorded it, whatever has overwritten it since."""
        return self._replaced.get(node, self.values[node])

    @property
    def is_plain(self) -> bool:
        """Whether every value is a Python float in float64: such a tape is swept as flat arrays."""
        return self._plain

    @property
    def overwritten(self) -> tuple[int, ...]:
        """The nodes whose recorded values were replaced in place."""
        return tuple(self._replaced)

    def visible(self) -> list[int]:
        """All nodes but the literals, in tape order."""
        return [i for i in range(len(self)) if self._roles.get(i) != "literal"]

    def leaves(self) -> list[int]:
        """The named leaves, in tape order."""
        return [i for i, role in self._roles.items() if role != "literal"]

    def params(self) -> list[int]:
        """The leaves that updates change, in tape order."""
        return [i for i, role in self._roles.items() if role == "param"]

    def consumers(self, node: int) -> tuple[tuple[int, int], ...]:
        """Who reads a node: (consumer, operand position) in tape order."""
        if len(self._consumers) != len(self):
            self._consumers = [[] for _ in range(len(self))]
            for i in range(len(self)):
                for position, operand in enumerate(self.operands(i)):
                    self._consumers[operand].append((i, position))
        return tuple(self._consumers[node])

    def columns(self) -> Columns:
        """The tape as flat arrays."""
        if self._columns is None or len(self._columns.code) != len(self):
            first = np.zeros(len(self) + 1, dtype=np.int64)
            first[1:] = np.fromiter(self._ends, np.int64, len(self))
            self._columns = Columns(
                np.fromiter(self._codes, np.int64, len(self)),
                np.fromiter(self._needs, np.bool_, len(self)),
                first[:-1],
                np.repeat(np.arange(len(self)), np.diff(first)),
                np.fromiter(self._flat, np.int64, len(self._flat)),
            )
        return self._columns

    def has(self, name: str) -> bool:
        """Whether a node is called by this name or formula."""
        return name in self._ids or self._labels.find(name) is not None

    def find(self, node: str | int | Node) -> int:
        """A node by name or handle; raises GraphError (``unknown-name``) with near names."""
        if isinstance(node, Node):
            return self._own(node)
        if isinstance(node, int):
            if not 0 <= node < len(self):
                raise GraphError(f"no node has the number {node}", "unknown-name")
            return int(node)
        if not isinstance(node, str):
            raise GraphError(f"a node or its name is meant, not {reprlib.repr(node)}", "argument")
        if node in self._ids:
            return self._ids[node]
        found = self._labels.find(node)
        if found is not None:
            return found
        hint = did_you_mean(node, self._labels.labels())
        raise GraphError(f"no node is called {node!r}{hint}", "unknown-name")

    # ---- texts ----

    def label(self, node: int) -> str:
        """A node's name; without one its formula in parentheses, ``(e**2)``, ``#2`` if repeated."""
        return self._names.get(node) or self._labels.text(node)

    def name_of(self, node: int) -> str | None:
        """The name that was given to a node, if one was."""
        return self._names.get(node)

    def expression(self, node: int) -> str:
        """What the node computes, of its operands' labels: ``w * x``; empty for a leaf."""
        return self._labels.expression(node)
