"""For themes that leave the colours to the terminal: what is marked by a background is reversed.

What the terminal calls black may be its background, or as dark as its text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.segment import Segment
from rich.style import Style
from textual.filter import LineFilter

if TYPE_CHECKING:
    from textual.color import Color

BLACK = 0
_PLAIN, _REVERSED = Style(bgcolor="default"), Style(reverse=True)


class MarkFilter(LineFilter):
    """Reverses text on the terminal's black; only text with no other background of a colour."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """A line as it is to be sent."""
        return [
            Segment(text, style + _PLAIN + _REVERSED, control)
            if style is not None and style.bgcolor is not None and style.bgcolor.number == BLACK
            else Segment(text, style, control)
            for text, style, control in segments
        ]
