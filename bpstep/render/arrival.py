"""What a step means for its receiver: what the sum is now, and what it still waits for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bpstep.render.numbers import factor, value_text

if TYPE_CHECKING:
    from bpstep.engine.ledger import Contribution, Ledger

WIDE = 50
"""Of a node with more contributions (a shared weight), those that are awaited are only counted."""

NAMED = 3
"""So many awaited consumers are named; the rest are counted."""

SUMMED = 4
"""A sum of at most so many contributions is written out."""


def buffer(sent: Contribution) -> str:
    """What a leaf's buffer held, at the first contribution to it."""
    if sent.buffer is None or sent.arrived != 1:
        return ""
    return f"The sum starts from {value_text(sent.buffer)}, which the buffer held."


def arrival(ledger: Ledger, sent: Contribution) -> str:
    """How many have arrived and who is awaited, or the finished sum."""
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
    return f": {' + '.join(map(factor, terms))} = {value_text(sent.running)}"


def _have(count: int) -> str:
    return "has" if count == 1 else "have"


def _awaited(ledger: Ledger, sent: Contribution) -> str:
    """Whom the receiver still waits for: "the one through z"."""
    left = sent.expected - sent.arrived
    which = "the one" if left == 1 else f"the other {left}"
    if sent.expected > WIDE:
        return which
    steps = ledger.steps_of(sent.target_id)[sent.arrived : sent.arrived + NAMED]
    names = list(dict.fromkeys(ledger.contribution(step).source for step in steps))
    more = ["others"] if left > NAMED else []
    through = _listed(names + more)
    return f"{which} through {through}" if through else which


def _listed(names: list[str]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))
