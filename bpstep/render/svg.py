"""Pictures in SVG that ask nothing of the network, whatever drew them."""

from __future__ import annotations

import re

FONTS = (
    "'Fira Code', 'Cascadia Mono', 'JetBrains Mono', 'DejaVu Sans Mono', "
    "Menlo, Consolas, 'Liberation Mono', monospace"
)
"""Faces that most systems have one of; columns are held by ``textLength`` whichever it is."""

REPLACEMENT = "\ufffd"

_FONT_FACE = re.compile(r"[ \t]*@font-face\s*\{[^{}]*\}[ \t]*\n?")
_STYLE = re.compile(r"(<style\b[^>]*>)(.*?)(</style>)", re.DOTALL)
_FAMILY = re.compile(r"font-family:\s*Fira Code[^;}]*")
_COMMENT = re.compile(r"[ \t]*<!--.*?-->[ \t]*\n?", re.DOTALL)
_NOT_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def self_contained(svg: str) -> str:
    """An SVG of Rich's or Textual's with nothing in it that is loaded from elsewhere.

    Its fonts are the reader's own; comments go, for they hold addresses. Characters that XML 1.0
    does not allow at all (section 2.2) become U+FFFD, so that the file is well-formed.
    """
    styled = _STYLE.sub(lambda found: found[1] + _own_fonts(found[2]) + found[3], svg, count=1)
    return _NOT_XML.sub(REPLACEMENT, _COMMENT.sub("", styled))


def _own_fonts(css: str) -> str:
    return _FAMILY.sub(f"font-family: {FONTS}", _FONT_FACE.sub("", css))
