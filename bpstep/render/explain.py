"""One or two sentences about a step, made from its data."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from bpstep.render.numbers import shape_text, value_text
from bpstep.render.wordings import wording

if TYPE_CHECKING:
    from bpstep.engine.graph import Graph
    from bpstep.engine.ledger import Contribution, Ledger
    from bpstep.engine.run import Pass, Run

SEARCHED = 2000
"""So many nodes are looked at before the question whether a path is direct is left open."""

NAMED = 3
"""So many awaited consumers are named; the rest are counted."""

SUMMED = 4
"""A sum of at most so many contributions is written out."""


def explain_at(run: Run, position: int) -> str:
    """What the step that led to `position` did (at 0: what is about to happen).

    `position` counts through all passes of the run, which has at least one.
    """
    if not run.passes:
        return "The program runs no reverse pass: there is nothing to step through."
    if position == 0:
        return f"Nothing has been sent yet. {upcoming(run, 0)}"
    found = _pass_of(run, position)
    return explain(found.ledger, position - found.first)


def upcoming(run: Run, position: int) -> str:
    """The step after `position` in a sentence without its numbers; at the end, that."""
    if position >= run.steps:
        return "That was the last step." if run.error is None else "Here the run ends in its error."
    found = _pass_of(run, position + 1)
    ledger, step = found.ledger, position + 1 - found.first
    if step == 1:
        return f"Next: the seed of pass {found.number}, 1 at {found.output}."
    sent = ledger.contribution(step)
    return f"Next: {sent.source} sends to {sent.target}{_position(ledger, sent)}."


def _pass_of(run: Run, position: int) -> Pass:
    found = run.pass_at(position)
    assert found is not None, "there is a pass for every step"
    return found


def explain(ledger: Ledger, step: int) -> str:
    """What one step of a reverse pass did: how, what came of it, and what is still awaited.

    `step` counts from 1, the seed, to len(ledger).
    """
    if step == 1:
        return _seed(ledger)
    sent = ledger.contribution(step)
    parts = (
        _sent(ledger, sent),
        _convention(sent),
        _not_finite(sent),
        _buffer(sent),
        _arrival(ledger, sent),
    )
    return " ".join(part for part in parts if part)


def _seed(ledger: Ledger) -> str:
    name = ledger.graph.label(ledger.output)
    return f"The pass starts at {name}, the end of the computation: d{name}/d{name} is 1."


def _sent(ledger: Ledger, sent: Contribution) -> str:
    graph = ledger.graph
    operation = graph.operation(sent.source_id)
    mapped = sent.local is None
    said = wording("" if operation is None else operation.name, sent.operand, mapped)
    how = said.at(sent.local).format(source=sent.source, target=sent.target, how=_how(sent))
    expression = graph.expression(sent.source_id)
    about = sent.source if sent.source == f"({expression})" else f"{sent.source} = {expression}"
    direct = " by the direct path" if is_direct(graph, sent.source_id, sent.target_id) else ""
    return f"{about}: {how}, so {sent.target} receives {_product(sent)}{direct}."


def _how(sent: Contribution) -> str:
    """The local derivative as rule and number: "v = 3", "0.5", "G @ W.T"."""
    if sent.local is None:
        return sent.rule
    number = value_text(sent.local)
    return number if sent.rule in ("", number) else f"{sent.rule} = {number}"


def _product(sent: Contribution) -> str:
    """Where the contribution's numbers come from: "4 × 3 = 12"."""
    value = value_text(sent.value)
    if sent.local is None:
        return f"{sent.rule} = {value}"
    product = f"{_factor(sent.upstream)} × {_factor(sent.local)}"
    if np.shape(sent.value) != np.broadcast_shapes(np.shape(sent.upstream), np.shape(sent.local)):
        product = f"{product}, summed to the shape {shape_text(np.shape(sent.value))},"
    return f"{product} = {value}"


def _factor(value: Any) -> str:
    text = value_text(value)
    return f"({text})" if text.startswith("-") else text


def _convention(sent: Contribution) -> str:
    use = sent.convention
    if use is None:
        return ""
    legal = ""
    if use.interval is not None:
        low, high = use.interval
        legal = f", where anything from {value_text(low)} to {value_text(high)} is legal"
    return (
        f"At this point there is no ordinary derivative: "
        f"the convention {use.key} = {value_text(use.used)} was used{legal}."
    )


def _not_finite(sent: Contribution) -> str:
    """Says where a number that is not finite arises, not where it is handed on."""
    if sent.local is None or isinstance(sent.value, np.ndarray) or math.isfinite(sent.value):
        return ""
    if isinstance(sent.upstream, float) and not math.isfinite(sent.upstream):
        return ""
    return f"Here {value_text(sent.value)} first arises on this path."


def _buffer(sent: Contribution) -> str:
    if sent.buffer is None or sent.arrived != 1:
        return ""
    return f"The sum starts from {value_text(sent.buffer)}, which the buffer held."


def _arrival(ledger: Ledger, sent: Contribution) -> str:
    if sent.arrived < sent.expected:
        count = f"{sent.arrived} of {sent.expected} {_have(sent.arrived)} arrived"
        return f"{count}; {sent.target} waits for {_awaited(ledger, sent)}."
    if sent.expected == 1 and sent.buffer is None:
        return ""
    return f"Everything has arrived at {sent.target}{_sum(ledger, sent)}."


def _sum(ledger: Ledger, sent: Contribution) -> str:
    """The sum of what arrived, where it is short: ": 4 + 12 = 16"."""
    if isinstance(sent.running, np.ndarray):
        return ""
    if sent.expected > SUMMED:
        return f": {value_text(sent.running)}"
    steps = ledger.steps_of(sent.target_id)
    terms = [] if sent.buffer is None else [sent.buffer]
    terms += [ledger.contribution(step).value for step in steps]
    return f": {' + '.join(map(_factor, terms))} = {value_text(sent.running)}"


def _have(count: int) -> str:
    return "has" if count == 1 else "have"


def _awaited(ledger: Ledger, sent: Contribution) -> str:
    """Whom the receiver still waits for: "the one through z"."""
    left = sent.expected - sent.arrived
    steps = ledger.steps_of(sent.target_id)[sent.arrived : sent.arrived + NAMED]
    names = list(dict.fromkeys(ledger.contribution(step).source for step in steps))
    more = ["others"] if left > NAMED else []
    which = "the one" if left == 1 else f"the other {left}"
    through = _listed(names + more)
    return f"{which} through {through}" if through else which


def _listed(names: list[str]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def _position(ledger: Ledger, sent: Contribution) -> str:
    """Which operand is meant, where one operation takes the same node more than once."""
    operands = ledger.graph.operands(sent.source_id)
    repeated = list(operands).count(sent.target_id) > 1
    return f", operand {sent.operand}" if repeated else ""


def is_direct(graph: Graph, source: int, target: int) -> bool:
    """Whether the edge is a short cut: another way leads from `target` to `source` as well.

    Looks at the nodes between the two, and gives up (False) after SEARCHED of them.
    """
    waiting = [c for c, _ in graph.consumers(target)[: SEARCHED + 1] if c < source]
    seen: set[int] = set()
    while waiting and len(seen) < SEARCHED:
        node = waiting.pop()
        if node in seen:
            continue
        seen.add(node)
        for consumer, _ in graph.consumers(node):
            if consumer == source:
                return True
            if consumer < source:
                waiting.append(consumer)
    return False
