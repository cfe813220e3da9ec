"""Faults: which keys each kind takes, and whether they name what can be broken."""

from __future__ import annotations

from collections.abc import Mapping as Table

from bpstep.engine.errors import nearest
from bpstep.engine.ops import OPERATIONS
from bpstep.scenario.known import Known, fields, text
from bpstep.scenario.locate import Mapping, Scalar, Tree
from bpstep.scenario.names import unknown
from bpstep.scenario.problems import Problems
from bpstep.scenario.tensors import read_tensor

# Kind -> the keys it needs, and those it may have.
_KEYS: Table[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "overwrite": ((), ("node",)),
    "drop": (("from", "node"), ("operand",)),
    "single_operand": ((), ("node",)),
    "revisit": ((), ()),
    "early": ((), ()),
    "rule": (("value",), ("op", "node", "operand")),
    "transpose": (("operand",), ("node",)),
}


def check_fault(tree: Tree | None, known: Known, problems: Problems) -> None:
    """Reports keys that a fault's kind lacks or does not take, and names that fit nothing."""
    if not isinstance(tree, Mapping):
        return  # the schema has said so
    kind = text(tree.get("kind"))
    if kind is None or kind not in _KEYS:
        return
    needed, optional = _KEYS[kind]
    legal = ("kind", *needed, *optional)
    for name, key, _ in fields(tree):
        if name not in legal:
            problems.add(
                key.span,
                f"a fault of kind {kind} takes no '{name}'",
                expected=", ".join(legal),
                suggestion=nearest(name, legal),
            )
    for name in needed:
        if name not in tree.entries:
            problems.add(tree.entries["kind"][0].span, f"a fault of kind {kind} needs '{name}'")
    _check_rule(kind, tree, problems)
    _check_names(kind, tree, known, problems)


def _check_rule(kind: str, tree: Mapping, problems: Problems) -> None:
    value = tree.get("value")
    if value is not None:
        read_tensor(value, problems)
    if kind == "rule" and ("op" in tree.entries) == ("node" in tree.entries):
        span = tree.entries["kind"][0].span
        problems.add(span, "a fault of kind rule needs op or node", expected="one of the two")


def _check_names(kind: str, tree: Mapping, known: Known, problems: Problems) -> None:
    op, node, source = (tree.get(name) for name in ("op", "node", "from"))
    op_name = text(op)
    if op is not None and op_name is not None and op_name not in OPERATIONS:
        unknown(op.span, op_name, OPERATIONS, problems, what="operation")
    index, _ = (_node(each, known, problems) for each in (node, source))
    operation = None if index is None else known.graph.operation(index)
    if kind == "transpose":
        _check_transpose(tree, operation.name if operation else None, known, problems)
    elif kind == "rule" and node is not None and index is not None and operation is None:
        problems.add(node.span, f"'{text(node)}' is a leaf and has no rule")
    names = text(source), text(node)
    if source and names[0] and names[1] and not known.sends(names[0], names[1]):
        problems.add(source.span, f"'{names[0]}' sends nothing to '{names[1]}'")


def _node(tree: Tree | None, known: Known, problems: Problems) -> int | None:
    name = text(tree)
    if tree is None or name is None or not known.check_node(tree.span, name, problems):
        return None
    return known.index(name)


def _check_transpose(
    tree: Mapping, operation: str | None, known: Known, problems: Problems
) -> None:
    operand, node = tree.get("operand"), tree.get("node")
    if isinstance(operand, Scalar) and operand.value not in (0, 1):
        problems.add(operand.span, f"a matmul has no operand {operand.value}", expected="0 or 1")
    if node is not None and operation not in (None, "matmul"):
        problems.add(node.span, f"'{text(node)}' is no matmul, but {operation}")
