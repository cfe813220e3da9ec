"""Why the gradient of the selected node is zero or not finite, once all of it has arrived."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np
from rich.text import Text

from bpstep.analysis.effort import tape_size
from bpstep.render import lines as ui
from bpstep.render.lines import line

if TYPE_CHECKING:
    from bpstep.engine.ledger import Ledger
    from bpstep.session.session import Session

CHEAP = 500
"""On a tape of more numbers the reason is left to the command."""

SHOWN = 4
"""So many lines of it are shown."""


def reason_lines(session: Session, node: int | None) -> Sequence[Text]:
    """The reason, or on a large tape how to ask for it; nothing where there is nothing striking."""
    ledger, state = session.ledger, session.state
    if node is None or ledger is None or state is None or not state.complete(node):
        return ()
    gradient = np.asarray(state.grad(node))
    zero = not gradient.any()
    if not zero and np.isfinite(gradient).all():
        return ()
    if tape_size(ledger.graph, ledger.output) <= CHEAP:
        return _told(ledger, node)
    return (_offer(ledger.graph.label(node), "zero" if zero else "not finite"),)


def _offer(name: str, what: str) -> Text:
    return line((f"{what}: ", ui.KINK), f":why {name} tells the reason")


@lru_cache(maxsize=64)
def _told(ledger: Ledger, node: int) -> Sequence[Text]:
    """What the command says, or as much of it as is read beside the step."""
    from bpstep.analysis.why import why
    from bpstep.render.why import why_lines

    lines = list(islice(why_lines(why(ledger, node)), SHOWN + 1))
    more = [line((f"  … :why {ledger.graph.label(node)} tells all", ui.FAINT))]
    return tuple(lines if len(lines) <= SHOWN else [*lines[: SHOWN - 1], *more])
