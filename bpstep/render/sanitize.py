"""Text from users made safe to print: characters that a terminal would obey are made visible."""

from __future__ import annotations

import unicodedata

CONTROL_PICTURES = 0x2400
DELETE = 0x7F
DELETE_PICTURE = "\u2421"

INVISIBLE = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
"""Unicode categories with an effect but no shape: control, format (the bidirectional controls and
zero-width characters are among them), surrogates (bytes of a file name that are not text), and the
line and paragraph separators."""


def visible(text: str, keep: str = "") -> str:
    """`text` on one line with nothing in it that moves a cursor, hides or reorders text.

    An escape becomes ␛, a line end ␊, a right-to-left override \\u202e. Characters in `keep` stay.
    """
    if text.isprintable():  # nothing that is has an effect, spaces included
        return text
    return "".join(c if c in keep else _shown(c) for c in text)


def visible_block(text: str) -> str:
    """As `visible`, for text of several lines: line ends stay, tabs become four spaces."""
    joined = text.replace("\r\n", "\n").expandtabs(4)
    return visible(joined, keep="\n")


def _shown(character: str) -> str:
    code = ord(character)
    if code < 0x20:
        return chr(CONTROL_PICTURES + code)
    if code == DELETE:
        return DELETE_PICTURE
    if unicodedata.category(character) not in INVISIBLE:
        return character
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"
