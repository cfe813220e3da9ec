"""A laid out drawing as lines of text: what boxes contain and how edges are marked goes in here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from rich.cells import cell_len
from rich.text import Span, Text

from bpstep.render.drawing.canvas import UP, Cell
from bpstep.render.drawing.drawing import Spot
from bpstep.render.drawing.glyphs import (
    BRACKETS,
    FRAMES,
    HEAVY,
    LIGHT,
    NONE,
    TIPS,
    ascii_line,
    unicode_line,
)
from bpstep.render.drawing.shape import Layout
from bpstep.render.sanitize import visible


@dataclass(frozen=True)
class Face:
    """What a box shows: its lines, the style of its frame, what kind of node (``operation``,
    ``leaf``, ``constant``) that is of, and what stands in its upper side.
    """

    lines: tuple[Text, ...]
    frame: str = ""
    kind: str = "operation"
    title: Text = field(default_factory=lambda: Text(end=""))


@dataclass(frozen=True)
class Mark:
    """How an edge is drawn.

    ``heavy`` lines carry what has just come up them; ``dashed`` ones carry nothing back. The
    ``label`` stands beside the point where the edge meets its box. Where edges share a line, the
    heavy one shows, else that of the highest ``rank``. The arrow of what has been ``sent`` back
    points up, as that of a heavy one does.
    """

    style: str = ""
    heavy: bool = False
    label: str = ""
    dashed: bool = False
    rank: int = 0
    sent: bool = False


PLAIN = Mark()

Piece = tuple[int, Text | str, str]
"""A column, what stands there, and its style."""


def paint(layout: Layout, faces: Mapping[int, Face], marks: Mapping[int, Mark]) -> list[Text]:
    """The whole drawing."""
    return [paint_line(layout, y, faces, marks) for y in range(layout.height)]


def paint_line(
    layout: Layout, y: int, faces: Mapping[int, Face], marks: Mapping[int, Mark]
) -> Text:
    """One line of the drawing, without spaces at its end; empty outside of it."""
    if not 0 <= y < layout.height:
        return Text(end="")
    pieces = [*_boxes(layout, y, faces, marks), *_lines(layout, y, marks)]
    pieces += _labels(layout, y, marks)
    pieces.sort(key=lambda piece: piece[0])
    return _joined(pieces)


def _joined(pieces: Iterable[Piece]) -> Text:
    """Pieces at their columns, with spaces between."""
    texts: list[str] = []
    spans: list[Span] = []
    length = column = 0
    for x, piece, style in pieces:
        if x > column:
            texts.append(" " * (x - column))
            length += x - column
        plain = piece if isinstance(piece, str) else piece.plain
        texts.append(plain)
        if style:
            spans.append(Span(length, length + len(plain), style))
        if isinstance(piece, Text):
            spans += [span.move(length) for span in piece.spans]
        length += len(plain)
        column = x + (len(plain) if plain.isascii() else cell_len(plain))
    return Text("".join(texts), spans=spans, end="")


# Lines.


def _lines(layout: Layout, y: int, marks: Mapping[int, Mark]) -> Iterator[Piece]:
    draw = ascii_line if layout.style.ascii else unicode_line
    tips = TIPS[layout.style.ascii]
    for x, cell in layout.lines[y].items():
        shown = [_shown(way, marks) for way in cell.ways]
        top = max((mark for mark in shown if mark), key=_rank)
        if cell.tip is not None:
            yield x, tips[top.heavy or top.sent], top.style
            continue
        up, right, down, left = map(_weight, shown)
        dashed = all(mark.dashed for mark in shown if mark)
        yield x, draw((up, right, down, left), cell.crossed, dashed), top.style


def _shown(edges: list[int], marks: Mapping[int, Mark]) -> Mark | None:
    """The mark that shows where edges share a line; None where there is no line."""
    if not edges:
        return None
    if len(edges) == 1:
        return marks.get(edges[0], PLAIN)
    return max((marks.get(edge, PLAIN) for edge in edges), key=_rank)


def _rank(mark: Mark) -> tuple[bool, int, bool]:
    return (mark.heavy, mark.rank, not mark.dashed)


def _weight(mark: Mark | None) -> int:
    return NONE if mark is None else HEAVY if mark.heavy else LIGHT


def _labels(layout: Layout, y: int, marks: Mapping[int, Mark]) -> Iterator[Piece]:
    for edge in layout.spots_on(y):
        mark = marks.get(edge, PLAIN)
        if mark.label:
            spot = layout.spots[edge]
            label = fitted(Text(mark.label), spot.room).plain.rstrip()
            yield _label_x(spot, label), label, mark.style


def _label_x(spot: Spot, label: str) -> int:
    return spot.x - cell_len(label) if spot.left else spot.label_x


# Boxes.


def _boxes(
    layout: Layout, y: int, faces: Mapping[int, Face], marks: Mapping[int, Mark]
) -> Iterator[Piece]:
    for key in layout.boxes_on(y):
        region, face = layout.box(key), faces[key]
        inner = region.width - 2
        if not layout.style.framed:
            left, right = BRACKETS[face.kind]
            content = fitted(face.lines[0], inner)
        else:
            frame = FRAMES[layout.style.ascii, face.kind]
            row = y - region.y
            if row == 0:
                yield region.x, frame.upper_left, face.frame
                yield region.x + 1, face.title, ""
                free = inner - face.title.cell_len
                yield region.right - 1 - free, frame.level * free + frame.upper_right, face.frame
                continue
            if y == region.bottom - 1:
                yield from _foot(layout, key, face, marks)
                continue
            left = right = frame.upright
            content = fitted(face.lines[row - 1] if row <= len(face.lines) else Text(), inner)
        yield region.x, left, face.frame
        yield region.x + 1, content, ""
        yield region.right - 1, right, face.frame


def _foot(layout: Layout, key: int, face: Face, marks: Mapping[int, Mark]) -> Iterator[Piece]:
    """The lower side of a frame, with the points where lines leave it."""
    region = layout.box(key)
    frame = FRAMES[layout.style.ascii, face.kind]
    draw = ascii_line if layout.style.ascii else unicode_line
    below = layout.lines[region.bottom] if region.bottom < layout.height else {}
    start = region.x
    text = frame.lower_left + frame.level * (region.width - 2) + frame.lower_right
    for x in range(region.x + 1, region.right - 1):
        mark = _leaving(below.get(x), marks)
        if mark is not None:
            yield start, text[start - region.x : x - region.x], face.frame
            yield x, draw((NONE, LIGHT, _weight(mark), LIGHT), False, False), mark.style
            start = x + 1
    yield start, text[start - region.x :], face.frame


def _leaving(cell: Cell | None, marks: Mapping[int, Mark]) -> Mark | None:
    return None if cell is None else _shown(cell.ways[UP], marks)


def fitted(text: Text, width: int) -> Text:
    """Text that is exactly so wide: cut between characters, or filled up with spaces."""
    shown = visible(text.plain)
    if len(shown) != len(text.plain):
        text = Text(shown)
    missing = width - text.cell_len
    if missing == 0:
        return text
    text = text.copy()
    if missing < 0:
        text.truncate(width)
    text.pad_right(width - text.cell_len)
    return text
