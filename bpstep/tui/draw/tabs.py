"""The names of tabs on one line, the open one in sight however narrow the line is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.text import Text

from bpstep.render import lines as ui
from bpstep.render.lines import Cell, line

MORE_LEFT, MORE_RIGHT = "‹", "›"
OPEN = "bold reverse"


@dataclass(frozen=True)
class Tab:
    """A name from one column to before another."""

    name: str
    start: int
    end: int


def laid_out(names: Sequence[str], active: str, width: int) -> list[Tab]:
    """Where the names stand: with more room between them where there is some.

    Where they have no room side by side, they begin further on, so that the open one is in sight.
    """
    for gap in (3, 2, 1):
        tabs = _in_a_row(names, gap)
        if not tabs or tabs[-1].end <= width:
            return tabs
    tabs = _in_a_row(names, 1)
    end = next((tab.end for tab in tabs if tab.name == active), 0)
    hidden = max(0, end + len(MORE_RIGHT) + 1 - width)
    first = next((tab.start for tab in tabs if tab.start >= hidden), 0)
    shift = first - len(MORE_LEFT) - 1 if first else 0
    return [Tab(tab.name, tab.start - shift, tab.end - shift) for tab in tabs if tab.start >= first]


def _in_a_row(names: Sequence[str], gap: int) -> list[Tab]:
    tabs, column = [], 1
    for name in names:
        tabs.append(Tab(name, column, column + len(name)))
        column += len(name) + gap
    return tabs


def tabs_line(tabs: Sequence[Tab], active: str, width: int, *, before: bool) -> Text:
    """The line; signs at its ends tell that there are more, on the left ones ``before``."""
    text = line((MORE_LEFT if before else " ", ui.FAINT))
    for tab in tabs:
        cell: Cell = (tab.name, OPEN if tab.name == active else ui.FAINT)
        text.append(" " * (tab.start - text.cell_len)).append_text(line(cell))
    if text.cell_len > width:
        text.truncate(max(0, width - 1))
        text.append(MORE_RIGHT, ui.FAINT)
    return text
