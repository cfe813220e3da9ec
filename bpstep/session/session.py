"""The debugger without a screen: a run, a position in it, and what the user has set.

A session never changes. Everything that moves or sets something returns another session, so that
an earlier one can be kept, compared and gone back to. Going to a position is a look-up in the
run's ledgers: it is the same from either side, and as quick after a million steps as after one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from bpstep.session import motion, search
from bpstep.session.breakpoints import Breakpoint, parse_breakpoint
from bpstep.session.errors import CommandError
from bpstep.session.relocation import relocate
from bpstep.session.scope import View
from bpstep.session.standing import Watch

if TYPE_CHECKING:
    from bpstep.engine.arithmetic import Value
    from bpstep.engine.graph import Graph
    from bpstep.engine.ledger import Contribution, Ledger, State
    from bpstep.engine.program import Pass, Run
    from bpstep.session.reports import Report
    from bpstep.session.subject import Subject

Move = Callable[["Run", int], int]


@dataclass(frozen=True, eq=False)
class Entry:
    """A command that was carried out: its line, the positions round it, what it reported."""

    line: str
    before: int
    after: int
    reports: tuple[Report, ...]


@dataclass(frozen=True, eq=False)
class Session:
    """A run and a position, with breakpoints, watches and changed leaves.

    ``position`` steps are done, counted through all passes: the step just taken is number
    ``position``, and at 0 none is. ``changes`` are the leaves that ``set`` gave other values.
    ``numbered`` is how many breakpoints, then watches, were ever set: numbers are not given twice.
    ``last_motion`` is the command that an empty line repeats.
    """

    scenario: Subject
    run: Run
    position: int = 0
    changes: Mapping[str, Value] = field(default_factory=dict)
    breakpoints: tuple[Breakpoint, ...] = ()
    watches: tuple[Watch, ...] = ()
    numbered: tuple[int, int] = (0, 0)
    last_motion: str | None = None
    transcript: tuple[Entry, ...] = ()

    def __repr__(self) -> str:
        return f"<Session on {self.scenario.name}: step {self.position} of {self.total}>"

    @classmethod
    def open(cls, scenario: Subject) -> Session:
        """Run a scenario's program and stand before its first step, its breakpoints set.

        Raises GraphError where the program cannot be run, CommandError for a wrong breakpoint.
        """
        session = cls(scenario, scenario.run())
        for text in scenario.breakpoints:
            session = session.add_breakpoint(text)
        return session

    # Where we are.

    @property
    def total(self) -> int:
        """The number of steps of all passes."""
        return self.run.steps

    @cached_property
    def pass_(self) -> Pass | None:
        """The pass of the step just taken (at 0 the first); None where the program has none."""
        return self.run.pass_at(self.position)

    @property
    def ledger(self) -> Ledger | None:
        """The contributions of the current pass."""
        return self.pass_.ledger if self.pass_ else None

    @property
    def graph(self) -> Graph | None:
        """The tape of the current pass; without a pass the one recorded last, if any."""
        return self.pass_.graph if self.pass_ else self.run.graph

    @property
    def step_in_pass(self) -> int:
        """How many steps of the current pass are done."""
        return self.position - self.pass_.first if self.pass_ else 0

    @cached_property
    def state(self) -> State | None:
        """Every node's gradient at this position."""
        return self.ledger.at(self.step_in_pass) if self.ledger is not None else None

    @cached_property
    def receiver(self) -> int | None:
        """The node that received at the step just taken; at 0, the one that will be seeded."""
        if self.ledger is None:
            return None
        return self.ledger.receiver(self.step_in_pass) if self.step_in_pass else self.ledger.output

    @cached_property
    def contribution(self) -> Contribution | None:
        """The step just taken, unless it was the seed of a pass."""
        if self.ledger is None or self.step_in_pass < 2:
            return None
        return self.ledger.contribution(self.step_in_pass)

    @property
    def end(self) -> Run | None:
        """The run, where all its steps are done: values and gradients are then its final ones.

        The statements after the last pass have no position of their own; they belong to this one.
        """
        return self.run if self.position == self.total else None

    @property
    def view(self) -> View:
        """The current graph and pass, for evaluating expressions; at the end, its final state.

        Raises CommandError where the program recorded no graph.
        """
        if self.graph is None:
            raise CommandError("the program runs no forward pass: there are no nodes")
        return View(self.graph, self.pass_, self.end)

    def leaf_value(self, name: str) -> Value:
        """A leaf's value before the program starts, as it was loaded or ``set``.

        Raises KeyError for a name that is no leaf's.
        """
        return self.changes[name] if name in self.changes else self.scenario.leaf_values[name]

    # Moving.

    def at(self, position: int) -> Session:
        """The same session at another position, kept between 0 and the end."""
        return replace(self, position=min(max(position, 0), self.total))

    def step(self, count: int = 1) -> Session:
        """The position ``count`` contributions on."""
        return self.at(self.position + count)

    def back(self, count: int = 1) -> Session:
        """The position ``count`` contributions back."""
        return self.at(self.position - count)

    def next(self, count: int = 1) -> Session:
        """On until ``count`` more nodes are complete."""
        return self._repeated(motion.next_complete, count)

    def reverse_next(self, count: int = 1) -> Session:
        """Back over ``count`` nodes, to where the one before was complete."""
        return self._repeated(motion.previous_complete, count)

    def next_pass(self, count: int = 1) -> Session:
        """On to the seed of the next pass."""
        return self._repeated(motion.next_pass, count)

    def run_on(self, count: int = 1) -> Session:
        """On to the next step that satisfies a breakpoint, or the end."""
        return self._repeated(lambda run, here: search.next_hit(run, here, self.breakpoints), count)

    def run_back(self, count: int = 1) -> Session:
        """Back to the step before this one that satisfies a breakpoint, or the start."""
        return self._repeated(
            lambda run, here: search.previous_hit(run, here, self.breakpoints), count
        )

    def _repeated(self, move: Move, count: int) -> Session:
        position = self.position
        for _ in range(count):
            before, position = position, move(self.run, position)
            if position == before:
                break
        return self.at(position)

    def hits(self) -> tuple[Breakpoint, ...]:
        """The breakpoints that the step just taken satisfies."""
        return search.hits_at(self.run, self.position, self.breakpoints)

    # Setting.

    def add_breakpoint(self, text: str, offset: int = 0) -> Session:
        """Set a breakpoint, written as after ``break``; ``offset`` is where it starts in its line.

        Raises CommandError for a wrong one.
        """
        breakpoints, watches = self.numbered
        added = parse_breakpoint(text, breakpoints + 1, self.view, offset)
        return replace(
            self,
            breakpoints=(*self.breakpoints, added),
            numbered=(breakpoints + 1, watches),
        )

    def add_watch(self, text: str) -> Session:
        """Show an expression at every stop."""
        breakpoints, watches = self.numbered
        added = Watch(watches + 1, text)
        return replace(self, watches=(*self.watches, added), numbered=(breakpoints, watches + 1))

    def with_leaves(self, changes: Mapping[str, Value]) -> Session:
        """Run again with some leaves changed, and stay at the same step.

        Raises GraphError where the program cannot be run with these values.
        """
        leaves = {**self.changes, **changes}
        again = replace(self, run=self.scenario.run(leaves), changes=leaves)
        return again.at(relocate(self.run, self.position, again.run).position)

    def reload(self, scenario: Subject) -> Session:
        """The scenario as it is now (edited, say), at the same step, with what the user has set.

        Changes by ``set`` are dropped. Breakpoints and watches on what no longer exists stay, and
        wait for it to come back.
        """
        return self.onto(scenario, scenario.run())

    def onto(self, scenario: Subject, run: Run) -> Session:
        """As `reload`, with the run of the scenario made already."""
        fresh = replace(self, scenario=scenario, run=run, changes={})
        return fresh.at(relocate(self.run, self.position, run).position)

    def restart(self) -> Session:
        """The scenario as it was loaded, at position 0; breakpoints and watches stay."""
        run = self.scenario.run() if self.changes else self.run
        return replace(self, run=run, changes={}, position=0)
