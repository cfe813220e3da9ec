"""The words that a word may become, on one line, the one that is taken in sight."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from rich.text import Text

from bpstep.render import lines as ui
from bpstep.render.lines import Cell, line
from bpstep.tui.draw.fit import ELLIPSIS

GAP = "  "
TAKEN = "bold reverse"


def choices_line(words: Sequence[str], taken: int, width: int) -> Text:
    """As many words as fit, from the first on as long as the one that is taken is among them."""
    first = 0
    while first < taken and _length(words[first : taken + 1]) > width - 2 * len(GAP):
        first += 1
    cells: list[Cell] = [(ELLIPSIS + " ", ui.FAINT)] if first else []
    for number, word in enumerate(words[first:], start=first):
        cells += [GAP] if number > first else []
        cells.append((word, TAKEN if number == taken else ui.FAINT))
        if _length(words[first : number + 1]) > width:
            break
    shown = line(*cells)
    shown.truncate(max(1, width), overflow="ellipsis")
    shown.no_wrap = True
    return shown


def _length(words: Sequence[str]) -> int:
    return sum(cell_len(word) + len(GAP) for word in words)
