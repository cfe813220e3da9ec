"""Tensors written as nested lists in commands: ``[[1, 2], [3, w / 2]]``."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from bpstep.engine.arithmetic import Value
from bpstep.session.errors import CommandError

OPENING, CLOSING = "([", ")]"
DEEPEST = 32
"""NumPy has no tensors of more dimensions."""

Evaluate = Callable[[str, int], Value]
"""Gives the value of an expression that starts at a place in its line."""


def nested(text: str, offset: int, evaluate: Evaluate) -> Value:
    """The number or tensor that is written in ``text``, which starts at ``offset`` in its line.

    Raises CommandError where a bracket is missing or the rows are not of one shape.
    """
    return _value(text, offset, evaluate, depth=0)


def _value(text: str, offset: int, evaluate: Evaluate, depth: int) -> Value:
    start = offset + len(text) - len(text.lstrip())
    text = text.strip()
    if not text.startswith("["):
        return evaluate(text, start)
    end = start + len(text)
    if not text.endswith("]") or depth > DEEPEST:
        raise CommandError("a list ends with ']'", start=start, end=end)
    items = [_value(item, start + 1 + at, evaluate, depth + 1) for at, item in _items(text[1:-1])]
    if len({np.shape(item) for item in items}) > 1:
        raise CommandError("the rows of a tensor are all of one shape", start=start, end=end)
    return np.array(items)


def _items(text: str) -> Iterator[tuple[int, str]]:
    """What stands between the commas that are in no brackets, and where each begins."""
    depth = start = 0
    for at, sign in enumerate(text):
        depth += (sign in OPENING) - (sign in CLOSING)
        if sign == "," and depth == 0:
            yield start, text[start:at]
            start = at + 1
    yield start, text[start:]
