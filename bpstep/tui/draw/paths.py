"""The paths into a node for a pane: a bar for each one's share, its nodes and its factors."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.text import Text

from bpstep.render import lines as ui
from bpstep.render.lines import Cell, line
from bpstep.render.numbers import LARGEST_INTEGER, count_text, not_finite
from bpstep.render.paths import GHOST, GHOSTS, chain, count_words, factors, sum_cells
from bpstep.render.sanitize import visible
from bpstep.tui.draw.fit import cut, number, placed

if TYPE_CHECKING:
    from bpstep.analysis.paths import Path, PathsResult
    from bpstep.session.session import Session

MOST_PATHS = 20
BAR, AXIS = "█", "│"
NUMBER = 12
WIDEST_BAR = 60
NO_PASS = "There are no paths: the program runs no reverse pass."
LOOKING = "Looking for the paths to "

DIGITS = 40
"""A number of paths is written out up to so many digits."""


@dataclass(frozen=True)
class _Scale:
    """How long bars are: ``most`` is the largest share, ``left`` the room for negative ones."""

    most: float
    left: int
    right: int

    @classmethod
    def fitting(cls, shares: Sequence[float], width: int) -> _Scale:
        finite = [share for share in shares if math.isfinite(share)]
        most = max(map(abs, finite), default=0.0)
        room = max(2, min(width, WIDEST_BAR))
        if min(finite, default=0.0) >= 0:
            return cls(most, 0, room)
        if max(finite, default=0.0) <= 0:
            return cls(most, room - 1, 0)
        return cls(most, (room - 1) // 2, room - 1 - (room - 1) // 2)

    def bar(self, share: float) -> str:
        """A bar to the right, or for a negative share to the left of the axis."""
        if not math.isfinite(share):
            return ui.NOT_FINITE
        room = self.left if share < 0 else self.right
        part = abs(share) / self.most if self.most else 0.0
        bar = BAR * (max(1, round(part * room)) if share else 0)
        if not self.left:
            return bar
        return f"{bar:>{self.left}}{AXIS}" if share < 0 else f"{'':>{self.left}}{AXIS}{bar}"


def paths_lines(session: Session, found: PathsResult, width: int) -> Iterator[Text]:
    """The largest paths at a position; those that the edge of this step lies on are marked."""
    heading = f"{count_words(found.count)} to {cut(found.node, ui.NAME_WIDTH)}"
    yield line((heading, ui.HEADING), ", ", *sum_cells(found))
    if written := written_out(found.count):
        yield line((f"exactly {written}", ui.FAINT))
    yield from _listed(session, found.paths, found.count, width)
    if not found.complete:
        yield line(("not every path was looked at: there may be larger ones", ui.OPEN))
    if found.ghost_count:
        add = GHOST if found.ghost_count == 1 else GHOSTS
        yield line((f"{ui.CUT} {count_words(found.ghost_count)} through a detach: {add}", ui.KINK))
        yield from _listed(session, found.ghosts, found.ghost_count, width, ghosts=True)


def written_out(count: int) -> str:
    """A number that ``count_text`` only rounds: its digits, or as a power of two; else nothing."""
    if count < LARGEST_INTEGER:
        return ""
    power = f"2**{count.bit_length() - 1}" if count & (count - 1) == 0 else ""
    digits = str(count) if count < 10**DIGITS else ""
    return " = ".join(filter(None, (power, digits)))


def _listed(
    session: Session, paths: Sequence[Path], count: int, width: int, ghosts: bool = False
) -> Iterator[Text]:
    shares = [_share(path.product) for path in paths]
    texts = [number(path.product, NUMBER) for path in paths]
    digits = max(map(len, texts), default=0)
    scale = _Scale.fitting(shares, width - digits - 4)
    for path, share, text in zip(paths, shares, texts, strict=True):
        style = ui.FAINT if ghosts else ui.BAD if not_finite(path.product) else ui.NUMBER
        sign = _sign(session, path, ghosts)
        yield line(
            placed(sign, 2),
            placed((text, style), digits, right=True),
            "  ",
            (scale.bar(share), style),
        )
        yield from _described(path, width)
    if count > len(paths):
        yield line((f"… and {count_text(count - len(paths))} more", ui.FAINT))


def _sign(session: Session, path: Path, ghost: bool) -> Cell:
    """Whether it leads over the edge of this step, is a ghost, or has brought its share."""
    ledger, step = session.ledger, session.step_in_pass
    if ledger is None:
        return ""
    if step >= 2:
        source, operand = int(ledger.sources[step - 2]), int(ledger.operands[step - 2])
        if path.carries(source, operand):
            return (ui.HERE, ui.OPEN)
    if ghost:
        return (ui.CUT, ui.KINK)
    arrived = path.arrived(ledger, step)
    if arrived is None:
        return ""
    return (ui.COMPLETE, ui.GOOD) if arrived else (ui.NOTHING, ui.FAINT)


def _share(product: Any) -> float:
    """The length of a bar: the share itself, of a tensor its norm."""
    if isinstance(product, np.ndarray) and product.ndim:
        with np.errstate(all="ignore"):
            return float(np.linalg.norm(product.ravel()))
    return float(product)


@lru_cache(maxsize=4 * MOST_PATHS)
def _described(path: Path, width: int) -> Sequence[Text]:
    """Its nodes and factors, which are the same at every step."""
    return [*_folded(chain(path), width, ""), *_folded(factors(path), width, ui.FAINT)]


def _folded(text: str, width: int, style: str) -> Iterator[Text]:
    """Text below a path, in as many lines as it takes; long names are broken."""
    for part in textwrap.wrap(visible(text), max(8, width - 4), break_on_hyphens=False):
        yield line("    ", (part, style))
