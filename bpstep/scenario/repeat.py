"""The entries of a graph, repeated ones written out."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Mapping as Names
from dataclasses import dataclass

from bpstep.engine.errors import nearest
from bpstep.scenario.locate import Mapping, Scalar, Sequence, Tree
from bpstep.scenario.problems import Problems, quoted
from bpstep.scenario.snippets import Snippet, snippet
from bpstep.scenario.tokens import is_name

MAX_ENTRIES = 200_000
MAX_CHARACTERS = 4_000_000


@dataclass(frozen=True, slots=True)
class RawEntry:
    """One entry of the graph: its name and its expression, as they are written."""

    key: Snippet
    value: Snippet
    in_braces: bool


@dataclass(frozen=True, slots=True)
class _Range:
    name: str
    first: int
    last: int

    @property
    def count(self) -> int:
        """How many numbers, both ends included (len() has a limit, this has none)."""
        return self.last - self.first + 1


def entries(graph: Tree, problems: Problems) -> list[RawEntry]:
    """Every entry in file order; what cannot be read is reported and left out."""
    count = _count(graph)
    if count > MAX_ENTRIES:
        message = f"the graph has {count} entries" if count < 10**30 else "the graph is endless"
        problems.add(graph.span, message, expected=f"at most {MAX_ENTRIES}")
        return []
    found = []
    characters = 0
    for entry in _expand(graph, {}, problems):
        characters += len(entry.key.text) + len(entry.value.text)
        if characters > MAX_CHARACTERS:
            expected = f"at most {MAX_CHARACTERS} characters"
            problems.add(graph.span, "the graph, written out, is too long", expected=expected)
            return []
        found.append(entry)
    return found


def _expand(tree: Tree, variables: Names[str, int], problems: Problems) -> Iterator[RawEntry]:
    if isinstance(tree, Sequence):
        for item in tree.items:
            yield from _item(item, variables, problems)
    elif isinstance(tree, Mapping):
        for key, value in tree.entries.values():
            yield _entry(key, value, variables, tree.flow, problems)
    else:
        problems.add(tree.span, "this is no graph", expected="name: expression, a line each")


def _item(item: Tree, variables: Names[str, int], problems: Problems) -> Iterator[RawEntry]:
    if not isinstance(item, Mapping):
        problems.add(item.span, "this is no entry", expected="name: expression, or a repeat")
    elif "repeat" not in item.entries:
        yield from _expand(item, variables, problems)
    else:
        yield from _repeat(item, variables, problems)


def _entry(
    key: Scalar, value: Tree, variables: Names[str, int], in_braces: bool, problems: Problems
) -> RawEntry:
    name = snippet(key, variables, problems)
    if not isinstance(value, Scalar) or value.value is None or isinstance(value.value, bool):
        if is_name(name.text):  # else the key is to blame
            span = value.span if value.end > value.start else key.span
            message = f"{quoted(key.value)} has no expression"
            problems.add(span, message, expected="an expression such as w * x")
        value = Scalar(value.source, value.start, value.end, "", None)
    return RawEntry(name, snippet(value, variables, problems), in_braces)


def _repeat(item: Mapping, variables: Names[str, int], problems: Problems) -> Iterator[RawEntry]:
    _check_keys(item, problems)
    over = _range(item.get("repeat"))
    if over is None or over.count < 1 or over.name in variables:
        _explain(item, over, problems)
        return
    body = item.get("do")
    if body is None:
        return
    items = body.items if isinstance(body, Sequence) else (body,)
    for number in range(over.first, over.last + 1):
        for inner in items:
            yield from _item(inner, {**variables, over.name: number}, problems)


def _check_keys(item: Mapping, problems: Problems) -> None:
    for name, (key, _) in item.entries.items():
        if name not in ("repeat", "do"):
            message = f"a repeat has no key {quoted(name)}"
            problems.add(
                key.span, message, expected="repeat, do", suggestion=nearest(name, ("repeat", "do"))
            )
    if "do" not in item.entries:
        problems.add(item.entries["repeat"][0].span, "a repeat without do", expected="do: [ … ]")


def _range(tree: Tree | None) -> _Range | None:
    """The variable and its bounds, or None where the tree is not {i: [1, 10]}."""
    if not isinstance(tree, Mapping) or len(tree.entries) != 1:
        return None
    ((name, (_, bounds)),) = tree.entries.items()
    if not isinstance(bounds, Sequence) or len(bounds.items) != 2 or not is_name(name):
        return None
    numbers = [item.value for item in bounds.items if isinstance(item, Scalar)]
    if len(numbers) != 2 or any(type(number) is not int for number in numbers):
        return None
    return _Range(name, int(numbers[0] or 0), int(numbers[1] or 0))


def _explain(item: Mapping, over: _Range | None, problems: Problems) -> None:
    span = item.entries["repeat"][1].span
    if over is None:
        problems.add(span, "this is no range", expected="a name and two integers, {i: [1, 10]}")
    elif over.count < 1:
        problems.add(span, f"the range {over.first} to {over.last} is empty")
    else:
        problems.add(span, f"'{over.name}' is repeated already", expected="another name")


def _count(tree: Tree) -> int:
    """How many entries there will be, found without writing them out."""
    if isinstance(tree, Sequence):
        return sum(_count(item) for item in tree.items)
    if not isinstance(tree, Mapping):
        return 0
    if "repeat" not in tree.entries:
        return len(tree.entries)
    over, body = _range(tree.get("repeat")), tree.get("do")
    return max(0, over.count) * max(1, _count(body)) if over and body else 0
