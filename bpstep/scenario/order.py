"""Evaluation order: repeatedly the first entry in file order whose operands are all ready."""

from __future__ import annotations

import heapq
from collections.abc import Sequence, Set


def evaluation_order(needs: Sequence[Set[int]]) -> tuple[list[int], list[list[int]]]:
    """The order of entries, and the cycles that keep others from ever being ready.

    needs holds for each entry the entries whose values it reads. Each cycle is given once, as
    the entries along it, each reading the next and the last the first.
    """
    waiting = [len(need) for need in needs]
    readers: list[list[int]] = [[] for _ in needs]
    for entry, need in enumerate(needs):
        for other in need:
            readers[other].append(entry)
    ready = [entry for entry, count in enumerate(waiting) if count == 0]
    order = []
    while ready:
        entry = heapq.heappop(ready)
        order.append(entry)
        for reader in readers[entry]:
            waiting[reader] -= 1
            if waiting[reader] == 0:
                heapq.heappush(ready, reader)
    stuck = {entry for entry, count in enumerate(waiting) if count}
    return order, _cycles(needs, stuck)


def _cycles(needs: Sequence[Set[int]], stuck: Set[int]) -> list[list[int]]:
    """Cycles among entries of which each reads at least one other of them."""
    seen: set[int] = set()
    cycles = []
    for start in sorted(stuck):
        walk: dict[int, int] = {}
        entry = start
        while entry not in seen:
            seen.add(entry)
            walk[entry] = len(walk)
            entry = min(other for other in needs[entry] if other in stuck)
        if entry in walk:
            cycles.append(list(walk)[walk[entry] :])
    return cycles
