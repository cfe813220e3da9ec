"""Tables with tensors in them: written out where they fit, else by shape, on lines below."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeAlias

import numpy as np
from rich.text import Text

from bpstep.render import lines as ui
from bpstep.render.lines import TABLE_WIDTH, Cell, line, packed, table
from bpstep.render.numbers import not_finite, shape_text, value_text

INDENT = 6
"""So far in stands what is below its row."""

Entry: TypeAlias = Cell | tuple[np.ndarray, str]
"""A cell, or a tensor and its style."""


def entry(value: Any, style: str = "") -> Entry:
    """A value as an entry of a table; marked where it is not finite."""
    style = ui.BAD if not_finite(value) else style
    if isinstance(value, np.ndarray) and value.ndim:
        return (value, style)
    return (value_text(value), style)


def value_table(
    heads: Sequence[str],
    rows: Sequence[Sequence[Entry]],
    right: Iterable[int] = (),
    indent: int = 2,
) -> list[Text]:
    """`table`; where it is too wide, tensors have their shape there and stand below."""
    flush = tuple(right)
    whole = table(heads, [list(map(written, row)) for row in rows], flush, indent)
    if all(one.cell_len <= TABLE_WIDTH for one in whole):
        return whole
    head, *narrow = table(heads, [list(map(_shaped, row)) for row in rows], flush, indent)
    laid = [head]
    for row, shown in zip(rows, narrow, strict=True):
        laid += [shown, *_below(heads, row)]
    return laid


def written(one: Entry) -> Cell:
    """An entry as a cell, a small tensor written out."""
    text, style = one if isinstance(one, tuple) else (one, "")
    return (text if isinstance(text, str) else value_text(text), style)


def _shaped(one: Entry) -> Cell:
    text, style = one if isinstance(one, tuple) else (one, "")
    return (text if isinstance(text, str) else shape_text(text.shape), style)


def _below(heads: Sequence[str], row: Sequence[Entry]) -> Iterator[Text]:
    """What the row's tensors are, each after its column's head."""
    parts = [
        f"{head} {value_text(one[0])}"
        for head, one in zip(heads, row, strict=False)
        if isinstance(one, tuple) and not isinstance(one[0], str)
    ]
    for part in packed(parts, TABLE_WIDTH - INDENT):
        yield line(" " * INDENT, (part, ui.FAINT))
