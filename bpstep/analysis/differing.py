"""Which nodes of two passes differ, in value or in what they receive."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from bpstep.analysis.aligned_nodes import NOWHERE, align_nodes
from bpstep.analysis.aligned_steps import equal_values, matched, same_output
from bpstep.analysis.equality import equal
from bpstep.engine.arithmetic import Array
from bpstep.engine.run import Pass


@lru_cache(maxsize=16)
def differing_rows(left: Pass, right: Pass) -> Array:
    """Whether each row of the aligned nodes of two passes differs: only one graph has it, or its
    value or one of its contributions is not the same.
    """
    nodes = align_nodes(left.graph, right.graph)
    unlike: Array = (nodes.left == NOWHERE) | (nodes.right == NOWHERE)
    both = np.flatnonzero(~unlike)
    values = left.graph.values, right.graph.values
    pairs = zip(nodes.left[both].tolist(), nodes.right[both].tolist(), strict=True)
    unlike[both] = [not equal(values[0][a], values[1][b]) for a, b in pairs]
    touched = _touched(left, right)
    unlike[both] |= touched[0][nodes.left[both]] | touched[1][nodes.right[both]]
    return unlike


def _touched(left: Pass, right: Pass) -> tuple[Array, Array]:
    """Whether each node of two graphs receives a contribution that the other pass has not."""
    found = matched(left, right)
    here = np.flatnonzero(found != NOWHERE) + 1
    there = found[found != NOWHERE]
    alike = equal_values(left, here, right, there)
    alike[0] = same_output(left, right)
    return _receivers(left, here[alike]), _receivers(right, there[alike])


def _receivers(pass_: Pass, same: Array) -> Array:
    """Whether each node receives at a step that is none of these."""
    other = np.ones(len(pass_.ledger) + 1, bool)
    other[0] = False
    other[same] = False
    receivers = np.concatenate([[pass_.ledger.output], pass_.ledger.targets]).astype(np.int64)
    touched = np.zeros(len(pass_.graph), bool)
    touched[receivers[other[1:]]] = True
    return touched
