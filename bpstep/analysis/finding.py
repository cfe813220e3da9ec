"""What a check of a gradient found: the verdict on every element with its evidence, and no words.

Nodes are named as they are listed. Limits come with a bound of their error.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, Literal

from bpstep.analysis.audit import Reason
from bpstep.analysis.elements import Index
from bpstep.analysis.extrapolation import NO_LIMIT, Limit
from bpstep.analysis.kinks import What
from bpstep.analysis.origins import Origins
from bpstep.engine.arithmetic import Value

Verdict = Literal[
    "agrees",
    "kink",
    "near-kink",
    "jump",
    "convention",
    "detached",
    "mismatch",
    "rounding",
    "nonfinite",
]
SideName = Literal["left", "right"]


@dataclass(frozen=True)
class StepRow:
    """The difference quotients at one step size, and the error of the central one."""

    h: float
    left: float
    right: float
    central: float
    abs_error: float
    rel_error: float


@dataclass(frozen=True)
class UsedConvention:
    """A convention that decided what a node sent on: its key, and the local derivative it gave."""

    node: str
    key: str
    used: float | str


@dataclass(frozen=True)
class OffPoint:
    """The same check at points a thousandth away: at how many of them the gradient agrees."""

    agreeing: int
    tried: int


@dataclass(frozen=True)
class Agrees:
    """Left, right and central converge to the gradient.

    ``only`` names the side on which the output exists, where it does on one only; ``coarse`` says
    that rounding made the output a staircase, so that only larger steps could be used.
    """

    verdict: ClassVar[Verdict] = "agrees"
    estimate: Limit
    only: SideName | None = None
    coarse: bool = False


@dataclass(frozen=True)
class Kink:
    """The one-sided limits differ: there is no derivative here.

    ``inside`` says whether the gradient lies between them.
    """

    verdict: ClassVar[Verdict] = "kink"
    left: Limit
    right: Limit
    inside: bool
    conventions: tuple[UsedConvention, ...] = ()
    off_point: OffPoint | None = None


@dataclass(frozen=True)
class NearKink:
    """The point is smooth and the gradient agrees; a kink lies within the larger steps.

    ``what`` lies at ``distance`` on that ``side``; ``estimate`` is from steps smaller than that.
    """

    verdict: ClassVar[Verdict] = "near-kink"
    distance: float
    side: SideName
    what: What
    estimate: Limit


@dataclass(frozen=True)
class Jump:
    """The output is discontinuous here, towards these sides."""

    verdict: ClassVar[Verdict] = "jump"
    sides: tuple[SideName, ...]
    off_point: OffPoint | None = None


@dataclass(frozen=True)
class Convention:
    """The output is smooth here, and conventions of operations without a derivative here do not
    add up to its slope; off the point the gradient agrees.
    """

    verdict: ClassVar[Verdict] = "convention"
    estimate: Limit
    conventions: tuple[UsedConvention, ...]
    off_point: OffPoint | None = None


@dataclass(frozen=True)
class Detached:
    """The gradient differs only by what ``detaches`` hold constant.

    ``held`` is the slope with their values held, which agrees, ``rebuilt`` the one without.
    """

    verdict: ClassVar[Verdict] = "detached"
    gradient: float
    held: Limit
    rebuilt: Limit
    detaches: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Mismatch:
    """The gradient is wrong.

    ``node`` is the first in reverse order whose adjoint is wrong, ``cause`` the one whose rule,
    summing or sending made it so. ``expected`` (None where it cannot be told) and ``found`` are
    what the cause should have sent to the node, and sent. ``consequences`` are the nodes between
    it and the checked one, whose adjoints are wrong because its is; ``others`` the nodes with an
    error of their own. ``off_point``: it shows beside the point, which has no derivative itself.
    ``unresolved``: its effect here is below what differences of the output can see.
    """

    verdict: ClassVar[Verdict] = "mismatch"
    node: str
    cause: str
    reason: Reason
    expected: Value | None
    found: Value
    estimate: Limit
    consequences: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    off_point: bool = False
    unresolved: bool = False


@dataclass(frozen=True)
class Rounding:
    """No step size gives an estimate that could be trusted.

    ``errors`` are the errors of central quotients by step, ``best_step`` the step of the least;
    ``bound`` is that of the best estimate. ``staircase``: differences disagree with the gradient,
    and every edge of the reverse pass is right: rounding has made the output a staircase.
    """

    verdict: ClassVar[Verdict] = "rounding"
    estimate: Limit
    errors: tuple[tuple[float, float], ...] = ()
    best_step: float | None = None
    staircase: bool = False

    @property
    def bound(self) -> float:
        """The error bound of the best estimate."""
        return self.estimate.bound


@dataclass(frozen=True)
class Nonfinite:
    """The gradient, the output, or its slope next to the point is not finite.

    ``origins`` says where the gradient or the output first stops being finite; None where both
    are finite.
    """

    verdict: ClassVar[Verdict] = "nonfinite"
    gradient: float
    output: float
    origins: Origins | None = None


Evidence = Agrees | Kink | NearKink | Jump | Convention | Detached | Mismatch | Rounding | Nonfinite

# Which verdict of an element speaks for a tensor: the first of these that any element has.
WORST_FIRST: tuple[Verdict, ...] = (
    "mismatch",
    "nonfinite",
    "jump",
    "kink",
    "convention",
    "rounding",
    "detached",
    "near-kink",
    "agrees",
)
FAILING: frozenset[Verdict] = frozenset(("mismatch", "nonfinite"))
"""The verdicts that fail where none is expected."""


@dataclass(frozen=True, eq=False)
class ElementCheck:
    """One element, or a direction through all of a tensor (``index`` None).

    ``analytic`` is its gradient, None where nothing arrives; ``rows`` are the differences at each
    step, of the output with detached values rebuilt; the limits are those of its difference
    quotients, detached values held unless the verdict is ``detached``.
    """

    index: Index | None
    analytic: float | None
    rows: tuple[StepRow, ...]
    left: Limit
    right: Limit
    central: Limit
    evidence: Evidence

    @property
    def verdict(self) -> Verdict:
        """The verdict on this element."""
        return self.evidence.verdict

    @property
    def error(self) -> float:
        """The smallest relative error over the step sizes; inf where none is a number."""
        errors = [row.rel_error for row in self.rows if not math.isnan(row.rel_error)]
        return min(errors, default=math.inf)


@dataclass(frozen=True, eq=False)
class CheckResult:
    """Every element that was checked; of a tensor the worst one speaks for all.

    ``direction`` is a random direction through all checked elements of a tensor, which shows what
    they get wrong together.
    """

    wrt: str
    elements: tuple[ElementCheck, ...]
    direction: ElementCheck | None = None

    def __repr__(self) -> str:
        return f"<CheckResult of {self.wrt}: {self.verdict}>"

    @property
    def worst(self) -> ElementCheck:
        """The element with the worst verdict, and of those the one with the largest error.

        The direction speaks only where it is wrong and no element is.
        """
        worst = min(self.elements, key=lambda it: (WORST_FIRST.index(it.verdict), -it.error))
        if self.direction is not None and self.direction.verdict == "mismatch" != worst.verdict:
            return self.direction
        return worst

    @property
    def verdict(self) -> Verdict:
        """The verdict on the gradient."""
        return self.worst.verdict

    @property
    def evidence(self) -> Evidence:
        """What the verdict rests on."""
        return self.worst.evidence

    @property
    def ok(self) -> bool:
        """Whether a check that expects nothing passes."""
        return self.verdict not in FAILING

    @property
    def node(self) -> str | None:
        """The first node in reverse order whose adjoint is wrong, at a mismatch."""
        return self.evidence.node if isinstance(self.evidence, Mismatch) else None

    @property
    def cause(self) -> str | None:
        """The node whose rule, summing or sending made it wrong, at a mismatch."""
        return self.evidence.cause if isinstance(self.evidence, Mismatch) else None

    @property
    def element(self) -> str | None:
        """The worst element of the node, ``[0, 1]``; None where only one was checked."""
        index = self.worst.index
        several = len(self.elements) > 1 and index is not None
        return f"[{', '.join(map(str, index))}]" if several and index is not None else None

    @property
    def analytic(self) -> float | None:
        """The gradient of the worst element; None where nothing arrives."""
        return self.worst.analytic

    @property
    def rows(self) -> tuple[StepRow, ...]:
        """The differences of the worst element, one row a step size."""
        return self.worst.rows

    @property
    def left(self) -> Limit:
        """The worst element's limit from the left."""
        return self.worst.left

    @property
    def right(self) -> Limit:
        """The worst element's limit from the right."""
        return self.worst.right

    @property
    def central(self) -> Limit:
        """The worst element's central limit; at a kink the mean of both sides."""
        return self.worst.central


def mean_of(left: Limit, right: Limit) -> Limit:
    """The central limit at a kink."""
    value = (left.value + right.value) / 2
    if not math.isfinite(value):
        return NO_LIMIT
    return Limit(value, (left.bound + right.bound) / 2)
