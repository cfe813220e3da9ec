"""What commands report: typed results, no sentences. ``bpstep.render`` words and draws them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from bpstep.session.standing import Printed

if TYPE_CHECKING:
    from pathlib import Path

    from bpstep.analysis.compare import Comparison, Sent
    from bpstep.analysis.differences import CheckResult
    from bpstep.analysis.flow import Flow
    from bpstep.analysis.paths import PathsResult
    from bpstep.analysis.updates import UpdateResult
    from bpstep.analysis.why import Why
    from bpstep.engine.arithmetic import Value
    from bpstep.session.breakpoints import Breakpoint
    from bpstep.session.card import Card
    from bpstep.session.command import Command
    from bpstep.session.element import ElementCard
    from bpstep.session.listing import NodeRow
    from bpstep.session.session import Session
    from bpstep.session.standing import Place, Watch, Watched

Reason = Literal["moved", "breakpoint", "start", "end", "error"]


@dataclass(frozen=True, eq=False)
class Stop:
    """The end of a motion that began at position ``before``.

    ``reason`` is ``start``, ``end`` or ``error`` where the motion was stopped by an end of the
    run. ``hits`` are the breakpoints that the step satisfies, after a ``continue`` either way.
    ``session`` is the session at this stop, without its transcript: one script can stop in several
    runs.
    """

    session: Session
    place: Place
    reason: Reason
    before: int
    hits: tuple[Breakpoint, ...]
    watches: tuple[Watched, ...]


@dataclass(frozen=True, eq=False)
class Where:
    """Where we are: the place, and the line of ``list`` about its node."""

    place: Place
    row: NodeRow | None


@dataclass(frozen=True, eq=False)
class NodeList:
    """Nodes in reverse order. Of more than a thousand, those around the place are given."""

    place: Place
    rows: tuple[NodeRow, ...]
    before: int
    after: int


@dataclass(frozen=True, eq=False)
class GradTable:
    """The gradients at this position, in tape order; ``omitted`` counts those beyond a thousand."""

    place: Place
    rows: tuple[NodeRow, ...]
    omitted: int = 0


@dataclass(frozen=True, eq=False)
class ValueTable:
    """The values in the graph of the current pass, in tape order; ``omitted`` as in GradTable."""

    place: Place
    rows: tuple[NodeRow, ...]
    omitted: int = 0


@dataclass(frozen=True, eq=False)
class CardReport:
    """A node's card."""

    card: Card


@dataclass(frozen=True, eq=False)
class ElementReport:
    """One element of a node: what made its value, and what its gradient is the sum of."""

    element: ElementCard


@dataclass(frozen=True, eq=False)
class PathsReport:
    """The paths from the output of the current pass to a node."""

    paths: PathsResult


@dataclass(frozen=True, eq=False)
class WhyReport:
    """Why a gradient is zero, not finite, very small or very large."""

    why: Why


@dataclass(frozen=True, eq=False)
class CheckReport:
    """Finite differences against the gradient, one result for each name asked for."""

    results: tuple[CheckResult, ...]


@dataclass(frozen=True, eq=False)
class UpdateReport:
    """One gradient step at each rate."""

    results: tuple[UpdateResult, ...]


@dataclass(frozen=True, eq=False)
class FlowReport:
    """How values and gradients flow in the current pass.

    ``default_rate`` says that the scenario names no rate for updates. ``first`` is the first
    contribution that is not finite, its step counted through all passes.
    """

    flow: Flow
    default_rate: bool
    first: Sent | None


@dataclass(frozen=True, eq=False)
class CompareReport:
    """Two runs side by side; ``left`` and ``right`` are their files as they were given."""

    left: str
    right: str
    comparison: Comparison


@dataclass(frozen=True, eq=False)
class Side:
    """One comparison of an assertion: both values, and whether it holds (of every element).

    A side is None where it needs a gradient that has not arrived. Of tensors, ``failing`` are the
    indices of the elements that do not satisfy it.
    """

    text: str
    symbol: str
    left: Value | str | None
    right: Value | str | None
    held: bool
    failing: tuple[tuple[int, ...], ...] = ()


@dataclass(frozen=True, eq=False)
class Asserted:
    """An assertion, whether it holds, and its comparisons in the order they are written."""

    text: str
    held: bool
    sides: tuple[Side, ...]


@dataclass(frozen=True, eq=False)
class BreakpointSet:
    """A breakpoint that was set."""

    breakpoint: Breakpoint


@dataclass(frozen=True, eq=False)
class BreakpointList:
    """The breakpoints that are set."""

    breakpoints: tuple[Breakpoint, ...]


@dataclass(frozen=True, eq=False)
class BreakpointDeleted:
    """Breakpoints that were removed."""

    breakpoints: tuple[Breakpoint, ...]


@dataclass(frozen=True, eq=False)
class WatchList:
    """The watches, and what they show now."""

    watches: tuple[Watched, ...]


@dataclass(frozen=True, eq=False)
class WatchDeleted:
    """Watches that were removed."""

    watches: tuple[Watch, ...]


@dataclass(frozen=True, eq=False)
class SetReport:
    """A leaf that was changed, the losses before and after, and where the session stands now.

    ``same_step`` is False where the step it stood at no longer exists.
    """

    name: str
    before: Value
    after: Value
    loss: str
    loss_before: Value | None
    loss_after: Value | None
    same_step: bool
    place: Place


@dataclass(frozen=True, eq=False)
class Restarted:
    """Back at the beginning, with the leaves as they were loaded."""

    place: Place


@dataclass(frozen=True, eq=False)
class Sourced:
    """A script that was read to its end: its commands' reports come before this one."""

    path: Path
    commands: int


@dataclass(frozen=True, eq=False)
class HelpReport:
    """Commands to explain: with ``details`` one of them in full, else all in one line each."""

    commands: tuple[Command, ...]
    details: bool


Report: TypeAlias = (
    Stop
    | Where
    | NodeList
    | GradTable
    | ValueTable
    | CardReport
    | ElementReport
    | PathsReport
    | WhyReport
    | CheckReport
    | UpdateReport
    | FlowReport
    | CompareReport
    | Printed
    | Asserted
    | BreakpointSet
    | BreakpointList
    | BreakpointDeleted
    | WatchList
    | WatchDeleted
    | SetReport
    | Restarted
    | Sourced
    | HelpReport
)
