"""The tree of errors: mistakes of a user, each with a code that programs can test."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from itertools import islice

# Comparing texts is slow, and a tape can have a million names.
_MOST_CHOICES = 5_000


class BpstepError(Exception):
    """A user's mistake: the message says what is wrong and what would be right.

    ``code`` is a short stable name (``"shape"``, ``"no-gradient"`` …).
    """

    code = "error"

    def __init__(self, message: str, code: str | None = None) -> None:
        super().__init__(message)
        if code is not None:
            self.code = code


class GraphError(BpstepError):
    """A graph that cannot be recorded or differentiated.

    Codes: ``shape``, ``argument``, ``unknown-name``, ``name``, ``convention``, ``too-large``,
    ``loss-not-scalar``, ``no-gradient``, ``tensor``.
    """

    code = "graph"


class RunError(BpstepError):
    """A run of a program that ends early, as a framework would end it.

    ``code`` is ``graph-freed`` or ``stale-value``: ``node`` names the value that is gone or was
    changed, ``consumer`` the operation that saved it, ``statement`` the statement that freed or
    changed it and ``statement_number`` its place in the program (1 first). Or ``fault-too-long``:
    ``node`` and ``consumer`` name the node at which the pass of ``statement`` was given up. Or
    ``no-gradient``: they name the node that ``statement`` cannot differentiate.
    """

    def __init__(
        self,
        message: str,
        code: str,
        *,
        node: str,
        consumer: str,
        statement: str,
        statement_number: int,
    ) -> None:
        super().__init__(message, code)
        self.node = node
        self.consumer = consumer
        self.statement = statement
        self.statement_number = statement_number


def nearest(word: str, choices: Iterable[str]) -> str | None:
    """The legal name closest to a mistyped one, or None where nothing is close."""
    few = list(islice(choices, _MOST_CHOICES))
    found = difflib.get_close_matches(word, few, n=1, cutoff=0.6)
    return found[0] if found else None


def did_you_mean(word: str, choices: Iterable[str]) -> str:
    """A hint to append to a message: ``"; did you mean 'relu'?"``, or nothing."""
    found = nearest(word, choices)
    return f"; did you mean {found!r}?" if found else ""
