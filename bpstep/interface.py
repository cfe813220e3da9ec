"""What the program does, from Python: a gradient checked, a gradient explained, and the app."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from bpstep.engine.errors import BpstepError
from bpstep.engine.graph import Node
from bpstep.engine.reverse import backward, check_loss

if TYPE_CHECKING:
    from bpstep.analysis.differences import CheckResult
    from bpstep.analysis.why import Why


def check(loss: Node, wrt: str | Node, steps: Sequence[float] | None = None) -> CheckResult:
    """Hold a gradient of ``loss`` against finite differences, evaluated forward only.

    ``wrt`` is a leaf or its name (of a tensor every element is checked and the worst speaks), or
    an element such as ``"W[0, 1]"``; ``steps`` are the step sizes, largest first. Raises
    GraphError where ``loss`` is no scalar, depends on no leaf, or a name does not exist.
    """
    from bpstep.analysis.differences import check as differences

    check_loss(loss)
    name = wrt if isinstance(wrt, str) else loss.graph.label(loss.graph.find(wrt))
    return differences(loss.graph, loss.index, name, steps)


def why(loss: Node, node: str | Node) -> Why:
    """Why the gradient of ``loss`` is zero at a node, not finite, very small or very large.

    ``node`` is a node, its name, or an element such as ``"W[0, 1]"``. The finding's ``kind`` says
    which it is, its ``reasons`` why zeros are zero, the one nearest the loss first. Raises
    GraphError where ``loss`` is no scalar, depends on no leaf, or a name does not exist.
    """
    from bpstep.analysis.why import why as explain

    return explain(backward(loss), node)


def debug(loss: Node) -> None:
    """Open the app on a recorded graph, as ``pdb.set_trace()`` opens a debugger; quit to go on.

    Raises GraphError where ``loss`` cannot be differentiated, BpstepError without a terminal.
    """
    check_loss(loss)
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise BpstepError("bpstep.debug needs a terminal on standard input and output")
    from bpstep.session.recorded import Recorded
    from bpstep.session.session import Session
    from bpstep.tui import can_draw, run_session

    if not can_draw():
        raise BpstepError("bpstep.debug needs a terminal on which it can draw: TERM is dumb")

    run_session(Session.open(Recorded(loss)))
