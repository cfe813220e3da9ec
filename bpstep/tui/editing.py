"""The lines that change leaves, each with the value that the leaf has now."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from bpstep.render.numbers import exact
from bpstep.tui.begun import selected_name

if TYPE_CHECKING:
    from bpstep.session.session import Session
    from bpstep.tui.scene import Scene

LONGEST = 40
"""A tensor whose text is longer is changed an element at a time."""
MOST = 200
"""So many leaves are offered: nobody walks through more."""


def edit_lines(scene: Scene) -> list[str]:
    """A line for every leaf that sets it to what it is: the selected leaf first.

    Where the selected node is no leaf, its operands that are come first.
    """
    session = scene.session
    leaves = session.scenario.leaf_values
    near = [name for name in _near(scene) if name in leaves]
    ordered = list(dict.fromkeys([*near, *leaves]))[:MOST]
    return [edit_line(session, name) for name in ordered]


def edit_line(session: Session, name: str) -> str:
    """``set w = 1``; of a tensor too long for the line its first element: ``set W[0, 0] = 1``."""
    value, dtype = session.leaf_value(name), session.scenario.dtype
    text = written(value, dtype)
    if not isinstance(value, np.ndarray) or len(text) <= LONGEST:
        return f"set {name} = {text}"
    first = (0,) * value.ndim
    return f"set {name}[{', '.join(map(str, first))}] = {written(value[first], dtype)}"


def written(value: Any, dtype: str) -> str:
    """A value as it can be typed: all its digits, tensors as nested lists."""
    if isinstance(value, np.ndarray) and value.ndim:
        return f"[{', '.join(written(item, dtype) for item in value)}]"
    return exact(float(value), dtype)


def value_start(line: str) -> int:
    """Where the value begins in such a line."""
    before, sign, _ = line.partition(" = ")
    return len(before) + len(sign)


def _near(scene: Scene) -> list[str]:
    """The selected node and its operands."""
    name, graph = selected_name(scene), scene.session.graph
    if name is None or graph is None or scene.selected is None:
        return []
    return [name, *(graph.label(operand) for operand in graph.operands(scene.selected))]
