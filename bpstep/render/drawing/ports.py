"""The columns where lines leave a box and meet the next: straight down wherever possible."""

from __future__ import annotations

from collections.abc import Sequence

from bpstep.render.drawing.rows import (
    Item,
    Link,
    Row,
    entry_spaces,
    entry_windows,
    exit_spaces,
    exit_windows,
)


class Side:
    """The lines on one side of an item, from left to right, each with its range of columns.

    Fixing one narrows the ranges of those beside it.
    """

    def __init__(
        self,
        item: Item,
        links: Sequence[Link],
        windows: Sequence[tuple[int, int]],
        spaces: Sequence[int],
    ) -> None:
        self.links = links
        self.low = [item.x + low for low, _ in windows]
        self.high = [item.x + high for _, high in windows]
        self.spaces = spaces
        self.natural = _natural(self.low, self.high, spaces)

    def fix(self, number: int, column: int) -> None:
        """Let a line be at a column of its range."""
        self.low[number] = self.high[number] = column
        for right in range(number, len(self.spaces)):
            self.low[right + 1] = max(self.low[right + 1], self.low[right] + self.spaces[right])
        for left in range(number - 1, -1, -1):
            self.high[left] = min(self.high[left], self.high[left + 1] - self.spaces[left])

    def fixed(self, number: int) -> bool:
        """Whether a line has its column."""
        return self.low[number] == self.high[number]

    def share(self, column: int) -> None:
        """Let all lines be at one column."""
        self.low = [column] * len(self.links)
        self.high = [column] * len(self.links)


def _natural(low: Sequence[int], high: Sequence[int], spaces: Sequence[int]) -> list[int]:
    """Close together, in the middle of the side."""
    if not low:
        return []
    offset = (high[0] - low[0]) // 2
    return [column + offset for column in low]


Port = tuple[Side, int]


def connect(upper: Row, lower: Row) -> None:
    """Set where the links between two rows leave and meet their items."""
    exits: dict[Link, Port] = {}
    entries: dict[Link, Port] = {}
    for item in upper:
        side = Side(item, item.down, exit_windows(item), exit_spaces(item))
        exits.update({link: (side, number) for number, link in enumerate(item.down)})
    for item in lower:
        side = Side(item, item.up, entry_windows(item), entry_spaces(item))
        entries.update({link: (side, number) for number, link in enumerate(item.up)})
    for link in sorted(exits, key=_rigid, reverse=True):
        _straighten(link, exits[link], entries[link])
    _bend(exits, entries)
    for link in exits:
        side, number = exits[link]
        link.leaves = side.low[number]
        side, number = entries[link]
        link.meets = side.low[number]


def _rigid(link: Link) -> int:
    """Lines along passing edges come first: they have no choice of column."""
    return (link.upper.key is None) + (link.lower.key is None)


def _straighten(link: Link, leaving: Port, meeting: Port) -> None:
    """Let a link run straight down, as near as may be to where it would meet its box."""
    upper, number = leaving
    lower, place = meeting
    low = max(upper.low[number], lower.low[place])
    high = min(upper.high[number], lower.high[place])
    if low > high:
        return
    column = min(max(_wanted(upper, number, lower, place, link), low), high)
    _fix(upper, number, column, link.upper.shares)
    lower.fix(place, column)


def _wanted(upper: Side, number: int, lower: Side, place: int, link: Link) -> int:
    """Between the middles of both; nearer to the box that more lines meet."""
    if len(lower.links) > 1 or link.upper.key is None:
        return lower.natural[place]
    if len(upper.links) > 1:
        return upper.natural[number]
    return (lower.natural[place] + upper.natural[number]) // 2


def _fix(side: Side, number: int, column: int, shares: bool) -> None:
    if shares:
        side.share(column)
    else:
        side.fix(number, column)


def _bend(exits: dict[Link, Port], entries: dict[Link, Port]) -> None:
    """Give what cannot run straight its columns, none that another line uses opposite."""
    leaving = {side.low[n] for side, n in exits.values() if side.fixed(n)}
    meeting = {side.low[n] for side, n in entries.values() if side.fixed(n)}
    for side, number in entries.values():
        if not side.fixed(number):
            column = _free(side, number, side.natural[number], leaving)
            side.fix(number, column)
        meeting.add(side.low[number])
    for link, (side, number) in exits.items():
        if not side.fixed(number):
            target, place = entries[link]
            wanted = side.natural[number] if link.upper.shares else target.low[place]
            column = _free(side, number, wanted, meeting)
            _fix(side, number, column, link.upper.shares)


def _free(side: Side, number: int, wanted: int, taken: set[int]) -> int:
    """The column of a line's range nearest to the wanted one that is not taken, if there is one."""
    low, high = side.low[number], side.high[number]
    free = [column for column in range(low, high + 1) if column not in taken]
    wanted = min(max(wanted, low), high)
    return min(free, key=lambda column: abs(column - wanted), default=wanted)
