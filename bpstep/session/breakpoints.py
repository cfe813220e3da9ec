"""Breakpoints: what they wait for, and how they are written."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from bpstep.engine.ops import OPERATIONS
from bpstep.session.edges import index_of
from bpstep.session.errors import CommandError, unknown
from bpstep.session.parsing import condition, find_node, node_index
from bpstep.session.scope import QUANTITIES, View

if TYPE_CHECKING:
    from bpstep.engine.graph import Graph
    from bpstep.scenario.expressions import Expr


@dataclass(frozen=True)
class AtNode:
    """A node is complete."""

    node: str


@dataclass(frozen=True)
class AtEdge:
    """The consumer ``source`` sends to ``target``, at any operand position."""

    source: str
    target: str


@dataclass(frozen=True)
class AtOperation:
    """A node made by this operation sends."""

    operation: str


@dataclass(frozen=True)
class AtNonfinite:
    """A contribution or a running sum is inf or nan."""


@dataclass(frozen=True)
class AtCondition:
    """A condition holds of the step just taken."""

    condition: Expr


Trigger: TypeAlias = AtNode | AtEdge | AtOperation | AtNonfinite | AtCondition


@dataclass(frozen=True)
class Breakpoint:
    """A breakpoint: the number that ``delete`` takes, its text as after ``break``, its trigger."""

    number: int
    text: str
    trigger: Trigger


_EDGE = re.compile(r"(?P<source>.+?)\s*->\s*(?P<target>.+)")
_OPERATION = re.compile(r"op\s+(?P<name>\w+)")
_CONDITION = re.compile(r"if\s+(?P<condition>.+)")
_NAME = re.compile(r"[^\W\d]\w*")


def parse_breakpoint(text: str, number: int, view: View, offset: int = 0) -> Breakpoint:
    """A breakpoint as written after ``break``; raises CommandError for a wrong one.

    The forms are ``NODE``, ``A -> B``, ``op OP``, ``nonfinite``, and ``if COND`` or a condition
    alone; names are looked up in ``view``, and ``offset`` is where ``text`` starts in its line.
    """
    text = text.strip()
    if text == "nonfinite":
        return Breakpoint(number, text, AtNonfinite())
    if match := _OPERATION.fullmatch(text):
        return Breakpoint(number, text, _operation(match, offset))
    if match := _CONDITION.fullmatch(text):
        return _condition(match["condition"], number, view, offset + match.start("condition"))
    if match := _EDGE.fullmatch(text):
        trigger = _edge(match, view.graph, offset)
        return Breakpoint(number, f"{trigger.source} -> {trigger.target}", trigger)
    return _node_or_condition(text, number, view, offset)


def _operation(match: re.Match[str], offset: int) -> AtOperation:
    name = match["name"]
    if name not in OPERATIONS:
        raise unknown("operation", name, OPERATIONS, start=offset + match.start("name"))
    return AtOperation(name)


def _edge(match: re.Match[str], graph: Graph, offset: int) -> AtEdge:
    source = node_index(graph, match["source"], offset)
    target = node_index(graph, match["target"], offset + match.start("target"))
    names = graph.label(source), graph.label(target)
    if target not in graph.operands(source):
        operands = [graph.label(operand) for operand in graph.operands(source)]
        backwards = source in graph.operands(target)
        hint = f"; did you mean '{names[1]} -> {names[0]}'?" if backwards else ""
        raise CommandError(
            f"{names[0]} sends nothing to {names[1]}, which is not an operand of it{hint}",
            start=offset,
            end=offset + match.end(),
            choices=[f"{names[0]} -> {operand}" for operand in operands],
        )
    return AtEdge(*names)


def _node_or_condition(text: str, number: int, view: View, offset: int) -> Breakpoint:
    graph = view.graph
    # "e > 1" is a condition even where a node computes it: as a node it is written "(e > 1)".
    index = find_node(graph, text) if text.startswith("(") else index_of(graph, text)
    if index is None and _NAME.fullmatch(text) and text not in QUANTITIES:
        index = node_index(graph, text, offset)
    if index is None:
        return _condition(text, number, view, offset)
    return Breakpoint(number, graph.label(index), AtNode(graph.label(index)))


def _condition(text: str, number: int, view: View, offset: int) -> Breakpoint:
    return Breakpoint(number, f"if {text}", AtCondition(condition(text, view, offset)))
