"""Lines of styled text and tables of them, made from cells; what a style says, a sign says too."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

from rich.cells import cell_len, set_cell_size
from rich.text import Span, Text

from bpstep.render.sanitize import visible

HEADING, FAINT, NUMBER = "bold", "dim", "cyan"
GOOD, OPEN, BAD, KINK = "green", "yellow", "bold red", "magenta"

COMPLETE, PARTIAL, NOTHING, UNRECORDED = "●", "◐", "○", "∅"
CUT, AT_KINK, NOT_FINITE, HERE, BREAKPOINT = "✂", "⊥", "!", "▶", "◆"
SIGNS = {"complete": COMPLETE, "partial": PARTIAL, "none": NOTHING, "unrecorded": UNRECORDED}
SIGN_STYLES = {COMPLETE: GOOD, PARTIAL: OPEN, NOTHING: FAINT, UNRECORDED: FAINT}

Cell: TypeAlias = str | tuple[str, str]
"""Text, or text and its style."""


def line(*cells: Cell) -> Text:
    """Cells one after the other; what a terminal would obey in them is made visible."""
    texts: list[str] = []
    spans: list[Span] = []
    end = 0
    for cell in cells:
        text, style = (cell, "") if isinstance(cell, str) else cell
        texts.append(shown := visible(text))
        start, end = end, end + len(shown)
        if style and shown:
            spans.append(Span(start, end, style))
    return Text("".join(texts), spans=spans, end="")


def padded(cell: Cell, width: int, right: bool = False) -> Cell:
    """A cell filled up with spaces to so many columns of the screen."""
    text, style = (cell, "") if isinstance(cell, str) else cell
    text = visible(text)
    space = " " * (width - (len(text) if text.isascii() else cell_len(text)))
    return (space + text if right else text + space, style)


def cut(text: str, width: int) -> str:
    """Text of at most so many columns of the screen, with … in place of what is left out."""
    shown = visible(text)
    if cell_len(shown) <= width:
        return shown
    return set_cell_size(shown, width - 1).rstrip() + "…"


NAME_WIDTH, EXPRESSION_WIDTH = 28, 34
"""Names and expressions in tables are cut to so many columns."""

TABLE_WIDTH = 100
"""Tensors are written out in tables that are then no wider than this."""

WIDTH = 86
"""Sentences are wrapped at so many columns."""


class GoesOn(Text):
    """A line in which the sentences of the one before go on."""


def wrapped(sentences: str, indent: int = 2) -> Iterator[Text]:
    """Sentences as lines; a long name is not broken."""
    parts = textwrap.wrap(sentences, WIDTH, break_long_words=False, break_on_hyphens=False)
    for number, part in enumerate(parts):
        text = line(" " * indent, part)
        yield GoesOn(text.plain, end="") if number else text


def unwrapped(lines: Iterable[Text]) -> list[Text]:
    """Lines with sentences in one again, for who wraps them at another width."""
    whole: list[Text] = []
    for each in lines:
        if isinstance(each, GoesOn) and whole:
            whole[-1] = Text.assemble(whole[-1], " ", each.plain.strip(), end="")
        else:
            whole.append(each)
    return whole


def columns(
    rows: Sequence[Sequence[Cell]], right: Iterable[int] = (), indent: int = 2
) -> list[Text]:
    """Rows with their cells aligned, two spaces between; the columns in `right` flush right."""
    widths: list[int] = []
    for row in rows:
        for number, cell in enumerate(row):
            size = cell_len(visible(cell if isinstance(cell, str) else cell[0]))
            if number == len(widths):
                widths.append(0)
            widths[number] = max(widths[number], size)
    flush = frozenset(right)
    return [
        trimmed(
            line(
                " " * indent,
                *_spaced([padded(cell, widths[n], n in flush) for n, cell in enumerate(row)]),
            )
        )
        for row in rows
    ]


def packed(parts: Iterable[str], width: int) -> list[str]:
    """Parts side by side, two spaces between, in as few lines of this width as hold them."""
    lines: list[str] = []
    for part in parts:
        if lines and len(lines[-1]) + 2 + len(part) <= width:
            lines[-1] += f"  {part}"
        else:
            lines.append(part)
    return lines


def table(
    heads: Sequence[str], rows: Sequence[Sequence[Cell]], right: Iterable[int] = (), indent: int = 2
) -> list[Text]:
    """`columns` under a line of heads."""
    return columns([[(head, FAINT) for head in heads], *rows], right, indent)


def _spaced(cells: Sequence[Cell]) -> list[Cell]:
    spaced: list[Cell] = []
    for number, cell in enumerate(cells):
        spaced += [cell] if number == 0 else ["  ", cell]
    return spaced


def trimmed(text: Text) -> Text:
    """Without spaces at its end."""
    text.rstrip()
    return text
