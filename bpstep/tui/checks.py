"""What the tab `check` needs for a scene: which targets, at which steps, how much work it is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from bpstep.analysis.around import Around, around
from bpstep.analysis.differences import DEFAULT_STEPS, CheckResult, check_each
from bpstep.analysis.effort import Effort, tape_size
from bpstep.analysis.elements import leaves_with_gradient
from bpstep.analysis.finding import WORST_FIRST
from bpstep.engine.program import Pass
from bpstep.session.session import Session

QUICK_WORK, QUICK_NODES = 3_000_000, 3000
"""Checks of so many numbers, on tapes of so many nodes, are made unasked."""

ALL = "all"

Steps = tuple[float, ...] | None


@dataclass(frozen=True, eq=False)
class Checked:
    """What a job found: results by name, and the output around the point of one of them."""

    results: dict[str, CheckResult]
    around: tuple[str, Around] | None


@dataclass(frozen=True, eq=False)
class Checks:
    """The checks that can be made of one pass."""

    session: Session
    pass_: Pass

    @classmethod
    def of(cls, session: Session) -> Checks | None:
        """Those of the current pass, if there is one."""
        return None if session.pass_ is None else cls(session, session.pass_)

    @cached_property
    def leaves(self) -> tuple[str, ...]:
        """Every leaf that requires a gradient."""
        return leaves_with_gradient(self.pass_.graph)

    @cached_property
    def _leaves(self) -> frozenset[str]:
        return frozenset(self.leaves)

    def of_leaves(self, results: Mapping[str, CheckResult]) -> list[CheckResult]:
        """Those of the results that are about leaves."""
        return [result for name, result in results.items() if name in self._leaves]

    def name(self, node: int | None) -> str | None:
        """A node as a target; None where it has no gradient to check."""
        if node is None or node >= len(self.pass_.graph):
            return None
        return self.pass_.graph.label(node) if self.pass_.graph.requires_grad(node) else None

    def steps(self, name: str) -> Steps:
        """The step sizes that the scenario checks a target with; None for the default ones."""
        asked = {spec.wrt: spec.steps for spec in self.session.scenario.checks}
        found = asked.get(name, asked.get(ALL))
        return None if found is None else tuple(found)

    @cached_property
    def _size(self) -> int:
        return tape_size(self.pass_.graph, self.pass_.ledger.output)

    def effort(self, names: Iterable[str]) -> Effort:
        """What it takes to check some nodes."""
        graph = self.pass_.graph
        evaluations = 0
        for name in names:
            elements = 1
            for length in graph.shape(graph.find(name)):
                elements *= length
            evaluations += 2 * len(self.steps(name) or DEFAULT_STEPS) * elements
        return Effort(evaluations, self._size)

    def is_quick(self, names: Iterable[str]) -> bool:
        """Whether a check of these is made in no time."""
        small = self.pass_.ledger.output < QUICK_NODES
        return small and self.effort(names).work <= QUICK_WORK

    @cached_property
    def all_quick(self) -> bool:
        """Whether all leaves are."""
        return self.is_quick(self.leaves)

    def made(self, names: Sequence[str], known: CheckResult | None, detail: str | None) -> Checked:
        """Check some nodes, those with the same steps together, and look around one of them.

        ``detail`` is that one (None: the worst leaf of those that are checked), ``known`` its
        result, if it is known.
        """
        ledger = self.pass_.ledger
        results: dict[str, CheckResult] = {}
        for steps in dict.fromkeys(map(self.steps, names)):
            own = [name for name in names if self.steps(name) == steps]
            found = check_each(ledger.graph, ledger.output, own, steps, ledger)
            results.update(zip(own, found, strict=True))
        result = known if detail is None else results.get(detail, known)
        if result is None:
            result = worst(results.values())
        place = None if result is None else (result.wrt, around(ledger, result))
        return Checked(results, place)


def worst(results: Iterable[CheckResult]) -> CheckResult | None:
    """The first result with the worst verdict."""
    return min(results, key=lambda it: WORST_FIRST.index(it.verdict), default=None)
