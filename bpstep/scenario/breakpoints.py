"""Breakpoints in a file: each as it stands after the command `break`."""

from __future__ import annotations

import re

from bpstep.engine.ops import OPERATIONS
from bpstep.scenario.known import Known, items
from bpstep.scenario.locate import Scalar, Tree
from bpstep.scenario.names import unknown
from bpstep.scenario.parser import parse
from bpstep.scenario.problems import Problems
from bpstep.scenario.snippets import Snippet
from bpstep.scenario.syntax import Call, Expr, Name, postorder
from bpstep.scenario.tokens import ExpressionError, is_name

# What a condition knows of the step just taken, besides the nodes.
QUANTITIES = (
    "value",
    "grad",
    "upstream",
    "local",
    "contribution",
    "running",
    "depth",
    "op",
    "node",
    "nonfinite",
)
_HOOKS = ("grad", "local")


def check_breakpoints(tree: Tree | None, known: Known, problems: Problems) -> None:
    """Reports breakpoints that could never be set: wrong names, unreadable conditions."""
    for item in items(tree):
        if isinstance(item, Scalar) and isinstance(item.value, str):
            _check(Snippet(item, item.value, {}), known, problems)


def _check(text: Snippet, known: Known, problems: Problems) -> None:
    stripped = text.text.strip()
    start = text.text.find(stripped)
    if stripped == "nonfinite" or (stripped and known.is_node(stripped)):
        return
    if match := re.fullmatch(r"op\s+(\S+)", stripped):
        if match[1] not in OPERATIONS:
            span = text.span(start + match.start(1), start + match.end(1))
            unknown(span, match[1], OPERATIONS, problems, what="operation")
    elif "->" in stripped:
        _check_edge(text, start, known, problems)
    elif is_name(stripped) and stripped not in QUANTITIES:
        span = text.span(start, start + len(stripped))
        known.check_node(span, stripped, problems)
    else:
        match = re.match(r"\s*if\s+", text.text)
        _check_condition(text, match.end() if match else 0, known, problems)


def _check_edge(text: Snippet, start: int, known: Known, problems: Problems) -> None:
    source, _, target = text.text.partition("->")
    after = len(source) + 2
    legal = True
    for part, offset in ((source, 0), (target, after)):
        name = part.strip()
        first = offset + part.find(name)
        span = text.span(first, first + max(1, len(name)))
        legal = known.check_node(span, name, problems) and legal
    if legal and not known.sends(source.strip(), target.strip()):
        problems.add(
            text.span(start, len(text.text)),
            f"'{source.strip()}' sends nothing to '{target.strip()}'",
            expected="consumer -> operand",
        )


def _check_condition(text: Snippet, start: int, known: Known, problems: Problems) -> None:
    try:
        expr = parse(text.text[start:], conditions=True)
    except ExpressionError as error:
        span = text.span(start + error.start, start + error.end)
        problems.add(span, str(error), suggestion=error.suggestion)
        return
    for node in postorder(expr, _is_hook):
        span = text.span(start + node.start, start + node.end)
        if isinstance(node, Name) and node.id not in QUANTITIES:
            if not known.is_node(node.id):
                unknown(span, node.id, [*QUANTITIES, *known.nodes], problems, what="quantity")
        elif isinstance(node, Call) and node.function not in _HOOKS:
            operation = OPERATIONS.get(node.function)
            if operation is None or not operation.callable:
                unknown(span, node.function, [*OPERATIONS, *_HOOKS], problems, what="operation")


def _is_hook(node: Expr) -> bool:
    return isinstance(node, Call) and node.function in _HOOKS
