"""Known misconceptions about gradients: how each comes to its number, and what is said to it.

One row each. A wrong answer that is one of a row's numbers is told so. What happens to be the
right number is nobody's misconception: right answers are judged before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from bpstep.analysis.paths import paths
from bpstep.engine.reverse import reverse
from bpstep.session.edges import index_of

if TYPE_CHECKING:
    from bpstep.engine.arithmetic import Value
    from bpstep.engine.ledger import Contribution, Ledger
    from bpstep.engine.program import Pass, Run
    from bpstep.session.answers import Given
    from bpstep.session.subject import Subject

MOST_PATHS = 24
MOST_STEPS = 10_000
"""Paths are looked at one by one only in passes of at most so many steps."""


@dataclass(frozen=True, eq=False)
class Situation:
    """Where a question is answered: a node in a pass of a run."""

    scenario: Subject
    run: Run
    pass_: Pass
    node: int

    @property
    def ledger(self) -> Ledger:
        """The pass, step by step."""
        return self.pass_.ledger

    @property
    def name(self) -> str:
        """The node's name."""
        return self.pass_.graph.label(self.node)

    @property
    def value(self) -> Value:
        """The node's value."""
        return self.pass_.graph.values[self.node]

    @cached_property
    def gradient(self) -> Value | None:
        """The gradient at the end of the pass."""
        return self.ledger.grad(self.node)

    @cached_property
    def sent(self) -> tuple[Contribution, ...]:
        """What arrives in this pass, in order."""
        return self.ledger.contributions(self.node)

    @property
    def several(self) -> tuple[Contribution, ...]:
        """The same, where it is more than one."""
        return self.sent if len(self.sent) > 1 else ()

    def summed(self, parts: Iterable[Any]) -> Iterator[Value]:
        """The sum of some parts in the node's shape, if they all are there and fit."""
        listed = list(parts)
        if not listed or any(part is None for part in listed):
            return
        shape = np.shape(self.value)
        with np.errstate(all="ignore"), suppress(ValueError):
            total = sum(np.broadcast_to(part, shape) for part in listed)
            yield np.asarray(total)


Numbers = Callable[[Situation], Iterator[Any]]


@dataclass(frozen=True)
class Misconception:
    """A way to go wrong: its name, the numbers that it leads to, and what is said to it.

    ``says`` is filled with the answer (``given``), the ``node``'s name and the ``fault``'s kind.
    ``of_gradient`` is False for questions about something else than the node's gradient, None for
    both kinds.
    """

    name: str
    numbers: Numbers
    says: str
    of_gradient: bool | None = True


def _overwrote(at: Situation) -> Iterator[Any]:
    yield from (sent.value for sent in at.several[-1:])


def _one_path(at: Situation) -> Iterator[Any]:
    yield from (sent.value for sent in at.several)
    if len(at.ledger) <= MOST_STEPS:
        found = paths(at.ledger, at.name, limit=MOST_PATHS)
        if found.count > 1:
            yield from (path.product for path in found.paths)


def _one_missing(at: Situation) -> Iterator[Any]:
    for left_out in at.several if len(at.several) > 2 else ():
        yield from at.summed(sent.value for sent in at.sent if sent is not left_out)


def _averaged(at: Situation) -> Iterator[Any]:
    yield from at.summed(sent.value / len(at.sent) for sent in at.several)


def _no_upstream(at: Situation) -> Iterator[Any]:
    yield from at.summed(sent.local for sent in at.sent)


def _own_value(at: Situation) -> Iterator[Any]:
    factors = [_is_factor(at, sent) for sent in at.sent]
    if any(factors):
        parts = zip(at.sent, factors, strict=True)
        yield from at.summed(sent.upstream * at.value if own else sent.value for sent, own in parts)


def _is_factor(at: Situation, sent: Contribution) -> bool:
    """Whether it comes by an elementwise product of numbers, or of tensors of one shape."""
    made_by = at.pass_.graph.operation(sent.source_id)
    same = np.shape(sent.upstream) == np.shape(at.value)
    return made_by is not None and made_by.name == "mul" and same


def _no_local(at: Situation) -> Iterator[Any]:
    yield from at.summed(sent.upstream for sent in at.sent)


def _value(at: Situation) -> Iterator[Any]:
    yield at.value


def _transposed(at: Situation) -> Iterator[Any]:
    if isinstance(at.gradient, np.ndarray) and at.gradient.ndim == 2:
        yield at.gradient.T


def _no_detach(at: Situation) -> Iterator[Any]:
    if at.ledger.ghosts():
        ledger = at.ledger
        opened = reverse(ledger.graph, ledger.output, buffers=ledger.buffers, open_detach=True)
        yield opened.grad(at.node)


def _no_fault(at: Situation) -> Iterator[Any]:
    if at.ledger.fault is not None:
        ledger = at.ledger
        yield reverse(ledger.graph, ledger.output, buffers=ledger.buffers).grad(at.node)


