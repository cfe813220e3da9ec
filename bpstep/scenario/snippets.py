"""A text inside a YAML scalar, and where its characters stand in the file.

A quoted scalar has escapes, a block one has indentation, a repeated one has numbers in place of
`{i}`; a caret must still stand under the fault.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from bpstep.scenario.locate import Scalar
from bpstep.scenario.problems import Problems
from bpstep.scenario.source import Span
from bpstep.scenario.tokens import MAX_LENGTH, ExpressionError

_BRACES = re.compile(
    r"\{\s*(?P<name>[^\W\d]\w*)\s*(?:(?P<sign>[-+])\s*(?P<number>[0-9]{1,9})\s*)?\}"
)
_ESCAPES = {"x": 4, "u": 6, "U": 10}


@dataclass(frozen=True, slots=True)
class Snippet:
    """The text of a scalar after substitution, with what was substituted."""

    scalar: Scalar
    text: str
    variables: Mapping[str, int]

    @property
    def lost(self) -> bool:
        """Whether the scalar has a text that could not be read."""
        return not self.text and self.scalar.value != ""

    @property
    def line(self) -> int:
        """The line of the file in which it begins, counted from 1."""
        return self.scalar.source.position(self.scalar.start)[0]

    def span(self, start: int, end: int) -> Span:
        """Where characters of the text stand in the file."""
        places = _places(self.scalar)
        last = len(places) - 1
        first = min(self._original(start), last)
        until = self._original(max(start, end - 1)) + 1
        return Span(self.scalar.source, places[first], max(places[first], places[min(until, last)]))

    def report(self, error: ExpressionError, problems: Problems) -> None:
        """Notes an error of the expression language at its place in the file."""
        span = self.span(error.start, error.end)
        problems.add(span, str(error), suggestion=error.suggestion)

    def _original(self, index: int) -> int:
        """The index in the scalar's own text of a character of the substituted one."""
        done = 0
        for piece, start, replaced in _pieces(str(self.scalar.value), self.variables):
            if index < done + len(piece):
                return start if replaced else start + index - done
            done += len(piece)
        return len(str(self.scalar.value)) + index - done


def snippet(scalar: Scalar, variables: Mapping[str, int], problems: Problems) -> Snippet:
    """The text of a scalar with `{i}`, `{i+N}` and `{i-N}` replaced by numbers.

    Where that cannot be done the text is empty, and the problem reported.
    """
    text = str(scalar.value)
    if "{" not in text or len(text) > MAX_LENGTH:  # too long is told by whoever reads it
        return Snippet(scalar, text, variables)
    if not _check_braces(scalar, text, variables, problems):
        return Snippet(scalar, "", variables)
    pieces = _pieces(text, variables)
    return Snippet(scalar, "".join(piece for piece, _, _ in pieces), variables)


def _check_braces(
    scalar: Scalar, text: str, variables: Mapping[str, int], problems: Problems
) -> bool:
    whole = Snippet(scalar, text, {})
    good = True
    for brace in re.finditer(r"\{", text):
        match = _BRACES.match(text, brace.start())
        if match is None:
            span = whole.span(brace.start(), brace.start() + 1)
            problems.add(span, "'{' that is no substitution", expected="{i}, {i+N} or {i-N}")
        elif match["name"] not in variables:
            span = whole.span(match.start(), match.end())
            problems.add(
                span,
                f"nothing repeats '{match['name']}' here",
                expected=_listed(variables) or "a repeat: around this item",
            )
        elif _number(match, variables) < 0 and re.search(r"\w\Z", text[: match.start()]):
            span = whole.span(match.start(), match.end())
            problems.add(span, f"{match.group()} is negative here, and no part of a name")
        else:
            continue
        good = False
    return good


def _listed(variables: Mapping[str, int]) -> str:
    return " or ".join(f"{{{name}}}" for name in variables)


def _pieces(text: str, variables: Mapping[str, int]) -> Iterator[tuple[str, int, bool]]:
    """The substituted text piece by piece: the piece, its original index, whether replaced."""
    done = 0
    for match in _BRACES.finditer(text) if variables else ():
        if match["name"] not in variables:
            continue
        yield text[done : match.start()], done, False
        number = _number(match, variables)
        yield str(number) if number >= 0 else f"({number})", match.start(), True
        done = match.end()
    yield text[done:], done, False


def _number(match: re.Match[str], variables: Mapping[str, int]) -> int:
    offset = int(match["number"] or 0)
    return variables[match["name"]] + (-offset if match["sign"] == "-" else offset)


@lru_cache(maxsize=4)
def _places(scalar: Scalar) -> list[int]:
    """For each character of the scalar's value, and for its end, the index in the file."""
    text, style = scalar.source.text, scalar.style
    at = scalar.start
    if style in ("|", ">"):
        newline = re.compile(r"\r\n|\r|\n").search(text, at)
        at = newline.end() if newline else at
    elif style:
        at += 1
    places = []
    for char in str(scalar.value):
        at, taken = _match(text, at, scalar.end, char, style)
        places.append(at)
        at += taken
    return [*places, min(at, scalar.end)]


def _match(text: str, at: int, end: int, char: str, style: str | None) -> tuple[int, int]:
    """Where the next character of a value is written, and how many characters that takes."""
    while at < end:
        found = text[at]
        if style == '"' and found == "\\":
            escaped = text[at + 1 : at + 2]
            if escaped not in "\r\n":
                return at, _ESCAPES.get(escaped, 2)
            at += 2
        elif style == "'" and text.startswith("''", at):
            return at, 2
        elif found == char or (char.isspace() and found.isspace()):
            return at, 1
        elif found.isspace():
            at += 1
        else:
            break
    return min(at, end), 0
