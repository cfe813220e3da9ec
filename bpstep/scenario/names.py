"""Names of nodes: which are legal, and what is said about one that is not known."""

from __future__ import annotations

import itertools
from collections.abc import Iterable

from bpstep.engine.errors import nearest
from bpstep.engine.ops import RESERVED
from bpstep.scenario.parser import LOGIC, WORDS
from bpstep.scenario.problems import Problems, quoted
from bpstep.scenario.snippets import Snippet
from bpstep.scenario.source import Span
from bpstep.scenario.tokens import is_name

MAX_CHOICES = 2000  # comparing a name with more takes seconds
_TAKEN = RESERVED | set(WORDS) | set(LOGIC)


class Names:
    """The names that a file defines, in order, each as it is written."""

    def __init__(self) -> None:
        self.defined: dict[str, Snippet] = {}

    def define(self, key: Snippet, problems: Problems) -> bool:
        """Takes a name for a node; False (and a problem) where it may not be one or is taken."""
        name = key.text
        if is_name(name) and name not in _TAKEN and name not in self.defined:
            self.defined[name] = key
            return True
        span = key.span(0, max(1, len(name)))
        if not is_name(name):
            problems.add(
                span, f"{quoted(name)} is no name", expected="letters, digits and _, no digit first"
            )
        elif name in _TAKEN:
            problems.add(
                span, f"the name {quoted(name)} is reserved", suggestion=self.free(f"{name}_")
            )
        else:
            problems.add(
                span,
                f"{quoted(name)} is defined a second time",
                expected=f"each name once; the first is in line {self.defined[name].line}",
            )
        return False

    def free(self, name: str) -> str:
        """A legal name that is not taken yet."""
        while name in self.defined:
            name += "_"
        return name


def unknown(
    span: Span, name: str, known: Iterable[str], problems: Problems, *, what: str = "node"
) -> None:
    """Notes that a name is not known, with the nearest one that is, or the first few."""
    if not problems.takes(span):
        return
    first = list(itertools.islice(known, MAX_CHOICES))
    suggestion = nearest(name, first)
    shown = first if len(first) <= 12 else [*first[:10], "…"]
    problems.add(
        span,
        f"there is no {what} {quoted(name)}",
        expected=f"one of {', '.join(shown)}" if shown and not suggestion else None,
        suggestion=suggestion,
    )