def _no_buffer(at: Situation) -> Iterator[Any]:
    if at.ledger.buffers.get(at.node) is not None:
        yield at.ledger.own_grad(at.node)


def _not_cleared(at: Situation) -> Iterator[Any]:
    if at.name not in map(at.pass_.graph.label, at.pass_.graph.leaves()):
        return
    if at.ledger.buffers.get(at.node) is None:
        for earlier in at.run.passes[: at.pass_.number - 1]:
            left = index_of(earlier.graph, at.name)
            if left is not None:
                yield from at.summed([at.gradient, earlier.ledger.grad(left)])


def _sign(at: Situation) -> Iterator[Any]:
    return iter(())


def _the_gradient(at: Situation) -> Iterator[Any]:
    yield at.gradient


def _rates(at: Situation) -> tuple[float, ...]:
    return at.scenario.updates.rates if at.scenario.updates is not None else ()


def _uphill(at: Situation) -> Iterator[Any]:
    if at.gradient is not None:
        yield from (at.value + rate * at.gradient for rate in _rates(at))


def _no_rate(at: Situation) -> Iterator[Any]:
    if _rates(at) and at.gradient is not None:
        yield at.value - at.gradient


def _only_the_change(at: Situation) -> Iterator[Any]:
    if at.gradient is not None:
        for rate in _rates(at):
            yield from (rate * at.gradient, -rate * at.gradient)


SIGN = Misconception(
    "sign",
    _sign,
    "The size is right, the sign is not.",
    of_gradient=None,
)
"""Its number is the right answer's opposite, whatever the question is about."""

TABLE = (
    Misconception(
        "overwrote",
        _overwrote,
        "{given} is what arrives last at {node}. Contributions are added, not written over.",
    ),
    Misconception(
        "one path only",
        _one_path,
        "{given} is what one path brings. {node} gets the sum over all paths.",
    ),
    Misconception(
        "one left out",
        _one_missing,
        "{given} leaves out one contribution. Every use of {node} sends one.",
    ),
    Misconception(
        "averaged",
        _averaged,
        "{given} is the mean of the contributions. They are added, and nobody divides.",
    ),
    Misconception(
        "counts the detach",
        _no_detach,
        "{given} counts what the detach keeps from arriving. Nothing is sent through it.",
    ),
    Misconception(
        "forgets the fault",
        _no_fault,
        "{given} is what a right pass would bring. This one is wrong on purpose: fault {fault}.",
    ),
    Misconception(
        "forgets the buffer",
        _no_buffer,
        "{given} is what this pass brings. It is added to what an earlier one left in {node}.",
    ),
    Misconception(
        "adds to an old buffer",
        _not_cleared,
        "{given} adds what an earlier pass left in {node}. That was cleared before this one.",
    ),
    Misconception(
        "forgot the upstream factor",
        _no_upstream,
        "{given} is the local derivative alone. Multiply it by the upstream gradient, "
        "which is what the consumer of {node} has received.",
    ),
    Misconception(
        "forgot the local derivative",
        _no_local,
        "{given} is the upstream gradient alone. Multiply it by the local derivative of the "
        "consumer with respect to {node}.",
    ),
    Misconception(
        "used its own value",
        _own_value,
        "{given} is the upstream gradient times {node}'s own value. The derivative of a product "
        "with respect to one operand is the other operand.",
    ),
    SIGN,
    Misconception(
        "value instead of gradient",
        _value,
        "{given} is the value of {node}, not its gradient.",
    ),
    Misconception(
        "transposed",
        _transposed,
        "That is the transpose. A gradient has the shape of its node, row by row.",
    ),
    Misconception(
        "step up the gradient",
        _uphill,
        "{given} is a step up the gradient. Descent subtracts it.",
        of_gradient=False,
    ),
    Misconception(
        "forgot the rate",
        _no_rate,
        "{given} is {node} less the whole gradient. Multiply that by the rate.",
        of_gradient=False,
    ),
    Misconception(
        "only the change",
        _only_the_change,
        "{given} is by how much {node} changes. Add that to what it was.",
        of_gradient=False,
    ),
    Misconception(
        "gradient instead",
        _the_gradient,
        "{given} is the gradient of {node}. The question is about something else.",
        of_gradient=False,
    ),
    Misconception(
        "old value",
        _value,
        "{given} is the value of {node} as it is now. The question is about something else.",
        of_gradient=False,
    ),
)


def matching(
    given: Given, answer: Any, at: Situation, of_gradient: bool
) -> Iterator[Misconception]:
    """The rows of which a wrong answer is a number, in the table's order."""
    tolerance, dtype = at.scenario.tolerance, at.scenario.dtype
    for row in TABLE:
        numbers = _opposite(answer) if row is SIGN else row.numbers(at)
        if row.of_gradient in (None, of_gradient) and any(
            number is not None and given.means(number, tolerance, dtype) for number in numbers
        ):
            yield row


def _opposite(answer: Any) -> Iterator[Any]:
    if answer is not None:
        yield -np.asarray(answer, dtype=np.float64)
