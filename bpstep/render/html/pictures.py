"""The drawings of the graph at each step, their lines kept once: most stay from step to step."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from bpstep.render.drawing.paint import paint_line
from bpstep.render.drawing.parts import Style
from bpstep.render.drawing.scenes import picture
from bpstep.render.html.spans import segments

if TYPE_CHECKING:
    from rich.text import Text

    from bpstep.render.drawing.scenes import Picture
    from bpstep.render.drawing.shape import Layout
    from bpstep.session.session import Session

MOST_DRAWN = 80
"""Of a graph with more nodes a page draws the neighbourhood of the current one."""

MOST_CHARACTERS = 4_000_000
"""When the lines drawn so far have so many characters, no more drawings are made."""

LEFT_OUT = "From here on the drawings are left out: the page would be too large."


class Pictures:
    """Draws one step after another, and remembers each line that it has drawn.

    ``lines`` are the lines, each as pieces of text with their classes. ``notes`` are what is said
    below drawings (that only a neighbourhood is shown, say).
    """

    def __init__(self) -> None:
        self.lines: list[list[list[str]]] = []
        self.notes: list[str] = []
        self._known: dict[tuple[tuple[str, str], ...], int] = {}
        self._size = 0
        self._last: Picture | None = None
        self._numbers: list[int] = []
        self._crossed: Mapping[int, Iterable[int]] = {}

    def of(self, session: Session) -> tuple[list[int], int | None]:
        """The numbers of the lines of a drawing, and of what is said below it."""
        if self._size > MOST_CHARACTERS:
            return [], self._note(LEFT_OUT)
        found = picture(session, None, Style(framed=True), most=MOST_DRAWN)
        if found is None:
            return [], None
        for y in self._stale(found):
            painted = paint_line(found.layout, y, found.faces, found.marks)
            self._numbers[y] = self._number(painted)
        self._last = found
        note = f"{found.shown} of {found.total} nodes, those about the current one"
        return list(self._numbers), None if found.whole else self._note(note)

    def _stale(self, found: Picture) -> Iterable[int]:
        """The lines that are not as they were in the drawing before: all, in another layout."""
        last, layout = self._last, found.layout
        if last is None or last.layout is not layout:
            self._numbers = [0] * layout.height
            self._crossed = crossed(layout)
            return range(layout.height)
        stale: set[int] = set()
        for key, face in found.faces.items():
            if face != last.faces[key]:
                stale.update(range(layout.regions[key].y, layout.regions[key].bottom))
        for key, mark in found.marks.items():
            if mark != last.marks[key]:
                stale.update(self._crossed.get(key, ()))
        return stale

    def _note(self, text: str) -> int:
        if text not in self.notes:
            self.notes.append(text)
        return self.notes.index(text)

    def _number(self, text: Text) -> int:
        pieces = tuple(segments(text))
        if pieces not in self._known:
            self._known[pieces] = len(self.lines)
            self.lines.append([list(piece) for piece in pieces])
            self._size += len(text.plain)
        return self._known[pieces]


def crossed(layout: Layout) -> Mapping[int, Iterable[int]]:
    """The lines of a drawing that each edge goes through, or has its label on."""
    found: dict[int, set[int]] = {key: {spot.y} for key, spot in layout.spots.items()}
    for y, line in enumerate(layout.lines):
        for cell in line.values():
            for key in cell.edges:
                found.setdefault(key, set()).add(y)
    return found
