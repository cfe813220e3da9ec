"""The timeline: every step of the run on one line, where nodes are complete, and breakpoints."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING

import numpy as np
from rich.text import Text

from bpstep.render import lines as ui
from bpstep.render.lines import line
from bpstep.session.breakpoints import AtEdge, AtNode, Breakpoint
from bpstep.session.edges import index_of, sent_by
from bpstep.tui.draw.fit import cut

if TYPE_CHECKING:
    from bpstep.engine.arithmetic import Array
    from bpstep.engine.program import Pass, Run
    from bpstep.session.session import Session

BEFORE, AFTER = " start ", " end "
DONE, TO_COME, NODE_DONE, NODE_TO_COME = "━", "─", "┿", "┼"
PASS, POSITION = "║", "◉"
LONGEST_LABEL = 12


@dataclass(frozen=True, eq=False)
class Track:
    """The steps of a run laid out on so many columns.

    Made once a run, a set of breakpoints and a width: only ``position`` changes from step to step.
    """

    run: Run
    breakpoints: tuple[Breakpoint, ...]
    width: int

    def column(self, position: int) -> int:
        """The column of a position."""
        return position * (self.width - 1) // max(1, self.run.steps)

    def position(self, column: int) -> int:
        """The position that is nearest to a column."""
        last = max(1, self.width - 1)
        return min(max(round(column * self.run.steps / last), 0), self.run.steps)

    @cached_property
    def nodes(self) -> frozenset[int]:
        """The columns where nodes are complete; none where they would fill the line."""
        columns = self.completions * (self.width - 1) // max(1, self.run.steps)
        done: frozenset[int] = frozenset(columns.tolist())
        return done if len(done) * 2 <= self.width else frozenset()

    @cached_property
    def completions(self) -> Array:
        """The positions at which nodes are complete."""
        parts = [each.first + each.ledger.completions for each in self.run.passes]
        return np.concatenate(parts) if parts else np.array([], dtype=np.int64)

    @cached_property
    def passes(self) -> frozenset[int]:
        """The columns where a pass ends and another begins."""
        return frozenset(self.column(each.last) for each in self.run.passes[:-1])

    @cached_property
    def stops(self) -> frozenset[int]:
        """The columns of breakpoints on nodes and edges (a condition has no place of its own)."""
        hits = (
            hit
            for each in self.run.passes
            for stop in self.breakpoints
            for hit in _hits(each, stop)
        )
        return frozenset(map(self.column, hits))


def _hits(pass_: Pass, stop: Breakpoint) -> list[int]:
    match stop.trigger:
        case AtNode(name):
            node = index_of(pass_.graph, name)
            step = None if node is None else pass_.ledger.completion(node)
            return [] if step is None else [pass_.first + step]
        case AtEdge(source, target):
            from_, to = index_of(pass_.graph, source), index_of(pass_.graph, target)
            if from_ is None:
                return []
            steps = sent_by(pass_.ledger, from_)
            return [pass_.first + k for k in steps if pass_.ledger.receiver(k) == to]
        case _:
            return []


def track(session: Session, width: int) -> Track:
    """The track of a session on a line of so many columns, its ends left out."""
    room = max(2, width - len(BEFORE) - len(AFTER))
    return Track(session.run, session.breakpoints, room)


def timeline(layout: Track, position: int) -> Text:
    """The line itself, with its ends."""
    here = layout.column(position)
    text = line((BEFORE, ui.FAINT))
    signs = (_sign(layout, column, here) for column in range(layout.width))
    for style, alike in groupby(signs, key=itemgetter(1)):
        text.append("".join(sign for sign, _ in alike), style)
    return text.append(AFTER, ui.FAINT)


def _sign(layout: Track, column: int, here: int) -> tuple[str, str]:
    if column == here:
        return POSITION, ui.OPEN
    done = column < here
    if column in layout.stops:
        return ui.BREAKPOINT, ui.KINK
    if column in layout.passes:
        return PASS, ui.HEADING
    if column in layout.nodes:
        return (NODE_DONE, ui.GOOD) if done else (NODE_TO_COME, ui.FAINT)
    return (DONE, ui.GOOD) if done else (TO_COME, ui.FAINT)


def labels(layout: Track, position: int) -> Text:
    """The names of the nodes under their boundaries, as many as fit; of what is done only."""
    text = line(" " * len(BEFORE))
    if not layout.nodes:
        return text
    for done in layout.completions.tolist():
        if done > position:
            break
        name = cut(_completed(layout.run, done), LONGEST_LABEL)
        column = len(BEFORE) + layout.column(done) - len(name) // 2
        if column > text.cell_len or text.cell_len == len(BEFORE):
            text.append(" " * max(0, column - text.cell_len))
            text.append(name, ui.FAINT)
    return text


def _completed(run: Run, position: int) -> str:
    pass_ = run.pass_at(position)
    assert pass_ is not None, "a completion belongs to a pass"
    return pass_.graph.label(pass_.ledger.receiver(position - pass_.first))
