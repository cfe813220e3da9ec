"""Everything in ASCII, for terminals and fonts without more: no character changes its width."""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from itertools import accumulate

from rich.cells import cell_len
from rich.text import Span, Text

ASCII_SIGNS = {
    # What a node is: complete, some have arrived, none yet, nothing is recorded.
    "●": "*",
    "◐": "%",
    "○": "o",
    "∅": "/",
    # Cut by a detach, no derivative here, where we are, selected, breakpoint, position.
    "✂": "X",
    "⊥": "K",
    "▶": ">",
    "›": ">",
    "◆": "#",
    "◉": "@",
    "■": "#",
    # Assertions, differences.
    "✓": "+",
    "✗": "x",
    "✎": "*",
    "≠": "!",
    # Formulas and numbers.
    "∂": "d",
    "−": "-",
    "×": "x",
    "÷": "/",
    "·": ".",
    "⋅": "*",
    "∘": "o",
    "±": "~",
    "≤": "<",
    "≥": ">",
    "≈": "~",
    "√": "r",
    "Σ": "S",
    "Φ": "P",
    "φ": "p",
    "π": "p",
    "ᵀ": "T",
    "²": "2",
    "∞": "8",
    # Text.
    "…": "~",
    "–": "-",
    "—": "-",
    "→": ">",
    "←": "<",
    "↑": "^",
    "↓": "v",
    "▲": "^",
    "▼": "v",
    "◀": "<",
    "►": ">",
    "▸": ">",
    "◂": "<",
    "▾": "v",
    "▴": "^",
    "␛": "?",
    "␊": "?",
    "°": "o",
    "•": "*",
    "‘": "'",
    "’": "'",
    "“": '"',
    "”": '"',
    # Shades, light to dark.
    "░": ".",
    "▒": "+",
    "▓": "#",
    "█": "#",
    # The picture's own: dashed lines, corners that lie below and above their line.
    "┄": "-",
    "┊": ":",
    "╭": ".",
    "╮": ".",
    "╰": "'",
    "╯": "'",
    "━": "=",
    "═": "=",
    "╳": "X",
    "╱": "/",
    "╲": "\\",
}
"""What the program draws, in one column of ASCII each."""

UNKNOWN = "?"
BLOCKS = " .:-=+*#@"
BRAILLE = " ..::**##"
"""Parts of a block, dots of a pattern in eighths: the more, the darker."""


def to_ascii(text: Text) -> Text:
    """The same text in ASCII, as wide as before and styled as before."""
    plain = text.plain
    if plain.isascii():
        return text
    shown = [ascii_character(character) for character in plain]
    changed = Text("".join(shown), text.style, justify=text.justify, end=text.end)
    changed.no_wrap, changed.overflow = text.no_wrap, text.overflow
    starts = [0, *accumulate(map(len, shown))]
    last = len(plain)
    changed.spans = [
        Span(starts[min(span.start, last)], starts[min(span.end, last)], span.style)
        for span in text.spans
    ]
    return changed


def ascii_text(text: str) -> str:
    """The same for plain text."""
    return text if text.isascii() else "".join(map(ascii_character, text))


@lru_cache(maxsize=4096)
def ascii_character(character: str) -> str:
    """ASCII in place of a character, as many of it as the character is wide."""
    if character.isascii():
        return character
    if character in ASCII_SIGNS:
        return ASCII_SIGNS[character]
    name = unicodedata.name(character, "")
    if name.startswith("BOX DRAWINGS"):
        return _line(name)
    code = ord(character)
    if 0x2580 <= code <= 0x259F:
        return _block(name)
    if 0x2800 <= code <= 0x28FF:
        return BRAILLE[(code & 0xFF).bit_count()]
    base = unicodedata.normalize("NFKD", character)[0]
    width = cell_len(character)
    return base if base.isascii() and base.isprintable() and width == 1 else UNKNOWN * width


def _line(name: str) -> str:
    """A box-drawing character by what its name says that it joins."""
    across = any(word in name for word in ("HORIZONTAL", "LEFT", "RIGHT"))
    down = any(word in name for word in ("VERTICAL", "UP", "DOWN"))
    return "+" if across and down else "-" if across else "|"


def _block(name: str) -> str:
    """A block element by the eighths of the cell that it fills."""
    parts = {"ONE EIGHTH": 1, "ONE QUARTER": 2, "THREE EIGHTHS": 3, "HALF": 4}
    more = {"FIVE EIGHTHS": 5, "THREE QUARTERS": 6, "SEVEN EIGHTHS": 7}
    eighths = next((n for words, n in (parts | more).items() if words in name), 4)
    return BLOCKS[eighths]
