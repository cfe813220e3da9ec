"""What a picture of a run is made of that is the same at every step: columns, boxes, layout."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from rich.cells import cell_len

from bpstep.render.drawing.choosing import Choice
from bpstep.render.drawing.parts import Box, Edge, Style
from bpstep.render.drawing.shape import Layout, lay_out
from bpstep.render.fit import cut, number
from bpstep.render.lines import CUT
from bpstep.render.numbers import not_finite
from bpstep.session.edges import sent_by

if TYPE_CHECKING:
    from bpstep.engine.arithmetic import Value
    from bpstep.engine.graph import Graph
    from bpstep.engine.ledger import Ledger
    from bpstep.engine.program import Run

NAME_WIDTH, NUMBER_WIDTH = 14, 7
"""Names and numbers in boxes, and on lines, are cut to so many columns."""

MANY = 32
"""Numbers of a node that receives more than this are taken to be as wide as any."""


@dataclass(frozen=True)
class Columns:
    """The columns in a node's box: name, value, gradient, marks, and what is left out."""

    name: str
    value: int
    gradient: int
    marks: int
    more: str


@dataclass(frozen=True, eq=False)
class Plan:
    """A laid out picture of some nodes of a run."""

    choice: Choice
    columns: Mapping[int, Columns]
    layout: Layout


@lru_cache(maxsize=8)
def plan(run: Run, graph: Graph, choice: Choice, style: Style) -> Plan:
    """Columns wide enough for every number of the run, and boxes of that width laid out."""
    columns = dict(zip(choice.nodes, _columns(run, graph, choice), strict=True))
    labels = _label_widths(run, graph, choice)
    boxes = [Box(node, _width(columns[node], style)) for node in choice.nodes]
    edges = [
        Edge(key, joint.operand, joint.consumer, joint.position, labels[key])
        for key, joint in enumerate(choice.joints)
    ]
    return Plan(choice, columns, lay_out(boxes, edges, style))


def _width(columns: Columns, style: Style) -> int:
    """Columns of a box: signs before and after, what is in it, and spaces between."""
    number = columns.value + (columns.gradient + 3 if columns.gradient else 0) + 2
    number += columns.marks + cell_len(columns.more)
    name = 1 + cell_len(columns.name) + 1
    return max(name + 1, number + 2) if style.framed else name + number + 1


def _columns(run: Run, graph: Graph, choice: Choice) -> Iterator[Columns]:
    ledgers = _ledgers(run, graph, choice)
    ghosts = {ghost.node for ledger in ledgers for ghost in ledger.ghosts()}
    for node in choice.nodes:
        name = graph.label(node)
        final = _final(run, graph, name)
        grads = [*_gradients(ledgers, node), *(value for value in [final[1]] if value is not None)]
        values = [final[0], *(ledger.graph.values[node] for ledger in ledgers)]
        values.append(graph.values[node])
        left_out = choice.left_out.get(node, 0)
        yield Columns(
            cut(name, NAME_WIDTH),
            _widest(values),
            _widest(grads),
            (node in ghosts)
            + any(map(not_finite, [*values, *grads]))
            + _may_use_convention(ledgers, node),
            f" …{left_out:,}" if left_out else "",
        )


def _ledgers(run: Run, graph: Graph, choice: Choice) -> list[Ledger]:
    """Of every pass over this tape, or over one that recorded the same nodes again."""
    return [each.ledger for each in run.passes if _alike(each.graph, graph, choice)]


def _alike(other: Graph, graph: Graph, choice: Choice) -> bool:
    if other is graph:
        return True
    return len(other) == len(graph) and all(
        other.label(node) == graph.label(node) for node in choice.nodes
    )


def _final(run: Run, graph: Graph, name: str) -> tuple[Value | None, Value | None]:
    """A node's value and gradient at the end of the program, if it is still there."""
    if run.graph is None or not run.graph.has(name):
        return None, None
    return run.value(name), run.grad(name)


def _gradients(ledgers: Sequence[Ledger], node: int) -> Iterator[Value]:
    """Every running sum at a node, of all passes."""
    for ledger in ledgers:
        if ledger.expected(node) > MANY:
            yield from [-1 / 3]
        steps = [0, *ledger.steps_of(node)] if ledger.expected(node) <= MANY else [len(ledger)]
        for step in steps:
            grad = ledger.at(step).grad(node)
            if grad is not None:
                yield grad


def _may_use_convention(ledgers: Sequence[Ledger], node: int) -> bool:
    return any(
        ledger.convention(step) is not None for ledger in ledgers for step in sent_by(ledger, node)
    )


def _widest(values: Iterable[Value | None]) -> int:
    return max((len(shown(value)) for value in values), default=0)


def shown(value: Value | None) -> str:
    """A number in a box or on a line."""
    return cut(number(value, NUMBER_WIDTH), NUMBER_WIDTH)


def _label_widths(run: Run, graph: Graph, choice: Choice) -> list[int]:
    """For every edge, columns for each contribution that it carries, and for its ghost."""
    keys = {(joint.consumer, joint.position): k for k, joint in enumerate(choice.joints)}
    widths = [0] * len(choice.joints)
    drawn = np.zeros(len(graph), dtype=np.bool_)
    drawn[list(choice.nodes)] = True
    for ledger in _ledgers(run, graph, choice):
        for index in np.flatnonzero(drawn[ledger.sources]).tolist():
            key = keys.get((int(ledger.sources[index]), int(ledger.operands[index])))
            if key is not None:
                widths[key] = max(widths[key], len(shown(ledger.value(index + 2))))
        for key, label in ghost_labels(ledger, choice).items():
            widths[key] = max(widths[key], cell_len(label))
    return widths


def ghost_labels(ledger: Ledger, choice: Choice) -> dict[int, str]:
    """By edge, what a detach keeps from going up it: ``✂ 4``."""
    through = {(ghost.through, ghost.node): ghost.value for ghost in ledger.ghosts()}
    return {
        key: f"{CUT} {shown(through[joint.consumer, joint.operand])}"
        for key, joint in enumerate(choice.joints)
        if (joint.consumer, joint.operand) in through
    }
