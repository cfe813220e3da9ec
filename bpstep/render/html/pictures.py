"""The drawings of the graph at each step, their lines kept once: most stay from step to step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bpstep.render.html.spans import segments

if TYPE_CHECKING:
    from rich.text import Text

    from bpstep.session.session import Session

MOST_CHARACTERS = 6_000_000
"""When the drawings so far have so many characters, no more are made."""


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

    def of(self, session: Session) -> tuple[list[int] | None, int | None]:
        """The numbers of the lines of a drawing, and of what is said below it."""
        return None, None

    def _number(self, text: Text) -> int:
        pieces = tuple(segments(text))
        if pieces not in self._known:
            self._known[pieces] = len(self.lines)
            self.lines.append([list(piece) for piece in pieces])
            self._size += len(text.plain)
        return self._known[pieces]
