"""What a check is made of: a node, or elements of it, and the node moved along one of them."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from bpstep.engine.arithmetic import Value
from bpstep.engine.errors import GraphError
from bpstep.engine.graph import Graph, Node
from bpstep.engine.operation import rounded

Index = tuple[int, ...]
"""The place of an element in a tensor; () in a scalar."""

_ELEMENT = re.compile(r"(?P<name>.*?)\s*\[(?P<index>[^\[\]]*)\]")


@dataclass(frozen=True)
class Target:
    """What to differentiate with respect to: a node and the elements of it that are meant."""

    text: str
    node: int
    elements: tuple[Index, ...]


def parse_target(graph: Graph, text: str) -> Target:
    """Read ``w``, ``W[0, 1]`` or ``W[0]`` (a row: all of its elements).

    Raises GraphError: ``unknown-name``, or ``argument`` for an index that the shape does not have.
    """
    text = text.strip()
    match = _ELEMENT.fullmatch(text)
    node = graph.find(text if match is None else match["name"])
    shape = graph.shape(node)
    prefix = () if match is None else _prefix(text, match["index"], shape)
    elements = tuple((*prefix, *rest) for rest in np.ndindex(shape[len(prefix) :]))
    if not elements:
        raise GraphError(f"{text} has shape {shape}: there is no element to check", "argument")
    return Target(text, node, elements)


def node_and_elements(
    graph: Graph, target: str | int | Node
) -> tuple[str, int, tuple[Index, ...] | None]:
    """A target as text, its node, and the elements that are meant: None for a node as a whole.

    Raises GraphError as ``parse_target`` does.
    """
    if isinstance(target, str) and _ELEMENT.fullmatch(target.strip()):
        found = parse_target(graph, target)
        return found.text, found.node, found.elements
    node = graph.find(target.strip() if isinstance(target, str) else target)
    return graph.label(node), node, None


def _prefix(text: str, written: str, shape: tuple[int, ...]) -> Index:
    """The index as written, counted from the start of each axis."""
    try:
        index = tuple(int(part) for part in written.split(","))
    except ValueError:
        raise GraphError(f"{text}: an index is integers, such as [0, 1]", "argument") from None
    if len(index) > len(shape):
        raise GraphError(f"{text}: {len(index)} indices into shape {shape}", "argument")
    sizes = shape[: len(index)]
    for i, size in zip(index, sizes, strict=True):
        if not -size <= i < size:
            raise GraphError(f"{text}: index {i} is outside of shape {shape}", "argument")
    return tuple(i % size for i, size in zip(index, sizes, strict=True))


def leaves_with_gradient(graph: Graph) -> tuple[str, ...]:
    """The names that ``all`` stands for: every leaf that requires a gradient, in tape order."""
    return tuple(graph.label(leaf) for leaf in graph.leaves() if graph.requires_grad(leaf))


def element(value: Value, index: Index) -> float:
    """One element of a value as a float."""
    return value if isinstance(value, float) else float(value[index])


def moved(graph: Graph, node: int, index: Index, step: float) -> Value:
    """The recorded value of a node with ``step`` added to one element, in the graph's dtype."""
    value = graph.recorded(node)
    if isinstance(value, float):
        return rounded(value + step, graph.dtype)
    copy = value.copy()
    with np.errstate(over="ignore"):
        copy[index] = float(value[index]) + step
    return copy
