"""YAML with places: a text -> a tree of scalars, sequences and mappings that know where they stand.

Built on PyYAML's events, never on its constructors: nothing is executed, nothing is shared
between places, and whatever the format does not have (anchors, aliases, tags, merge keys,
second documents) is refused before it can grow.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NoReturn

import yaml

from bpstep.scenario.problems import Problems, quoted
from bpstep.scenario.scalars import Plain, resolve
from bpstep.scenario.source import Source, Span

MAX_DEPTH = 64
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
# U+2028 and U+2029 end a line for libyaml, but not in YAML 1.2: raw ones would be misread.
_UNREADABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\u2028\u2029]")
_HINTS = {
    "\t": "spaces: YAML does not indent with tabs",
    ":": "the indentation of its neighbours, or quotes round a text with ': ' in it",
    "[]{},": "quotes round an expression with this sign in it",
    "@%*&!`|>": "quotes round an expression that begins with this sign",
}
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(frozen=True, slots=True, eq=False)
class _Located:
    source: Source
    start: int
    end: int

    @property
    def span(self) -> Span:
        """Where it stands in its file."""
        return Span(self.source, self.start, self.end)


@dataclass(frozen=True, slots=True, eq=False)
class Scalar(_Located):
    """A value without parts; style is YAML's: None (plain), ' or \" (quoted), | or > (block)."""

    value: Plain
    style: str | None


