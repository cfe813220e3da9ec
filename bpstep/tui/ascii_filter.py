"""What leaves for the screen, in ASCII: for terminals and fonts that have no more."""

from __future__ import annotations

import locale

from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

from bpstep.render.ascii import ascii_text

SAMPLE = "│◐▶━"
"""What the app draws with."""


class AsciiFilter(LineFilter):
    """Puts ASCII in place of every other character, in as many columns.

    It sees every strip of every widget, frames, scrollbars and notices too. What a user wrote and
    ASCII has not becomes ``?``.
    """

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """The segments of a line, as wide as before."""
        return [
            segment
            if segment.text.isascii()
            else Segment(ascii_text(segment.text), segment.style, segment.control)
            for segment in segments
        ]


def locale_draws() -> bool:
    """Whether the encoding of the user's locale has the characters that the app draws with."""
    try:
        SAMPLE.encode(locale.getencoding())
    except (UnicodeEncodeError, LookupError):
        return False
    return True
