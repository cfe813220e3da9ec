"""A first look at a ledger of numbers, all links at once: which nodes need no closer one.

It only ever clears. What it does not clear is judged link by link, so nothing is decided here that
the audit would decide otherwise; a network of many thousand operations is audited in seconds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bpstep.analysis.arrivals import Link
from bpstep.analysis.extrapolation import Floats
from bpstep.analysis.moved import Flags
from bpstep.analysis.owed import SUM_ROUNDINGS, Owed
from bpstep.analysis.slopes import Slopes
from bpstep.engine.arithmetic import Array, Value
from bpstep.engine.ledger import Ledger


@dataclass(frozen=True, eq=False)
class _Columns:
    """All measured links as columns, one entry a link, and what the ledger has for each."""

    source: Array
    target: Array
    total: Floats
    weight: Floats
    in_order: Flags


def cleared(
    ledger: Ledger,
    adjoints: Sequence[Value | None],
    links: Mapping[int, Sequence[Link]],
    slopes: Mapping[Link, Slopes],
    relative: float,
) -> frozenset[int]:
    """The nodes at which a pass over numbers is right; none where the tape holds tensors.

    ``adjoints`` are the final ones of all nodes up to the output, ``slopes`` those of every link
    whose consumer has one.
    """
    if not slopes or any(isinstance(value, np.ndarray) for value in ledger.graph.values):
        return frozenset()
    adjoint = np.array([np.nan if value is None else value for value in adjoints])
    columns = _columns(ledger, adjoint, list(slopes))
    right = columns.in_order & _owed(columns, adjoint, list(slopes.values()), relative)
    whole = _sums(columns, adjoint, ledger)
    links_right = np.bincount(columns.target[right], minlength=len(adjoint))
    expected = np.bincount(
        [link.target for group in links.values() for link in group], minlength=len(adjoint)
    )
    clear = whole & (links_right == expected)
    clear[list(ledger.buffers)] = False
    return frozenset(np.flatnonzero(clear).tolist())


def _columns(ledger: Ledger, adjoint: Floats, links: list[Link]) -> _Columns:
    """Add up the ledger's contributions by link."""
    source, target = (np.array([getattr(x, end) for x in links]) for end in ("source", "target"))
    places = np.array([len(link.places) for link in links])
    steps: dict[str, Any] = ledger.arrays()
    index = _which(source, target, steps["source"], steps["target"], len(adjoint))
    known = index >= 0
    index, count = index[known], len(links)
    value, upstream = steps["value"][known], steps["upstream"][known]
    early = upstream != adjoint[steps["source"][known]]
    pairs = np.unique(np.stack([index, steps["operand"][known]]), axis=1)[0]
    arrived, different = (np.bincount(each, minlength=count) for each in (index, pairs))
    return _Columns(
        source,
        target,
        _sum_by(index, value, count),
        _sum_by(index, np.abs(value), count),
        (arrived == places)
        & (different == places)
        & (np.bincount(index[early], minlength=count) == 0),
    )


def _sum_by(index: Array, value: Floats, count: int) -> Floats:
    return np.bincount(index, weights=value, minlength=count).astype(float)


def _which(source: Array, target: Array, sources: Array, targets: Array, nodes: int) -> Array:
    """The link of every contribution, −1 where it is none."""
    keys = source * nodes + target
    order = np.argsort(keys)
    wanted = sources * nodes + targets
    place = np.minimum(np.searchsorted(keys[order], wanted), len(keys) - 1)
    return np.where(keys[order][place] == wanted, order[place], -1)


def _owed(columns: _Columns, adjoint: Floats, local: list[Slopes], relative: float) -> Flags:
    """Which links sent what they owe, alone: shares at a tie are to be judged together."""
    low, high, bound = (
        np.concatenate([getattr(each, name) for each in local]) for name in ("low", "high", "bound")
    )
    tied = np.concatenate([each.tied for each in local])
    upstream = adjoint[columns.source]
    owed = Owed.of(Slopes(low, high, bound, tied), upstream)
    operands = np.bincount(columns.source)[columns.source]
    finite = np.isfinite(columns.total) & np.isfinite(upstream)
    wrong = owed.excludes(columns.total, relative * owed.size)
    return np.asarray(finite & ~wrong & ~(tied & (operands > 1)))


def _sums(columns: _Columns, adjoint: Floats, ledger: Ledger) -> Flags:
    """Which nodes hold the sum of what arrived."""
    nodes = len(adjoint)
    total = _sum_by(columns.target, columns.total, nodes)
    weight = _sum_by(columns.target, columns.weight, nodes)
    total[ledger.output] += 1.0
    weight[ledger.output] += 1.0
    epsilon = float(np.finfo(ledger.graph.dtype).eps)
    return np.asarray(np.abs(adjoint - total) <= SUM_ROUNDINGS * epsilon * weight)
