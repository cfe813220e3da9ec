"""Two runs side by side: values, gradients and contributions by name, and where they part."""

from __future__ import annotations

from dataclasses import dataclass

from bpstep.analysis.aligned_steps import parting
from bpstep.analysis.equality import equal
from bpstep.analysis.progress import STRIDE, counted
from bpstep.engine.arithmetic import Value
from bpstep.engine.graph import Graph
from bpstep.engine.ledger import Ledger
from bpstep.engine.run import Pass, Run


@dataclass(frozen=True, eq=False)
class Sent:
    """One step of one run: the seed of a pass (``source`` None) or a contribution."""

    step: int
    pass_number: int
    source: str | None
    operand: int | None
    target: str
    value: Value

    def same(self, other: Sent) -> bool:
        """Whether both are the same contribution of the same size."""
        ours = (self.source, self.operand, self.target)
        return ours == (other.source, other.operand, other.target) and equal(
            self.value, other.value
        )


@dataclass(frozen=True, eq=False)
class Pair:
    """A node in both runs. Values and gradients are None where a run has none."""

    node: str
    left_value: Value | None
    right_value: Value | None
    left_grad: Value | None
    right_grad: Value | None
    left_arrivals: tuple[Sent, ...]
    right_arrivals: tuple[Sent, ...]

    @property
    def same_value(self) -> bool:
        """Whether the node has the same value in both (nan is equal to nan)."""
        return equal(self.left_value, self.right_value)

    @property
    def same_grad(self) -> bool:
        """Whether the same gradient arrived in both."""
        return equal(self.left_grad, self.right_grad)

    @property
    def same_arrivals(self) -> bool:
        """Whether the same contributions arrived in the same order."""
        ours, theirs = self.left_arrivals, self.right_arrivals
        return len(ours) == len(theirs) and all(
            a.same(b) for a, b in zip(ours, theirs, strict=True)
        )


@dataclass(frozen=True, eq=False)
class GhostPair:
    """What a detach keeps from arriving at a node, in whichever run has it."""

    node: str
    left: tuple[tuple[str, Value], ...]
    right: tuple[tuple[str, Value], ...]


@dataclass(frozen=True, eq=False)
class Comparison:
    """Two runs aligned by node name, in the left one's tape order, the right one's own nodes last.

    ``first_value`` is the first node whose value differs; ``parting`` the first step at which the
    passes differ, as (left, right), None for a run that has no such step.
    """

    pairs: tuple[Pair, ...]
    first_value: str | None
    parting: tuple[Sent | None, Sent | None] | None
    ghosts: tuple[GhostPair, ...]

    @property
    def same(self) -> bool:
        """Whether nothing differs."""
        return self.parting is None and all(p.same_value and p.same_grad for p in self.pairs)


def compare(left: Run, right: Run) -> Comparison:
    """Align two runs: values of their last graphs, gradients at their ends, contributions of
    their last passes, and the first step of all passes at which they part.
    """
    names = _names(left, right)
    pairs = tuple(_pair(name, left, right) for name in counted(names, len(names), "nodes", STRIDE))
    differing = (pair.node for pair in pairs if not pair.same_value)
    return Comparison(pairs, next(differing, None), _parting(left, right), _ghosts(left, right))


def _labels(graph: Graph | None) -> list[str]:
    return [] if graph is None else [graph.label(node) for node in graph.visible()]


def _names(left: Run, right: Run) -> list[str]:
    return list(dict.fromkeys([*_labels(left.graph), *_labels(right.graph)]))


def _pair(name: str, left: Run, right: Run) -> Pair:
    (a, da, sa), (b, db, sb) = _known(name, left), _known(name, right)
    return Pair(name, a, b, da, db, sa, sb)


def _known(name: str, run: Run) -> tuple[Value | None, Value | None, tuple[Sent, ...]]:
    """A node's value, gradient and last arrivals in one run, if it has the node."""
    if run.graph is None or not run.graph.has(name):
        return None, None, ()
    arrivals: tuple[Sent, ...] = ()
    if run.passes:
        last = run.passes[-1]
        arrivals = tuple(
            sent(last, step) for step in last.ledger.steps_of(last.graph.find(name)) if step > 1
        )
    return run.value(name), run.grad(name), arrivals


def sent(pass_: Pass, step: int) -> Sent:
    """A step of a pass (counted within it) by names."""
    ledger: Ledger = pass_.ledger
    target = pass_.graph.label(ledger.receiver(step))
    if step == 1:
        return Sent(pass_.first + 1, pass_.number, None, None, target, 1.0)
    source = pass_.graph.label(int(ledger.sources[step - 2]))
    operand = int(ledger.operands[step - 2])
    return Sent(pass_.first + step, pass_.number, source, operand, target, ledger.value(step))


def _parting(left: Run, right: Run) -> tuple[Sent | None, Sent | None] | None:
    position = parting(left, right)
    return None if position is None else (_step(left, position), _step(right, position))


def _step(run: Run, position: int) -> Sent | None:
    """The step of a run that leads to a position; None where it has no such step."""
    pass_ = run.pass_at(position) if position <= run.steps else None
    return None if pass_ is None else sent(pass_, position - pass_.first)


def _ghosts(left: Run, right: Run) -> tuple[GhostPair, ...]:
    ours, theirs = _ghosts_of(left), _ghosts_of(right)
    names = dict.fromkeys([*ours, *theirs])
    return tuple(
        GhostPair(name, tuple(ours.get(name, ())), tuple(theirs.get(name, ()))) for name in names
    )


def _ghosts_of(run: Run) -> dict[str, list[tuple[str, Value]]]:
    found: dict[str, list[tuple[str, Value]]] = {}
    if run.passes:
        last = run.passes[-1]
        for ghost in last.ledger.ghosts():
            through = last.graph.label(ghost.through)
            found.setdefault(last.graph.label(ghost.node), []).append((through, ghost.value))
    return found
