"""What is wrong with a file: problems with a place, collected and shown all at once."""

from __future__ import annotations

import difflib
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

from bpstep.engine.errors import BpstepError
from bpstep.scenario.source import Span

MAX_PROBLEMS = 200  # of one file; nobody reads more, and a bad one must not flood
_WINDOW = 100  # widest piece of a source line that is shown


@dataclass(frozen=True)
class Problem:
    """One mistake: where it is, what was found, what was expected, and the nearest legal name.

    line and column count characters from 1; line 0 means that the file has no such place
    (it is missing, or not text). width is the number of characters at fault.
    """

    file: str
    line: int
    column: int
    message: str
    source_line: str = ""
    expected: str | None = None
    suggestion: str | None = None
    width: int = 1

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}:{self.column}" if self.line else self.file
        lines = [f"{place}: {self.message}"]
        if self.line:
            lines += _excerpt(self)
        if self.expected:
            lines.append(f"  expected: {self.expected}")
        if self.suggestion:
            lines.append(f"  did you mean: {self.suggestion}")
        return "\n".join(lines)


class ScenarioError(BpstepError):
    """A file is not a scenario: every problem found in it, in the order of their places."""

    code = "scenario"

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(map(str, self.problems)))

    @property
    def line(self) -> int:
        """The line of the first problem, counted from 1."""
        return self.problems[0].line

    @property
    def column(self) -> int:
        """The column of the first problem, counted from 1."""
        return self.problems[0].column


class Problems:
    """Collects problems, so that all of a file are reported together."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, int, int, str], Problem] = {}

    def add(
        self,
        span: Span,
        message: str,
        *,
        expected: str | None = None,
        suggestion: str | None = None,
        subject: str = "",
    ) -> None:
        """Notes a problem.

        Of several at one place the first is kept, for the others follow from it; those about
        what is not there share a place, and are told apart by their subject.
        """
        if len(self._found) >= MAX_PROBLEMS:
            return
        line, column = span.source.position(span.start)
        problem = Problem(
            span.source.path,
            line,
            column,
            message,
            span.source.line(line),
            expected,
            suggestion,
            max(1, span.end - span.start),
        )
        self._found.setdefault((problem.file, line, column, subject), problem)

    def takes(self, span: Span) -> bool:
        """Whether a problem at this place would be kept: finding a good message can be slow."""
        place = (span.source.path, *span.source.position(span.start), "")
        return len(self._found) < MAX_PROBLEMS and place not in self._found

    def __bool__(self) -> bool:
        return bool(self._found)

    def error(self) -> ScenarioError:
        """All problems so far as one error, in the order of files met, lines and columns."""
        files = list(dict.fromkeys(file for file, *_ in self._found))
        places = sorted(self._found, key=lambda at: (files.index(at[0]), *at[1:3]))
        return ScenarioError(self._found[place] for place in places)


def whole_file(
    file: str, message: str, *, expected: str | None = None, suggestion: str | None = None
) -> ScenarioError:
    """The error of a file that has no places: missing, unreadable, too large."""
    return ScenarioError([Problem(file, 0, 0, message, "", expected, suggestion)])


def nearest(name: str, choices: Iterable[str]) -> str | None:
    """The legal name most like the one found, or None where nothing is alike."""
    choices = list(choices)
    by_case = {choice.lower(): choice for choice in choices}
    if name.lower() in by_case:
        return by_case[name.lower()]
    matches = difflib.get_close_matches(name[:80], choices, n=1, cutoff=0.6)
    return matches[0] if matches else None


def quoted(text: object, limit: int = 60) -> str:
    """Text of a file, made safe and short enough to be put in a message."""
    shown = _visible(str(text))
    return f"'{shown if len(shown) <= limit else shown[: limit - 1] + '…'}'"


def _visible(text: str) -> str:
    """Replaces what a terminal would act on by a sign that takes one column."""
    return "".join(
        " " if char == "\t" else "�" if unicodedata.category(char) in _UNSEEN else char
        for char in text
    )


_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})


def _width(text: str) -> int:
    """Columns that the text takes in a terminal: wide characters two, combining ones none."""
    return sum(
        0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1
        for char in text
    )


def _excerpt(problem: Problem) -> list[str]:
    """The line at fault and a caret under the place, at most a screen wide."""
    at = problem.column - 1
    first = max(0, at - _WINDOW * 2 // 3)
    shown = _visible(problem.source_line[first : first + _WINDOW])
    fault = shown[at - first : at - first + problem.width]
    before = ("…" if first else "") + shown[: at - first]
    after = "…" if len(problem.source_line) > first + _WINDOW else ""
    gutter = f"{problem.line:>5}"
    carets = "^" * max(1, _width(fault.rstrip()))
    return [
        f"{gutter} | {before}{shown[at - first :]}{after}".rstrip(),
        f"{' ' * len(gutter)} | {' ' * _width(before)}{carets}",
    ]
