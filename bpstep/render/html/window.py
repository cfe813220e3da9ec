"""What of a run goes into a page: all of it, or, of a long run, what is around the position."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bpstep.engine.run import Pass
    from bpstep.session.session import Session

MOST_STEPS = 300
"""A page steps through no more than so many steps, those around the position."""

MOST_NODES = 300
"""The reverse order of a page lists no more than so many nodes, those around the current one."""


@dataclass(frozen=True)
class Window:
    """The positions from ``first`` to ``last``, both included, of a run of ``total`` steps."""

    first: int
    last: int
    total: int

    @classmethod
    def around(cls, session: Session, most: int = MOST_STEPS) -> Window:
        """The whole run, if it is short enough."""
        total = session.total
        if total <= most:
            return cls(0, total, total)
        first = min(max(session.position - most // 2, 0), total - most)
        return cls(first, first + most, total)

    @property
    def positions(self) -> range:
        """The positions, in order."""
        return range(self.first, self.last + 1)

    @property
    def left_out(self) -> str:
        """What is said where this is not all; empty where it is."""
        if self.last - self.first == self.total:
            return ""
        return (
            f"This page has the steps {self.first} to {self.last} of {self.total}: "
            "those around the position at which it was written. "
            "A transcript as .md or .jsonl has all of them."
        )


def slice_of_order(session: Session, pass_: Pass, most: int = MOST_NODES) -> tuple[list[int], int]:
    """The nodes of a pass that are listed, in reverse order, and how many are left out."""
    nodes = list(reversed(pass_.graph.visible()))
    if len(nodes) <= most:
        return nodes, 0
    step = min(max(session.position - pass_.first, 1), len(pass_.ledger))
    receiver = pass_.ledger.receiver(step)
    here = next((row for row, node in enumerate(nodes) if node <= receiver), 0)
    first = min(max(here - most // 2, 0), len(nodes) - most)
    return nodes[first : first + most], len(nodes) - most
