"""Expressions and node names in commands, their errors turned to the place in the line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bpstep.engine.errors import GraphError
from bpstep.scenario.expressions import (
    Expr,
    ExpressionError,
    Found,
    NothingThereError,
    canonical,
    evaluate,
    parse,
)
from bpstep.scenario.syntax import Call, Name, postorder
from bpstep.session.edges import index_of
from bpstep.session.errors import CommandError, unknown
from bpstep.session.scope import Scope, View, holds

if TYPE_CHECKING:
    from bpstep.engine.graph import Graph


def expression(text: str, offset: int) -> Expr:
    """The tree of an expression that starts at ``offset`` in its line; raises CommandError."""
    try:
        return parse(text, conditions=True)
    except ExpressionError as error:
        raise located(error, offset) from None


def value(parsed: Expr, scope: Scope, offset: int) -> Found:
    """The value of an expression, None where it needs what has not arrived (``scope.missing``).

    Raises CommandError where it cannot be evaluated.
    """
    try:
        return evaluate(parsed, scope, scope.view.dtype)
    except NothingThereError:
        return None
    except ExpressionError as error:
        raise located(error, offset) from None


def located(error: ExpressionError, offset: int) -> CommandError:
    """An error in an expression as one in the line that holds it."""
    hint = f"; did you mean {error.suggestion!r}?" if error.suggestion else ""
    return CommandError(
        f"{error}{hint}", start=offset + error.start, end=offset + error.end, code=error.code
    )


def node_index(graph: Graph, text: str, offset: int) -> int:
    """A node by name or by its formula; raises CommandError with near names."""
    index = find_node(graph, text.strip())
    if index is None:
        labels = [graph.label(node) for node in graph.visible()]
        end = offset + len(text.rstrip())
        raise unknown("node", text.strip(), labels, start=offset, end=end)
    return index


def find_node(graph: Graph, text: str) -> int | None:
    """A node by name or by its formula, however it is spaced: ``(e ** 2)``, ``e**2``; or None."""
    index = index_of(graph, text)
    if index is not None:
        return index
    try:
        return index_of(graph, f"({canonical(parse(text))})")
    except (ExpressionError, GraphError):
        return None


def condition(text: str, view: View, offset: int) -> Expr:
    """A condition that can be evaluated; raises CommandError.

    It is tried on the last step of the view's pass, so that a wrong name shows at once.
    """
    parsed = expression(text, offset)
    last = len(view.pass_.ledger) if view.pass_ else 0
    scope = Scope(view, last, quantities_first=True)
    check_names(parsed, scope, offset)
    try:
        holds(parsed, scope)
    except ExpressionError as error:
        raise located(error, offset) from None
    return parsed


def check_names(parsed: Expr, scope: Scope, offset: int) -> None:
    """Raise CommandError for a name that does not exist, also where nothing is evaluated yet."""

    def looks_up(part: Expr) -> bool:
        return isinstance(part, Call) and part.function in scope.functions

    for part in postorder(parsed, looks_up):
        if isinstance(part, Name) or looks_up(part):
            value(part, scope, offset)
