"""Names in the sections about a graph: notes, checks, updates, questions, expectations."""

from __future__ import annotations

import re
from collections.abc import Callable
from collections.abc import Mapping as Table

import numpy as np

from bpstep.scenario.known import Known, fields, items, text
from bpstep.scenario.locate import Mapping, Scalar, Tree
from bpstep.scenario.names import unknown
from bpstep.scenario.problems import Problems, quoted
from bpstep.scenario.source import Span
from bpstep.scenario.tensors import read_tensor

_ELEMENT = re.compile(r"(?P<name>[^\W\d]\w*)\s*\[(?P<indices>\s*-?\d+\s*(?:,\s*-?\d+\s*)*)\]")


def check_references(root: Mapping, known: Known, problems: Problems) -> None:
    """Reports every name that is no node's, and every number of an impossible shape."""
    for name, key, _ in fields(root.get("notes")):
        known.check_node(key.span, name, problems)
    for question in items(root.get("predict")):
        _question(question, known, problems)
    for check in items(root.get("checks")):
        if isinstance(check, Mapping):
            _target(check.get("wrt"), known, problems)
    updates = root.get("updates")
    if isinstance(updates, Mapping):
        for param in items(updates.get("params")):
            _param(param, known, problems)
    _expectations(root.get("expect"), known, problems)


def _question(tree: Tree, known: Known, problems: Problems) -> None:
    if not isinstance(tree, Mapping):
        return
    at, answer = tree.get("at"), tree.get("answer")
    name = text(at)
    if at is not None and name is not None:
        known.check_node(at.span, name, problems)
    if answer is not None and text(answer) is None:
        read_tensor(answer, problems)


def _target(tree: Tree | None, known: Known, problems: Problems) -> None:
    """What a check is about: a leaf, an element of one, or all."""
    name = text(tree)
    if tree is None or name is None or name == "all":
        return
    _whole_or_element(tree.span, name, known.check_leaf, known, problems)


def _whole_or_element(
    span: Span,
    name: str,
    check: Callable[[Span, str, Problems], bool],
    known: Known,
    problems: Problems,
) -> None:
    """A name that ``check`` must find, alone or with the indices of one element."""
    element = _ELEMENT.fullmatch(name)
    whole = element["name"] if element else name
    if not check(span, whole, problems) or element is None:
        return
    indices = tuple(int(index) for index in element["indices"].split(","))
    shape = known.shape(whole)
    if shape is None:
        return
    inside = len(indices) == len(shape) and all(
        -size <= index < size for index, size in zip(indices, shape, strict=True)
    )
    if not inside:
        problems.add(span, f"no element {quoted(name)}: {whole} has shape {shape}")


def _param(tree: Tree, known: Known, problems: Problems) -> None:
    name = text(tree)
    if name is None:
        return
    movable = [leaf for leaf, made in known.leaves.items() if not made or made.role != "constant"]
    if name not in movable:
        unknown(tree.span, name, movable, problems, what="parameter")


def _expectations(expect: Tree | None, known: Known, problems: Problems) -> None:
    for section, _, tree in fields(expect):
        check = _SECTIONS.get(section)
        if section == "updates":
            for update in items(tree):
                _update(update, known, problems)
        elif section == "checks":
            _checks(tree, known, problems)
        elif section == "zero":
            for name, key, _ in fields(tree):
                _whole_or_element(key.span, name, known.check_node, known, problems)
        elif check is not None:
            for name, key, value in fields(tree):
                if known.check_node(key.span, name, problems):
                    check(name, value, known, problems)


def _checks(tree: Tree, known: Known, problems: Problems) -> None:
    for name, key, check in fields(tree):
        _target(Scalar(key.source, key.start, key.end, name, key.style), known, problems)
        for part, _, value in fields(check):
            node = text(value)
            if part in ("node", "cause") and node is not None:
                known.check_node(value.span, node, problems)


def _update(tree: Tree, known: Known, problems: Problems) -> None:
    if not isinstance(tree, Mapping):
        return
    for name, key, value in fields(tree.get("params")):
        if known.check_leaf(key.span, name, problems):
            _number(name, value, known, problems)
    for crossed in items(tree.get("crossed")):
        node = text(crossed)
        if node is not None:
            known.check_node(crossed.span, node, problems)


def _number(name: str, tree: Tree, known: Known, problems: Problems) -> None:
    """A number for a node, of the node's shape."""
    value = read_tensor(tree, problems)
    shape = known.shape(name)
    if value is not None and shape is not None and np.shape(value) != shape:
        problems.add(
            tree.span, f"a value of shape {np.shape(value)}", expected=f"shape {shape} of {name}"
        )


def _gradient(name: str, tree: Tree, known: Known, problems: Problems) -> None:
    nothing = isinstance(tree, Scalar) and tree.value in (None, "none")
    if not nothing:
        _number(name, tree, known, problems)


def _numbers(name: str, tree: Tree, known: Known, problems: Problems) -> None:
    for item in items(tree):
        _number(name, item, known, problems)


def _ghosts(name: str, tree: Tree, known: Known, problems: Problems) -> None:
    """One ghost of the node's shape, or where several detaches cut it off, a list of them."""
    value, shape = read_tensor(tree, problems), known.shape(name)
    if value is None or shape is None:
        return
    if shape not in (np.shape(value), np.shape(value)[1:]):
        problems.add(
            tree.span, f"a value of shape {np.shape(value)}", expected=f"shape {shape} of {name}"
        )


_SECTIONS: Table[str, Callable[[str, Tree, Known, Problems], None]] = {
    "values": _number,
    "grads": _gradient,
    "contributions": _numbers,
    "paths": _numbers,
    "ghosts": _ghosts,
}
