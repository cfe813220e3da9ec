"""What a file means: leaves, entries, order, shapes, loss, program, and everything that names them.

Each stage goes on after problems with what it could read, so that all of a file are found.
"""

from __future__ import annotations

from collections.abc import Mapping as Table
from dataclasses import dataclass, replace

import numpy as np

from bpstep.engine.conventions import KEYS, PRESETS, conventions
from bpstep.engine.errors import GraphError
from bpstep.engine.graph import Graph
from bpstep.engine.operation import finish
from bpstep.engine.program import Statement
from bpstep.scenario.breakpoints import check_breakpoints
from bpstep.scenario.entries import Entry, in_order, read_entries
from bpstep.scenario.extends import Merged
from bpstep.scenario.faults import check_fault
from bpstep.scenario.known import Known, fields, text
from bpstep.scenario.leaves import Leaf, read_leaves
from bpstep.scenario.locate import Mapping, plain
from bpstep.scenario.names import Names, unknown
from bpstep.scenario.plan import Instruction, Plan, instructions
from bpstep.scenario.problems import Problems
from bpstep.scenario.references import check_references
from bpstep.scenario.source import Span
from bpstep.scenario.statements import read_program


@dataclass(frozen=True, eq=False)
class Built:
    """What is left of a file once it has been understood."""

    plan: Plan
    entries: tuple[Entry, ...]
    names: Names
    loss: str
    program: tuple[Statement, ...]


def build(merged: Merged, problems: Problems) -> Built | None:
    """Understands a file; None (and problems) where nothing can be recorded."""
    root, names = merged.root, Names()
    leaves = read_leaves(root, names, problems)
    graph = root.get("graph")
    entries = read_entries(graph, names, problems) if graph else []
    plan = _plan(root, leaves, entries, problems)
    known = _known(root, plan, leaves, names, problems)
    loss = _loss(merged, entries, known, problems)
    check_references(root, known, problems)
    check_breakpoints(root.get("breakpoints"), known, problems)
    check_fault(root.get("fault"), known, problems)
    program = read_program(root.get("program"), known, loss, plan.dtype, problems)
    return Built(plan, tuple(entries), names, loss, program) if loss is not None else None


def _plan(
    root: Mapping, leaves: Table[str, Leaf | None], entries: list[Entry], problems: Problems
) -> Plan:
    dtype = "float32" if text(root.get("dtype")) == "float32" else "float64"
    good = [_rounded(leaf, dtype) for leaf in leaves.values() if leaf is not None]
    ordered = in_order(entries, {name: bool(leaf) for name, leaf in leaves.items()}, problems)
    try:
        written = instructions(ordered, [leaf.name for leaf in good])
    except GraphError as error:
        written = []
        problems.add(entries[0].key.span(0, 1), str(error))
    return Plan(dtype, _conventions(root, problems), tuple(good), tuple(written))


def _rounded(leaf: Leaf, dtype: str) -> Leaf:
    return replace(leaf, value=finish(np.asarray(leaf.value), np.dtype(dtype)))


def _conventions(root: Mapping, problems: Problems) -> str | Table[str, object]:
    """The conventions as the engine takes them; what it would refuse is reported and left out."""
    tree = root.get("conventions")
    name = text(tree)
    chosen: dict[str, object] = {}
    for key_name, key, value in fields(tree):
        if key_name not in (*KEYS, "preset"):
            unknown(key.span, key_name, ("preset", *KEYS), problems, what="convention")
            continue
        try:
            conventions({key_name: plain(value)})
        except GraphError as error:
            problems.add(value.span, str(error))
        else:
            chosen[key_name] = plain(value)
    if name is not None and name in PRESETS:
        return name
    return chosen or "torch"


def _known(
    root: Mapping,
    plan: Plan,
    leaves: Table[str, Leaf | None],
    names: Names,
    problems: Problems,
) -> Known:
    """Records the graph once: shapes that do not fit are reported where they are written."""

    def failed(instruction: Instruction, error: GraphError) -> None:
        expr = instruction.expr
        problems.add(instruction.entry.value.span(expr.start, expr.end), str(error))

    try:
        graph = plan.record({}, failed)
    except GraphError as error:
        tree = root.get("graph") or root
        problems.add(Span(tree.source, tree.start, tree.start + 1), str(error))
        graph = Graph(plan.dtype)
    nodes = dict.fromkeys((*names.defined, *plan.names))
    complete = len(graph.visible()) == len(nodes)
    expect = root.get("expect")
    ends = text(expect.get("error")) if isinstance(expect, Mapping) else None
    return Known(leaves, nodes, graph, complete, names.defined, ends == "no-gradient")


def _loss(merged: Merged, entries: list[Entry], known: Known, problems: Problems) -> str | None:
    """The node to differentiate: as the file says, as its base does, or the last entry."""
    tree, graph = merged.root.get("loss"), merged.root.get("graph")
    inherited = merged.loss if merged.loss in known.nodes else None
    name = text(tree) or inherited or (entries[-1].name if entries else None)
    if name is None:
        if graph is not None and not problems:
            problems.add(graph.span, "a graph without entries", expected="name: expression")
        return None
    if not known.is_node(name):
        if tree is not None:
            unknown(tree.span, name, known.nodes, problems)
        return None
    index = known.index(name)
    if index is not None:
        known.check_output(index, tree.span if tree is not None else known.place(name), problems)
    return name
