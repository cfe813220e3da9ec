"""A node's value and gradient as small pictures, side by side where there is room."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from rich.text import Text

from bpstep.render import lines as ui
from bpstep.render.card import gradient_head, summary_text
from bpstep.render.lines import line
from bpstep.session.card import Same
from bpstep.tui.draw.heat import picture, side_by_side

if TYPE_CHECKING:
    from bpstep.session.card import Card, Summary

FEWEST_COLUMNS = 34
"""With fewer columns there is one picture: that of the gradient, once there is one."""

FEWEST_LINES, MOST_LINES = 2, 10
GAP = " │ "


def summary_lines(card: Card, width: int) -> Iterator[Text]:
    """Smallest, largest, mean and norm of value and gradient: a line each, or a narrow table."""
    both = (("value", card.value_summary), ("gradient", card.grad_summary))
    found = [(name, summary) for name, summary in both if summary is not None]
    lines = [line((f"{name:<9}{summary_text(summary)}", ui.FAINT)) for name, summary in found]
    if len(found) > 1 and any(text.cell_len > width for text in lines):
        heads = ("", "min", "max", "mean", "norm", "")
        rows = [heads, *(_summary_row(name, summary) for name, summary in found)]
        lines = [_row(row, rows) for row in rows]
    yield from lines


def _summary_row(name: str, summary: Summary) -> tuple[str, ...]:
    numbers = (summary.minimum, summary.maximum, summary.mean, summary.norm)
    written = ("" if number is None else f"{number:.3g}" for number in numbers)
    broken = f"{ui.NOT_FINITE} {summary.nonfinite}" if summary.nonfinite else ""
    return (name, *written, broken)


def _row(row: Sequence[str], rows: Sequence[Sequence[str]]) -> Text:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    name, *numbers = row
    cells = [name.ljust(widths[0])]
    cells += [text.rjust(size) for text, size in zip(numbers, widths[1:], strict=True)]
    return line((" ".join(cells).rstrip(), ui.FAINT))


def taken(lines: Sequence[Text], width: int) -> int:
    """How many lines of the screen these take, long ones being wrapped."""
    return sum(max(1, -(-text.cell_len // max(1, width))) for text in lines)


def tensor_pictures(card: Card, width: int, height: int) -> Iterator[Text]:
    """The pictures under their heads; nothing of a number, or where there is no room."""
    room = min(height - 1, MOST_LINES)
    if room < FEWEST_LINES or not card.shape:
        return
    named = [("value", card.row.value), (gradient_head(card.row), card.row.grad)]
    shown = [(name, value) for name, value in named if isinstance(value, np.ndarray)]
    if width < FEWEST_COLUMNS:
        shown = shown[-1:]
    half = width if len(shown) < 2 else (width - len(GAP)) // 2
    blocks = [_block(name, value, half, room) for name, value in shown]
    first, *second = blocks
    yield from side_by_side(first, second[0], width, GAP) if second else first


def _block(name: str, value: np.ndarray, width: int, height: int) -> list[Text]:
    head = line((name[:width], ui.FAINT))
    return [head, *(text.copy() for text in _drawn(Same(value), width, height))]


@lru_cache(maxsize=16)
def _drawn(same: Same, width: int, height: int) -> tuple[Text, ...]:
    """A picture, kept while one steps past it: a large tensor takes a while to look through."""
    return tuple(picture(same.array, width, height))
