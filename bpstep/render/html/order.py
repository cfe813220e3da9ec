"""The reverse order of a pass as data for the page: how it stands first, what each step adds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bpstep.render import lines as ui
from bpstep.render.html.cards import LONGEST
from bpstep.render.html.window import Window, slice_of_order
from bpstep.render.lines import cut
from bpstep.render.numbers import value_text
from bpstep.session import listing

if TYPE_CHECKING:
    from bpstep.engine.run import Pass
    from bpstep.session.listing import NodeRow
    from bpstep.session.session import Session


class Order:
    """The nodes of one pass that are listed; ``rows`` is where each stands in the list."""

    def __init__(self, session: Session, pass_: Pass, window: Window) -> None:
        self.pass_ = pass_
        self.nodes, self.left_out = slice_of_order(session, pass_)
        self.rows = {node: row for row, node in enumerate(self.nodes)}
        self.base = session.at(max(pass_.first + 1 if pass_.number > 1 else 0, window.first))
        self.window = window

    def data(self) -> dict[str, Any]:
        """Name, value, signs, gradient and the step that completes it, for each node."""
        return {
            "number": self.pass_.number,
            "left": self.left_out,
            "rows": [self._row(node) for node in self.nodes],
        }

    def _row(self, node: int) -> list[Any]:
        row = listing.row_in_pass(self.base, node)
        return [cut(row.name, LONGEST), value_text(row.value), *_standing(row), self._done(node)]

    def _done(self, node: int) -> int | None:
        """The step at which a node is complete, where the page has it."""
        if not self.pass_.graph.requires_grad(node):
            return None
        done = self.pass_.ledger.completion(node)
        position = None if done is None else self.pass_.first + done
        return position if position is not None and position in self.window.positions else None

    def changes(self, session: Session) -> list[list[Any]]:
        """What the step just taken changes: who received, and who sent by a convention."""
        contribution, receiver = session.contribution, session.receiver
        touched = [receiver, contribution.source_id if contribution else None]
        return [
            [self.rows[node], *_standing(listing.row_in_pass(session, node))]
            for node in dict.fromkeys(touched)
            if node is not None and node in self.rows
        ]


def _standing(row: NodeRow) -> list[str]:
    """Signs and gradient, which is empty where nothing has arrived."""
    signs = [ui.SIGNS[row.status]]
    signs += [ui.AT_KINK] if row.kink else []
    signs += [ui.CUT] if row.cut else []
    signs += [ui.NOT_FINITE] if row.nonfinite else []
    return ["".join(signs), value_text(row.grad)]
