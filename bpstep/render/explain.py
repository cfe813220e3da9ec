"""One or two sentences about a step, made from its data."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from bpstep.render.arrival import WIDE, arrival, buffer
from bpstep.render.equation import equation
from bpstep.render.numbers import amount, factor, large, value_text
from bpstep.render.sanitize import visible
from bpstep.render.wordings import wording

if TYPE_CHECKING:
    from bpstep.engine.graph import Graph
    from bpstep.engine.ledger import Contribution, Ledger
    from bpstep.engine.run import Pass, Run

SEARCHED = 1000
"""So many nodes are looked at before the question whether a path is direct is left open."""

PRODUCTS = ("zero_upstream", "blocked")
"""Conventions that are about 0 × inf, not about a point without a derivative."""

ARISING: tuple[tuple[str, Callable[[Any], Any]], ...] = (
    ("nan", lambda value: np.isnan(value).any()),
    ("inf", lambda value: np.isinf(value).any()),
)


def explain_at(run: Run, position: int) -> str:
    """What the step that led to `position` did (at 0: what is about to happen).

    `position` counts through all passes of the run.
    """
    if not run.passes:
        return "There is nothing to step through."
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
        return visible(f"Next: the seed of pass {found.number}, 1 at {found.output}.")
    sent = ledger.contribution(step)
    return visible(f"Next: {sent.source} sends to {sent.target}{_position(ledger, sent)}.")


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
        _settled(sent),
        _not_finite(sent),
        buffer(sent),
        arrival(ledger, sent),
    )
    return visible(" ".join(part for part in parts if part))


def _seed(ledger: Ledger) -> str:
    name = ledger.graph.label(ledger.output)
    return visible(f"The pass starts at {name}, the end of the computation: d{name}/d{name} is 1.")


def _sent(ledger: Ledger, sent: Contribution) -> str:
    """How the gradient passes one operation, and what it brings to the operand."""
    graph = ledger.graph
    about = equation(sent.source, graph.expression(sent.source_id))
    how = _kink(sent) if at_kink(sent) else _rule(graph, sent)
    direct = " by the direct path" if _direct(graph, sent) else ""
    return f"{about}: {how}, so {sent.target} receives {_product(sent)}{direct}."


def _direct(graph: Graph, sent: Contribution) -> bool:
    several = 1 < sent.expected <= WIDE
    return several and is_direct(graph, sent.source_id, sent.target_id)


def _rule(graph: Graph, sent: Contribution) -> str:
    operation = graph.operation(sent.source_id)
    name = "" if operation is None else operation.name
    said = wording(name, sent.operand, mapped=sent.local is None)
    return said.at(sent.local).format(
        source=sent.source,
        target=sent.target,
        how=_how(sent),
        number=amount(sent.local),
    )


def at_kink(sent: Contribution) -> bool:
    """Whether the operation has no derivative at this point, and a convention gave one."""
    return sent.convention is not None and sent.convention.key not in PRODUCTS


def _kink(sent: Contribution) -> str:
    use = sent.convention
    assert use is not None, "only asked at a kink"
    where = "there is no derivative at this point, and"
    if isinstance(sent.value, np.ndarray):
        where = "some elements are at a point without a derivative, and there"
    used = f"the convention {use.key} = {value_text(use.used)} was used"
    return f"{where} {used} ({_legal(use.interval)})"


def _legal(interval: tuple[float, float] | None) -> str:
    if interval is None:
        return "no value is right"
    low, high = interval
    if low == high:
        return f"only {value_text(low)} is right"
    if math.isinf(low) and math.isinf(high):
        return "any number is as right"
    return f"anything from {value_text(low)} to {value_text(high)} is as right"


def _how(sent: Contribution) -> str:
    """The local derivative as rule and number: "v = 3", "0.5", "G @ W.T"."""
    if sent.local is None or large(sent.local):
        return sent.rule
    number = amount(sent.local)
    return number if sent.rule in ("", number) else f"{sent.rule} = {number}"


def _product(sent: Contribution) -> str:
    """Where the contribution's numbers come from: "4 × 3 = 12", "G × v, of shape (3, 2)"."""
    if sent.local is None:
        return amount(sent.value)
    if not isinstance(sent.upstream, np.ndarray) and not isinstance(sent.local, np.ndarray):
        return f"{factor(sent.upstream)} × {factor(sent.local)} = {amount(sent.value)}"
    local = factor(sent.local)
    if large(sent.local):
        local = f"({sent.rule})" if " " in sent.rule else sent.rule
    shape = np.broadcast_shapes(np.shape(sent.upstream), np.shape(sent.local))
    back = "" if shape == np.shape(sent.value) else ", summed back to its own shape"
    return f"G × {local}{back}, where G is the gradient of {sent.source}: {amount(sent.value)}"


def _settled(sent: Contribution) -> str:
    """Which convention settled 0 × inf."""
    use = sent.convention
    if use is None or use.key not in PRODUCTS:
        return ""
    verb = "hides it" if use.used == "mask" else "keeps it"
    return f"0 meets a number that is not finite: the convention {use.key} = {use.used} {verb}."


def _not_finite(sent: Contribution) -> str:
    """Says where nan or inf arises, not where it is handed on."""
    arises = [said for said, test in ARISING if test(sent.value) and not test(sent.upstream)]
    return f"This is where {arises[0]} arises." if arises else ""


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
