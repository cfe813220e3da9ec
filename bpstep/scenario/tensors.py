"""Numbers and nested lists of numbers in a file -> values, with places for what is wrong."""

from __future__ import annotations

import numpy as np

from bpstep.engine.arithmetic import Value
from bpstep.scenario.locate import Mapping, Scalar, Sequence, Tree
from bpstep.scenario.problems import Problems, quoted

MAX_AXES = 16


def read_tensor(tree: Tree, problems: Problems) -> Value | None:
    """A float, or for a list a float64 array of its shape; None where it is neither.

    A ragged or empty list and whatever is no number are reported where they stand.
    """
    if isinstance(tree, Scalar):
        return _number(tree, problems)
    shape = _shape(tree)
    if len(shape) > MAX_AXES:
        problems.add(tree.span, f"a tensor of {len(shape)} axes", expected=f"at most {MAX_AXES}")
        return None
    flat: list[float] = []
    if not isinstance(tree, Sequence) or not _collect(tree, shape, flat, problems):
        if isinstance(tree, Mapping):
            _refuse(tree, problems)
        return None
    return np.array(flat, dtype=np.float64).reshape(shape)


def is_number(value: object) -> bool:
    """Whether a scalar's value is a number (truth values are none)."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _shape(tree: Tree) -> tuple[int, ...]:
    """The shape that the first elements promise."""
    sizes = []
    while isinstance(tree, Sequence) and tree.items:
        sizes.append(len(tree.items))
        tree = tree.items[0]
    return tuple(sizes)


def _collect(tree: Tree, shape: tuple[int, ...], flat: list[float], problems: Problems) -> bool:
    """Gathers the numbers of a list of this shape; False where it has another."""
    if not shape and isinstance(tree, Scalar):
        number = _number(tree, problems)
        flat.append(0.0 if number is None else number)
        return number is not None
    if not isinstance(tree, Sequence) or not tree.items or not shape:
        return _ragged(tree, shape, problems)
    if len(tree.items) != shape[0]:
        return _ragged(tree, shape, problems)
    fits = [_collect(item, shape[1:], flat, problems) for item in tree.items]
    return all(fits)


def _ragged(tree: Tree, shape: tuple[int, ...], problems: Problems) -> bool:
    wanted = f"a list of {shape[0]}, like the first one" if shape else "a number"
    if isinstance(tree, Scalar):
        problems.add(tree.span, "a number where the list is deeper", expected=wanted)
    elif isinstance(tree, Mapping):
        _refuse(tree, problems)
    elif not tree.items:
        problems.add(tree.span, "an empty list", expected="numbers")
    else:
        found = f"a list of {len(tree.items)}" if shape else "a list where a number stood before"
        problems.add(tree.span, f"a ragged list: {found}", expected=wanted)
    return False


def _number(tree: Scalar, problems: Problems) -> float | None:
    if is_number(tree.value):
        return float(tree.value)  # type: ignore[arg-type]
    _refuse(tree, problems)
    return None


def _refuse(tree: Tree, problems: Problems) -> None:
    text = tree.value if isinstance(tree, Scalar) else "a mapping"
    found = "nothing" if text is None else quoted(text) if isinstance(tree, Scalar) else text
    problems.add(tree.span, f"{found} is no number", expected="a number, or a list of numbers")
