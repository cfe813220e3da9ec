"""Why a gradient is zero, or nothing arrives: the places where it becomes so, nearest first.

The reasons are those without which something would arrive.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from bpstep.analysis.causes import Cause, at, cut, reasons_of
from bpstep.analysis.elements import Index, node_and_elements
from bpstep.analysis.flat import Reason
from bpstep.analysis.reach import Reach
from bpstep.analysis.zero_search import ZeroSearch, mask_of
from bpstep.engine.arithmetic import Value
from bpstep.engine.ledger import Ledger


@dataclass(frozen=True, eq=False)
class ZeroGradient:
    """The zeros in a node's gradient, and why they are.

    ``zeros`` of the ``size`` elements asked about are zero; all, where ``gradient`` is None.
    ``causes`` come nearest the output first. ``elements`` has the reasons of each zero element by
    itself, where there are a few. No cause at all says that the reverse pass itself is wrong.
    """

    node: str
    gradient: Value | None
    zeros: int
    size: int
    causes: tuple[Cause, ...]
    elements: tuple[tuple[Index, tuple[Reason, ...]], ...] = ()

    @property
    def reasons(self) -> tuple[Reason, ...]:
        """Each reason once, the one nearest the output first."""
        return reasons_of(self.causes)


def zero_gradient(
    ledger: Ledger, node: int, elements: Iterable[Index] | None = None
) -> ZeroGradient | None:
    """Why a node's gradient is zero; None where no element of it is.

    ``elements`` narrows the question to some elements. The gradient is what the node holds after
    the pass, an older buffer included.
    """
    gradient, shape = ledger.grad(node), ledger.graph.shape(node)
    asked = mask_of(shape, elements)
    if gradient is None:
        causes = _unrecorded(ledger, node)
        return ZeroGradient(
            ledger.graph.label(node), None, int(asked.sum()), int(asked.sum()), causes
        )
    wanted = asked & np.equal(gradient, 0)
    if not wanted.any():
        return None
    search = ZeroSearch(ledger, node)
    return ZeroGradient(
        ledger.graph.label(node),
        gradient,
        int(wanted.sum()),
        int(asked.sum()),
        search.causes(wanted),
        tuple(search.one_by_one(wanted)),
    )


def zero_reasons(ledger: Ledger, target: str) -> tuple[Reason, ...] | None:
    """The reasons alone, for a node or an element such as ``W[0, 1]``; None where none is zero.

    Raises GraphError for what does not exist.
    """
    _, node, elements = node_and_elements(ledger.graph, target)
    found = zero_gradient(ledger, node, elements)
    return None if found is None else found.reasons


# ---- nothing arrives at all ----


def _unrecorded(ledger: Ledger, node: int) -> tuple[Cause, ...]:
    """Why a node has no gradient: no path, cut by detaches, or nothing is recorded for it."""
    graph, reach = ledger.graph, Reach.of(ledger.graph, ledger.output)
    if not reach.reached(node):
        return (at("no-path", graph, node, node, 0),)
    depth = reach.depth[node] or 0
    below = reach.detached_below(node)
    if graph.requires_grad(node):
        # An open way that nothing came along is a fault of the reverse pass.
        cuts = () if reach.open[node] else reach.cuts(node)
        return tuple(cut(reach, detach) for detach in cuts)
    if graph.operation(node) is not None and below:
        return tuple(cut(reach, detach) for detach in below)
    return (at("frozen", graph, node, node, depth),)
