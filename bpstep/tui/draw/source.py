"""The text that a session's nodes are written in: numbered, highlighted, the step's line marked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from rich.text import Text

from bpstep.render import lines as ui
from bpstep.render.lines import Cell, line
from bpstep.render.sanitize import visible
from bpstep.tui.draw.fit import cut
from bpstep.tui.draw.listing import Listing, Place, own, place
from bpstep.tui.draw.nodes import SELECTION
from bpstep.tui.palette import SELECTED

if TYPE_CHECKING:
    from bpstep.session.session import Session

WHOLE = 1000
"""Of a text with more lines, only those around the marked ones are shown."""

BLOCK = 50
"""So many lines of a large text are highlighted together."""

LONGEST = 400
"""Longer lines are cut."""

NOTHING = "There is no text: the program runs no forward pass."
THEME = "ansi_dark"
"""Its colours are the terminal's own, so they go with every theme."""


@dataclass(frozen=True, eq=False)
class Marked:
    """The text that is shown, and the two lines that are marked in it, None for one elsewhere.

    ``here`` is where the node is written that sends at this step, ``selected`` the selected one,
    and ``elsewhere`` where that stands, if it is in another text.
    """

    listing: Listing
    here: int | None
    selected: int | None
    elsewhere: Place | None = None


def sender(session: Session) -> int | None:
    """The node whose expression is differentiated at this step; at a seed the one seeded."""
    ledger, step = session.ledger, session.step_in_pass
    if ledger is None or step < 2:
        return session.receiver
    return int(ledger.sources[step - 2])


def marked(session: Session, selected: int | None) -> Marked | None:
    """Which text to show, and what to mark; None where nothing was recorded."""
    sending = sender(session)
    here = None if sending is None else place(session, sending)
    chosen = None if selected is None else place(session, selected)
    listing = here.listing if here else chosen.listing if chosen else own(session)
    if listing is None:
        return None
    there = chosen is not None and chosen.listing is listing
    return Marked(
        listing,
        here.line if here else None,
        chosen.line if chosen and there else None,
        None if there else chosen,
    )


def source_lines(session: Session, selected: int | None) -> Iterator[Text]:
    """The text, or of a large one the part around the step, each line after its number."""
    shown = marked(session, selected)
    if shown is None:
        yield Text(NOTHING)
        return
    listing = shown.listing
    yield line(*_heading(listing, session))
    first, last = _part(shown)
    digits = len(str(listing.length))
    if first > 1:
        yield _omitted(first - 1, "above")
    for number in range(first, last + 1):
        sign = _sign(shown, number)
        if sign == " ":
            yield _plain(listing, number, digits)
        else:
            yield _signed(shown, number, digits, sign, session)
    if last < listing.length:
        yield _omitted(listing.length - last, "below")


def _heading(listing: Listing, session: Session) -> Iterator[Cell]:
    yield (listing.name, ui.HEADING)
    root = own(session)
    if root is not None and root is not listing:
        yield (f", which {root.name} extends", ui.FAINT)


def _part(shown: Marked) -> tuple[int, int]:
    """The first line shown and the last."""
    length = shown.listing.length
    if length <= WHOLE:
        return 1, length
    middle = (shown.selected or shown.here or 1) - 1
    block = middle // BLOCK
    return max(0, block - 1) * BLOCK + 1, min(length, (block + 2) * BLOCK)


def _sign(shown: Marked, number: int) -> str:
    if number == shown.here:
        return ui.HERE
    return SELECTION if number == shown.selected else " "


@lru_cache(maxsize=4096)
def _plain(listing: Listing, number: int, digits: int) -> Text:
    return line("  ", (f"{number:>{digits}}", ui.FAINT), "  ").append_text(_code(listing, number))


def _signed(shown: Marked, number: int, digits: int, sign: str, session: Session) -> Text:
    """A line with a sign. The one of the step says what is in another text."""
    text = line((f"{sign} ", ui.OPEN), f"{number:>{digits}}", "  ")
    text.append_text(_code(shown.listing, number))
    text.stylize(SELECTED if number == shown.selected else ui.HEADING)
    if number == shown.here:
        text.append_text(line(*_elsewhere(shown, session)))
    return text


def _elsewhere(shown: Marked, session: Session) -> Iterator[Cell]:
    if own(session) is not shown.listing:
        yield (f"   in {shown.listing.name}", ui.FAINT)
    if shown.elsewhere is not None:
        other = shown.elsewhere
        yield (f"   {SELECTION} in {other.listing.name}, line {other.line}", ui.FAINT)


def _omitted(lines: int, side: str) -> Text:
    return line((f"… {lines} more line{'s' if lines != 1 else ''} {side}", ui.FAINT))


def _code(listing: Listing, number: int) -> Text:
    size = WHOLE if listing.length <= WHOLE else BLOCK
    return _highlighted(listing, (number - 1) // size, size)[(number - 1) % size]


@lru_cache(maxsize=64)
def _highlighted(listing: Listing, block: int, size: int) -> Sequence[Text]:
    """A block of lines, safe to show and highlighted."""
    numbers = range(block * size + 1, min(listing.length, (block + 1) * size) + 1)
    texts = [cut(visible(listing.line(number).expandtabs(4)), LONGEST) for number in numbers]
    if not listing.yaml:
        return [Text(text) for text in texts]
    # Pygments takes 30 ms to import: only when a file is looked at.
    from rich.syntax import Syntax

    code = Syntax("", "yaml", theme=THEME).highlight("\n".join(texts))
    lines = code.split("\n", allow_blank=True)[: len(texts)]
    if [each.plain for each in lines] != texts:
        return [Text(text) for text in texts]
    return list(lines)
