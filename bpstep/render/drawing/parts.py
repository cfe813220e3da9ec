"""What is to be drawn: boxes, edges between them, and in which style."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Box:
    """A node to be placed.

    ``key`` is its place on the tape, ``width`` and ``height`` are columns and lines inside the
    frame. They are the same at every step, so that nothing moves.
    """

    key: int
    width: int
    height: int = 1


@dataclass(frozen=True)
class Edge:
    """An operand position of a consumer: identical edges (``r*r``) have different keys.

    ``key`` is the edge's place in the list of edges; the forward value goes from ``source`` (the
    operand, above) to ``target`` (the consumer, below; its key is the greater one). ``label`` is
    how many columns are kept free for its label, beside the point where it meets its target.
    """

    key: int
    source: int
    target: int
    operand: int
    label: int = 0


@dataclass(frozen=True)
class Style:
    """How boxes and lines are drawn.

    ``framed`` boxes have lines round them; the others are one line between brackets. ``ascii``
    keeps to ASCII. ``gap`` is the number of columns between boxes.
    """

    framed: bool = False
    ascii: bool = False
    gap: int = 1


@dataclass(frozen=True)
class Region:
    """A rectangle of cells: column and line of its upper left corner, and its size."""

    x: int
    y: int
    width: int
    height: int

    @property
    def right(self) -> int:
        """The first column to the right of it."""
        return self.x + self.width

    @property
    def bottom(self) -> int:
        """The first line below it."""
        return self.y + self.height

    @property
    def middle(self) -> int:
        """Its middle column."""
        return self.x + self.width // 2
