"""The operations as functions that record: ``relu(x)``, ``matmul(a, b)``, ``clamp(x, min=0)``.

There is one for every row of the table that may be called by name; it takes nodes, numbers and
arrays, at least one of them a node, and keyword arguments as the row says.
"""

from __future__ import annotations

from typing import Any

from bpstep.engine.errors import GraphError
from bpstep.engine.graph import Node
from bpstep.engine.operation import Operation
from bpstep.engine.ops import CODES, OPERATIONS

_NO_NODE = "{} without a node among its operands has nothing to record"


def _function(row: Operation) -> Any:
    def record(*arguments: Any, **keywords: Any) -> Node:
        operands, named = _split(row, arguments)
        graph = next((each.graph for each in operands if isinstance(each, Node)), None)
        if graph is None:
            raise GraphError(_NO_NODE.format(row.name))
        return graph.apply(row.name, *operands, **named, **keywords)

    return record


def _unary(row: Operation) -> Any:
    """The short way for one operand and no arguments."""
    code = CODES[row.name]

    def record(a: Node) -> Node:
        if type(a) is not Node:
            raise GraphError(_NO_NODE.format(row.name))
        return a.graph.record(code, (a.index,), {})

    return record


def _split(row: Operation, arguments: tuple[Any, ...]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Operands, and keyword arguments that were given by position after them."""
    if row.most is None:
        return arguments, {}
    extra = arguments[row.most :]
    if len(extra) > len(row.keywords):
        row.check_arity(len(arguments))
    names = [keyword.name for keyword in row.keywords]
    return arguments[: row.most], dict(zip(names, extra, strict=False))


def _documentation(row: Operation) -> str:
    operands = ["a", "b", "c"][: row.most] if row.most else ["a", "b", "…"]
    keywords = [k.name if k.required else f"{k.name}={k.default}" for k in row.keywords]
    lines = [f"Record {row.name}({', '.join([*operands, *keywords])}). Raises GraphError."]
    for operand, rule in zip(operands, row.rules, strict=False):
        if rule is not None:
            text = rule.text.format(a="a", b="b", c="c", y="y")
            lines.append(f"The {rule.form} rule for {operand}: {text}")
    return "\n\n".join([lines[0], "\n".join(lines[1:])]).strip()


def _documented(row: Operation) -> Any:
    record = _unary(row) if row.most == 1 and not row.keywords else _function(row)
    record.__name__ = record.__qualname__ = row.name
    record.__doc__ = _documentation(row)
    return record


_FUNCTIONS = {row.name: _documented(row) for row in OPERATIONS.values() if row.callable}
__all__ = list(_FUNCTIONS)


def __getattr__(name: str) -> Any:
    """The function of that operation."""
    try:
        return _FUNCTIONS[name]
    except KeyError:
        raise AttributeError(f"no operation is called {name!r}") from None
