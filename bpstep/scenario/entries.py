"""The entries of a graph: names and expressions, checked against each other and put in order."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from bpstep.engine.ops import OPERATIONS
from bpstep.scenario.binding import bind
from bpstep.scenario.locate import Tree
from bpstep.scenario.names import Names, unknown
from bpstep.scenario.order import evaluation_order
from bpstep.scenario.parser import parse
from bpstep.scenario.problems import Problems
from bpstep.scenario.repeat import RawEntry
from bpstep.scenario.repeat import entries as raw_entries
from bpstep.scenario.snippets import Snippet
from bpstep.scenario.syntax import Binary, Call, Expr, Index, Name, Number, Unary, names, postorder
from bpstep.scenario.tensors import is_number
from bpstep.scenario.tokens import ExpressionError


@dataclass(frozen=True, slots=True, eq=False)
class Entry:
    """One entry: its name, its expression (None where it cannot be read) and their places."""

    name: str
    key: Snippet
    value: Snippet
    expr: Expr | None


def read_entries(graph: Tree, names: Names, problems: Problems) -> list[Entry]:
    """The entries in file order. Names and syntax are checked, uses of names are not."""
    return [
        Entry(raw.key.text, raw.key, raw.value, _expression(raw, problems))
        for raw in raw_entries(graph, problems)
        if not raw.key.lost and names.define(raw.key, problems)
    ]


def in_order(entries: list[Entry], leaves: Mapping[str, bool], problems: Problems) -> list[Entry]:
    """The entries in evaluation order; unknown names and cycles are reported.

    leaves says of each leaf whether it has a value. What cannot be evaluated is left out: an
    entry that has a problem or is on a cycle, and whatever reads one or a leaf without value.
    """
    places = {entry.name: index for index, entry in enumerate(entries)}
    broken = _check_uses(entries, dict.fromkeys((*leaves, *places)), problems)
    reads = [_reads(entry) for entry in entries]
    needs = [{places[name] for name in read if name in places} for read in reads]
    order, cycles = evaluation_order(needs)
    for cycle in cycles:
        _report_cycle([entries[index] for index in cycle], problems)
    usable = {name for name, has_value in leaves.items() if has_value}
    good = []
    for entry, read in [(entries[index], reads[index]) for index in order]:
        if entry.expr and entry.name not in broken and usable.issuperset(read):
            usable.add(entry.name)
            good.append(entry)
    return good


def _reads(entry: Entry) -> list[str]:
    return [name.id for name in names(entry.expr)] if entry.expr else []


def _report_cycle(cycle: list[Entry], problems: Problems) -> None:
    path = [entry.name for entry in (*cycle, cycle[0])]
    shown = path if len(path) <= 12 else [*path[:6], "…", *path[-5:]]
    key = cycle[0].key
    problems.add(
        key.span(0, len(key.text)),
        f"a cycle: {' → '.join(shown)}",
        expected="expressions of nodes that do not need this one",
    )


def _expression(raw: RawEntry, problems: Problems) -> Expr | None:
    value = raw.value.scalar.value
    if is_number(value):
        return Number(0, len(raw.value.text), float(value))  # type: ignore[arg-type]
    if raw.value.lost or not (raw.value.text or raw.value.scalar.style):
        return None  # the reader of entries has said so
    try:
        return parse(raw.value.text)
    except ExpressionError as error:
        cut = raw.in_braces and raw.value.scalar.style is None and "the end" in str(error)
        span = raw.value.span(error.start, error.end)
        expected = "quotes round it: in braces a comma ends an expression" if cut else None
        problems.add(span, str(error), expected=expected, suggestion=error.suggestion)
        return None


def _check_uses(entries: Iterable[Entry], known: Collection[str], problems: Problems) -> set[str]:
    """Every name must be a node's, every call an operation's; the entries where one is not."""
    broken = set()
    for entry in entries:
        for node in postorder(entry.expr) if entry.expr else ():
            if not _is_known(entry.value, node, known, problems):
                broken.add(entry.name)
    return broken


def _is_known(text: Snippet, node: Expr, known: Collection[str], problems: Problems) -> bool:
    if isinstance(node, Name):
        if node.id not in known:
            _unknown_operand(text, node, known, problems)
        return node.id in known
    if isinstance(node, (Unary, Binary, Call, Index)):
        return _is_application(text, node, known, problems)
    return True


def _unknown_operand(text: Snippet, name: Name, known: Collection[str], problems: Problems) -> None:
    span = text.span(name.start, name.end)
    operation = OPERATIONS.get(name.id)
    if operation is not None and operation.callable:
        problems.add(
            span, f"'{name.id}' is an operation, not a node", expected=f"a call, {name.id}(…)"
        )
    else:
        unknown(span, name.id, known, problems)


def _is_application(
    text: Snippet,
    node: Unary | Binary | Call | Index,
    known: Collection[str],
    problems: Problems,
) -> bool:
    try:
        bind(node)
    except ExpressionError as error:
        if isinstance(node, Call) and node.function in known:
            name = node.function
            message = f"'{name}' is a node, not an operation"
            error = ExpressionError(message, error.start, error.end, f"{name} * (…)")
        text.report(error, problems)
        return False
    return True
