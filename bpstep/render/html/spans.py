"""Styled text as HTML: the names of styles become classes, what a user wrote stays text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from itertools import pairwise
from typing import TYPE_CHECKING

from bpstep.render import lines as ui
from bpstep.render.drawing.faces import HERE, SELECTED

if TYPE_CHECKING:
    from rich.text import Text

CLASSES = {
    ui.HEADING: "b",
    ui.FAINT: "f",
    ui.NUMBER: "n",
    ui.GOOD: "g",
    ui.OPEN: "o",
    ui.BAD: "x",
    ui.KINK: "k",
    HERE: "b o here",
    SELECTED: "",
}
"""Classes of the page's style sheet by the names of styles; others are words of colours."""


def segments(text: Text) -> Iterator[tuple[str, str]]:
    """Pieces of a text, each with its classes; of styles that overlap all are given."""
    plain = text.plain
    edges = {0, len(plain), *(edge for span in text.spans for edge in (span.start, span.end))}
    cuts = sorted(edge for edge in edges if 0 <= edge <= len(plain))
    for start, end in pairwise(cuts):
        styles = [str(span.style) for span in text.spans if span.start <= start < span.end]
        yield plain[start:end], " ".join(dict.fromkeys(map(class_of, styles))).strip()


def class_of(style: str) -> str:
    """The class of a style; a compound of several words has the classes of all of them."""
    known = CLASSES.get(style)
    if known is not None:
        return known
    return " ".join(CLASSES[word] for word in style.split() if word in CLASSES)


def html_pieces(pieces: Iterable[Sequence[str]]) -> str:
    """Pieces of a line, each text and classes, as HTML."""
    return "".join(
        f'<span class="{classes}">{escape(piece)}</span>' if classes else escape(piece)
        for piece, classes in pieces
    )


def html_block(lines: Iterable[Text]) -> str:
    """Lines as what goes into a ``<pre>``."""
    return "\n".join(html_pieces(segments(line)) for line in lines)
