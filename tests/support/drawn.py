"""What pictures of the app are held against each other by."""

from __future__ import annotations

import re

DRAWN_BY = "8.2.8"
"""The version of Textual that the pictures were made with: another may draw frames differently."""


def normal(svg: str) -> str:
    """A picture without outside links, and without what differs from run to run."""
    svg = re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)
    return re.sub(r"terminal-\d+", "terminal", svg)
