"""Names of nodes: which are legal, and what is said about one that is not known."""

from __future__ import annotations

from collections.abc import Iterable

from bpstep.engine.errors import nearest
from bpstep.engine.ops import RESERVED
from bpstep.scenario.parser import LOGIC, WORDS
from bpstep.scenario.problems import Problems, quoted
from bpstep.scenario.snippets import Snippet
from bpstep.scenario.source import Span
from bpstep.scenario.tokens import is_name

_TAKEN = RESERVED | set(WORDS) | set(LOGIC)


class Names:
    """The names that a file defines, in order, each with the place of its definition."""

    def __init__(self) -> None:
        self.defined: dict[str, Span] = {}

    def define(self, key: Snippet, problems: Problems) -> bool:
        """Takes a name for a node; False (and a problem) where it may not be one or is taken."""
        name, span = key.text, key.span(0, max(1, len(key.text)))
        if not is_name(name):
            problems.add(
                span, f"{quoted(name)} is no name", expected="letters, digits and _, no digit first"
            )
        elif name in _TAKEN:
            problems.add(
                span, f"the name {quoted(name)} is reserved", suggestion=self.free(f"{name}_")
            )
        elif name in self.defined:
            first = self.defined[name]
            line, _ = first.source.position(first.start)
            problems.add(
                span,
                f"{quoted(name)} is defined a second time",
                expected=f"each name once; the first is in line {line} of {first.source.path}",
            )
        else:
            self.defined[name] = span
            return True
        return False

    def free(self, name: str) -> str:
        """A legal name that is not taken yet."""
        while name in self.defined:
            name += "_"
        return name


def unknown(
    span: Span, name: str, known: Iterable[str], problems: Problems, *, what: str = "node"
) -> None:
    """Notes that a name is not known, with the nearest one that is."""
    known = list(known)
    expected = f"one of {', '.join(known)}" if 0 < len(known) <= 12 else None
    problems.add(
        span,
        f"there is no {what} {quoted(name)}",
        expected=expected,
        suggestion=nearest(name, known),
    )
