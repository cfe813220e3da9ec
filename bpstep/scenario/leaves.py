"""Leaves: numbers, nested lists, and tensors made by rule."""

from __future__ import annotations

import math
from collections.abc import Callable
from collections.abc import Mapping as Table
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from bpstep.engine.arithmetic import Value
from bpstep.engine.operation import MAX_ELEMENTS
from bpstep.scenario.locate import Mapping, Scalar, Sequence, Tree
from bpstep.scenario.names import Names
from bpstep.scenario.problems import Problems
from bpstep.scenario.snippets import Snippet
from bpstep.scenario.tensors import MAX_AXES, is_number, read_tensor

Role = Literal["input", "param", "constant"]
SECTIONS: Table[str, Role] = {"inputs": "input", "params": "param", "constants": "constant"}

MAX_SCALE = 1e300
# All values of a graph together: 400 MB, whatever a file asks for.
MAX_TOTAL = 50_000_000

Array = np.ndarray[tuple[int, ...], np.dtype[np.float64]]


@dataclass(frozen=True, eq=False)
class Leaf:
    """A leaf: its name, its role, its value, whether it gets a gradient, and a note about it.

    value is a float or a float64 array; the graph rounds it to its own number type.
    """

    name: str
    role: Role
    value: Value
    grad: bool = True
    note: str | None = None


def read_leaves(root: Mapping, names: Names, problems: Problems) -> dict[str, Leaf | None]:
    """Every leaf in file order; None stands for one whose value cannot be read."""
    leaves: dict[str, Leaf | None] = {}
    size = 0
    for section in [name for name in root.entries if name in SECTIONS]:
        tree = root.get(section)
        for key, value in tree.entries.values() if isinstance(tree, Mapping) else ():
            if names.define(Snippet(key, str(key.value), {}), problems):
                leaf = _leaf(str(key.value), SECTIONS[section], value, problems)
                size += 0 if leaf is None else np.size(leaf.value)
                if size > MAX_TOTAL:
                    problems.add(key.span, f"all leaves together exceed {MAX_TOTAL} numbers")
                    leaf = None
                leaves[str(key.value)] = leaf
    return leaves


def _leaf(name: str, role: Role, tree: Tree, problems: Problems) -> Leaf | None:
    if not isinstance(tree, Mapping):
        value = read_tensor(tree, problems)
        return None if value is None else Leaf(name, role, value, role != "constant")
    value = _initial(tree, problems) if "init" in tree.entries else _given(tree, problems)
    grad, note = _scalar(tree, "grad", True), _scalar(tree, "note", None)
    if role == "constant" and "grad" in tree.entries:
        problems.add(
            tree.entries["grad"][0].span, "a constant has no gradient", expected="inputs or params"
        )
    if value is None:
        return None
    return Leaf(name, role, value, bool(grad) and role != "constant", str(note) if note else None)


def _given(tree: Mapping, problems: Problems) -> Value | None:
    value = tree.get("value")
    return None if value is None else read_tensor(value, problems)


def _scalar(tree: Mapping, name: str, default: Any) -> Any:
    value = tree.get(name)
    return value.value if isinstance(value, Scalar) else default


def _initial(tree: Mapping, problems: Problems) -> Value | None:
    """A tensor made by rule, or None where the mapping does not say which one."""
    rule = _RULES.get(str(_scalar(tree, "init", "")))
    sizes = tree.get("shape")
    seed, scale = _scalar(tree, "seed", 0), _scalar(tree, "scale", 1.0)
    if rule is None or not isinstance(sizes, Sequence) or type(seed) is not int or seed < 0:
        return None  # the schema has said so
    shape = tuple(_size(size) for size in sizes.items)
    if min(shape, default=1) < 1 or not is_number(scale) or not abs(scale) <= MAX_SCALE:
        return None
    if math.prod(shape) > MAX_ELEMENTS or len(shape) > MAX_AXES:
        expected = f"at most {MAX_ELEMENTS} elements and {MAX_AXES} axes"
        message = f"a tensor of {math.prod(shape)} elements and {len(shape)} axes"
        problems.add(sizes.span, message, expected=expected)
        return None
    if rule is _eye and len(shape) != 2:
        problems.add(sizes.span, f"eye of {len(shape)} axes", expected="two sizes, [rows, columns]")
        return None
    with np.errstate(all="ignore"):
        made = rule(np.random.Generator(np.random.PCG64(seed)), shape, float(scale))
    return made if shape else float(made)


def _size(tree: Tree) -> int:
    return tree.value if isinstance(tree, Scalar) and type(tree.value) is int else 0


def _eye(generator: np.random.Generator, shape: tuple[int, ...], scale: float) -> Array:
    rows, columns = shape
    made: Array = np.eye(rows, columns) * scale
    return made


_RULES: Table[str, Callable[[np.random.Generator, tuple[int, ...], float], Array]] = {
    "normal": lambda generator, shape, scale: generator.standard_normal(shape) * scale,
    "uniform": lambda generator, shape, scale: generator.uniform(-abs(scale), abs(scale), shape),
    "zeros": lambda generator, shape, scale: np.zeros(shape),
    "ones": lambda generator, shape, scale: np.ones(shape) * scale,
    "eye": _eye,
}