@dataclass(frozen=True, slots=True, eq=False)
class Sequence(_Located):
    """A list."""

    items: tuple[Tree, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Mapping(_Located):
    """Names and their values, in file order; flow says that it is written in braces."""

    entries: dict[str, tuple[Scalar, Tree]]
    flow: bool

    def get(self, name: str) -> Tree | None:
        """The value under a name, or None."""
        entry = self.entries.get(name)
        return entry[1] if entry else None


Tree = Scalar | Sequence | Mapping


def locate(source: Source, problems: Problems) -> Tree:
    """Parses one document; problems that can be stepped over are collected.

    Raises ScenarioError where nothing sensible can follow: bad syntax, an alias, excessive
    nesting, no document or several.
    """
    _refuse_control_characters(source, problems)
    reader = _Reader(source, problems)
    try:
        return reader.document()
    except yaml.MarkedYAMLError as error:
        index = _index(error.problem_mark or error.context_mark)
        message = " ".join(filter(None, (error.context, error.problem)))
        problems.add(
            Span(source, min(index, len(source.text)), index + 1),
            f"this is not YAML: {message}",
            expected=_hint(source, index),
        )
        raise problems.error() from None
    finally:
        reader.close()


def plain(tree: Tree) -> object:
    """The data alone, as None, truth values, numbers, text, lists and dicts."""
    if isinstance(tree, Scalar):
        return tree.value
    if isinstance(tree, Sequence):
        return [plain(item) for item in tree.items]
    return {name: plain(value) for name, (_, value) in tree.entries.items()}


def descend(tree: Tree, path: tuple[int | str, ...]) -> Iterator[tuple[Scalar | None, Tree]]:
    """The key and value met at each part of a path that exists; other parts are passed over."""
    yield None, tree
    for part in path:
        if isinstance(tree, Mapping) and part in tree.entries:
            key, tree = tree.entries[str(part)]
            yield key, tree
        elif isinstance(tree, Sequence) and isinstance(part, int) and part < len(tree.items):
            tree = tree.items[part]
            yield None, tree


class _Reader:
    """Reads events into a tree; one use."""

    def __init__(self, source: Source, problems: Problems) -> None:
        self._source = source
        self._problems = problems
        self._events = _LOADER(source.text)

    def close(self) -> None:
        self._events.dispose()

    def document(self) -> Tree:
        self._events.get_event()
        if self._events.check_event(yaml.StreamEndEvent):
            self._problems.add(
                Span(self._source, 0, 0),
                "the file is empty",
                expected="a scenario, beginning with 'bpstep: 1'",
            )
            raise self._problems.error()
        self._events.get_event()
        root = self._node(0)
        self._events.get_event()
        if not self._events.check_event(yaml.StreamEndEvent):
            self._stop(self._events.get_event(), "a second document", "one document in a file")
        return root

    def _node(self, depth: int) -> Tree:
        event = self._events.get_event()
        if depth > MAX_DEPTH:
            self._stop(event, f"nesting deeper than {MAX_DEPTH}", "a flatter file")
        if isinstance(event, yaml.AliasEvent):
            self._stop(event, f"an alias, {quoted(f'*{event.anchor}')}", "the value written out")
        self._refuse_decoration(event)
        if isinstance(event, yaml.ScalarEvent):
            return self._scalar(event)
        if isinstance(event, yaml.SequenceStartEvent):
            return self._sequence(event, depth)
        return self._mapping(event, depth)

    def _scalar(self, event: yaml.ScalarEvent) -> Scalar:
        span = self._span(event)
        value = resolve(event.value) if event.implicit[0] else event.value
        self._refuse_escaped_control(span, event)
        return Scalar(self._source, span.start, span.end, value, event.style or None)

    def _sequence(self, event: yaml.SequenceStartEvent, depth: int) -> Sequence:
        items = []
        while not self._events.check_event(yaml.SequenceEndEvent):
            items.append(self._node(depth + 1))
        span = self._span(event, self._events.get_event())
        return Sequence(self._source, span.start, span.end, tuple(items))

    def _mapping(self, event: yaml.MappingStartEvent, depth: int) -> Mapping:
        entries: dict[str, tuple[Scalar, Tree]] = {}
        while not self._events.check_event(yaml.MappingEndEvent):
            key = self._key()
            value = self._node(depth + 1)
            if key.value in entries:
                line, _ = self._source.position(entries[str(key.value)][0].start)
                self._problems.add(
                    key.span,
                    f"the key {quoted(key.value)} stands here a second time",
                    expected=f"each key once; the first is in line {line}",
                )
            else:
                entries[str(key.value)] = key, value
        span = self._span(event, self._events.get_event())
        return Mapping(self._source, span.start, span.end, entries, bool(event.flow_style))

    def _key(self) -> Scalar:
        event = self._events.get_event()
        if not isinstance(event, yaml.ScalarEvent):
            self._stop(event, "a key that is not text", "a name before the colon")
        self._refuse_decoration(event)
        span = self._span(event)
        if event.value == "<<" and event.implicit[0]:
            self._problems.add(span, "a merge key, '<<'", expected="the entries written out")
        self._refuse_escaped_control(span, event)
        return Scalar(self._source, span.start, span.end, event.value, event.style or None)

    def _refuse_decoration(self, event: yaml.NodeEvent) -> None:
        if event.anchor:
            name = quoted(f"&{event.anchor}")
            self._problems.add(self._span(event), f"an anchor, {name}", expected="no anchor")
        tag = getattr(event, "tag", None)
        if tag:
            self._problems.add(self._span(event), f"a tag, {quoted(tag)}", expected="a plain value")

    def _refuse_escaped_control(self, span: Span, event: yaml.ScalarEvent) -> None:
        # Only double quotes have escapes; the text of the file has been searched.
        found = _CONTROL.search(event.value) if event.style == '"' else None
        if found:
            message = f"a control character, {_code(found.group())}"
            self._problems.add(span, message, expected="printable text")

    def _span(self, event: yaml.Event, last: yaml.Event | None = None) -> Span:
        return Span(self._source, _index(event.start_mark), _index((last or event).end_mark))

    def _stop(self, event: yaml.Event, message: str, expected: str) -> NoReturn:
        start = _index(event.start_mark)
        self._problems.add(Span(self._source, start, start + 1), message, expected=expected)
        raise self._problems.error()


def _refuse_control_characters(source: Source, problems: Problems) -> None:
    """Raises ScenarioError for raw control characters, which YAML itself cannot read."""
    for match in itertools.islice(_UNREADABLE.finditer(source.text), 20):
        span = Span(source, match.start(), match.end())
        message = f"a control character, {_code(match.group())}"
        problems.add(span, message, expected="printable text")
    if problems:
        raise problems.error()


def _index(mark: Any) -> int:
    """PyYAML's marks are optional to its types, and present in what its parsers give."""
    return int(mark.index) if mark else 0


def _code(char: str) -> str:
    return f"U+{ord(char):04X}"


def _hint(source: Source, index: int) -> str | None:
    """What a scenario's author most often meant where YAML stumbles."""
    char = source.text[index : index + 1]
    for chars, hint in _HINTS.items():
        if char and char in chars:
            return hint
    return None
