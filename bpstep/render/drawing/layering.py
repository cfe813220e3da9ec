"""Which layer a node stands in: below all its operands, and leaves just above their consumers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from bpstep.render.drawing.parts import Edge


def layers(keys: Iterable[int], edges: Sequence[Edge]) -> dict[int, int]:
    """The layer of every node, 0 at the top.

    A node stands as high as its operands allow. What only feeds one consumer (a leaf, or a node
    made of such) is moved down to it, so that edges are short.
    """
    ordered = sorted(keys)
    sources = _neighbours(ordered, ((edge.target, edge.source) for edge in edges))
    targets = _neighbours(ordered, ((edge.source, edge.target) for edge in edges))
    found: dict[int, int] = {}
    for key in ordered:
        found[key] = 1 + max((found[source] for source in sources[key]), default=-1)
    movable = _movable(ordered, sources, targets)
    for key in reversed(ordered):
        if targets[key] and all(source in movable for source in sources[key]):
            found[key] = min(found[target] for target in targets[key]) - 1
    return found


def _neighbours(keys: Sequence[int], pairs: Iterable[tuple[int, int]]) -> dict[int, list[int]]:
    found: dict[int, dict[int, None]] = {key: {} for key in keys}
    for key, other in pairs:
        found[key][other] = None
    return {key: list(others) for key, others in found.items()}


def _movable(
    ordered: Sequence[int], sources: Mapping[int, list[int]], targets: Mapping[int, list[int]]
) -> set[int]:
    """The nodes that nothing but one consumer holds in place, and their operands neither."""
    found: set[int] = set()
    for key in ordered:
        if len(targets[key]) <= 1 and all(source in found for source in sources[key]):
            found.add(key)
    return found
