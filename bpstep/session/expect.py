"""Holding a scenario against what it expects: one judgement a number."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bpstep.session.closeness import close

if TYPE_CHECKING:
    from bpstep.analysis.limits import Limits
    from bpstep.analysis.updates import UpdateResult
    from bpstep.engine.arithmetic import Value
    from bpstep.engine.ledger import Ledger
    from bpstep.engine.program import Run
    from bpstep.scenario import Scenario

LIMITS = ("left", "right", "central")
LIMIT_TOLERANCE = 1e-6
NOISE = 5.0
"""How many error bounds an extrapolated limit may be off, up to ``LIMIT_TOLERANCE`` absolutely."""


@dataclass(frozen=True, eq=False)
class Judged:
    """One expectation: ``what`` it is about (``grads.w``), what was expected and what was found.

    ``ok`` is None where the program cannot judge it yet.
    """

    what: str
    expected: Any
    found: Any
    ok: bool | None


@dataclass(frozen=True, eq=False)
class _Case:
    """A scenario that was run, and how its numbers are compared."""

    scenario: Scenario
    run: Run

    @property
    def ledger(self) -> Ledger | None:
        """The last pass; None where none ran."""
        return self.run.passes[-1].ledger if self.run.passes else None

    def close(self, expected: Any, found: Any) -> bool:
        """Equal within the scenario's tolerance."""
        tolerance, dtype = self.scenario.tolerance, self.scenario.dtype
        return close(expected, found, rel=tolerance.rel, abs_=tolerance.abs, dtype=dtype)

    def judged(self, what: str, expected: Any, found: Any) -> Judged:
        """A judgement of two values within the tolerance."""
        return Judged(what, expected, found, self.close(expected, found))


def judge(scenario: Scenario, run: Run | None = None) -> tuple[Judged, ...]:
    """Run a scenario's program and hold everything under ``expect`` against it.

    A run that ends in an error its scenario does not expect is a failure of ``error``. ``run`` is
    the scenario's own run, if it has been made already.
    """
    case = _Case(scenario, scenario.run() if run is None else run)
    return tuple(judged for section in _SECTIONS for judged in section(case))


def _error(case: _Case) -> Iterator[Judged]:
    expected = case.scenario.expect.error
    found = case.run.error.code if case.run.error is not None else None
    if expected is not None or found is not None:
        yield Judged("error", expected, found, expected == found)


def _values(case: _Case) -> Iterator[Judged]:
    for name, expected in case.scenario.expect.values.items():
        found = case.run.value(name) if case.run.graph is not None else None
        yield case.judged(f"values.{name}", expected, found)


def _grads(case: _Case) -> Iterator[Judged]:
    for name, expected in case.scenario.expect.grads.items():
        yield case.judged(f"grads.{name}", expected, case.run.grad(name))


def _contributions(case: _Case) -> Iterator[Judged]:
    for name, expected in case.scenario.expect.contributions.items():
        arrived = case.ledger.contributions(name) if case.ledger is not None else ()
        found = [contribution.value for contribution in arrived]
        ok = len(expected) == len(found) and all(map(case.close, expected, found))
        yield Judged(f"contributions.{name}", list(expected), found, ok)


def _checks(case: _Case) -> Iterator[Judged]:
    for wrt, expected in case.scenario.expect.checks.items():
        yield from _check(case, wrt, expected)


def _check(case: _Case, wrt: str, expected: Mapping[str, Any]) -> Iterator[Judged]:
    numbers = {key: expected[key] for key in LIMITS if expected.get(key) is not None}
    for key, word in expected.items():
        if key not in LIMITS and word is not None:
            yield Judged(f"checks.{wrt}.{key}", word, None, None)
    if numbers:
        yield from _limits(case, wrt, numbers)


def _limits(case: _Case, wrt: str, expected: Mapping[str, float]) -> Iterator[Judged]:
    """One-sided and central limits; of a tensor, the element that is farthest off."""
    found = _limits_of(case.ledger, wrt) if case.ledger is not None else ()
    for key, number in expected.items():
        limits = [getattr(each, key) for each in found]
        held = [_holds(number, limit.value, limit.bound) for limit in limits]
        # The first element that does not hold stands for all.
        shown = limits[held.index(False)].value if False in held else (limits or [None])[0]
        yield Judged(f"checks.{wrt}.{key}", number, shown, bool(held) and all(held))


def _limits_of(ledger: Ledger, wrt: str) -> Sequence[Limits]:
    """The limits of every element that ``wrt`` means; ``all`` means every leaf with a gradient."""
    from bpstep.analysis.elements import leaves_with_gradient, parse_target
    from bpstep.analysis.limits import limits

    graph = ledger.graph
    names = leaves_with_gradient(graph) if wrt == "all" else (wrt,)
    targets = [parse_target(graph, name) for name in names]
    return [
        limits(graph, ledger.output, target.node, index)
        for target in targets
        for index in target.elements
    ]


def _holds(expected: float, limit: float, bound: float) -> bool:
    """A limit is held to a millionth; near zero, to what its own rounding lets be seen."""
    noise = min(LIMIT_TOLERANCE, NOISE * bound)
    return close(expected, limit, rel=LIMIT_TOLERANCE, abs_=noise)


def _updates(case: _Case) -> Iterator[Judged]:
    for i, expected in enumerate(case.scenario.expect.updates):
        yield from _one_update(case, f"updates[{i}]", expected)


def _one_update(case: _Case, what: str, expected: Mapping[str, Any]) -> Iterator[Judged]:
    found = _update(case, float(expected["rate"]))
    for key in ("loss", "predicted", "actual"):
        if expected.get(key) is not None:
            yield case.judged(f"{what}.{key}", expected[key], getattr(found, key, None))
    for name, value in (expected.get("params") or {}).items():
        moved = None if found is None else found.params.get(name)
        yield case.judged(f"{what}.params.{name}", value, moved)
    if (wanted := expected.get("crossed")) is not None:
        crossed = None if found is None else list(found.crossed)
        ok = crossed is not None and sorted(wanted) == sorted(crossed)
        yield Judged(f"{what}.crossed", list(wanted), crossed, ok)


def _update(case: _Case, rate: float) -> UpdateResult | None:
    """One step of the scenario's updated parameters; None where no pass ran."""
    from bpstep.analysis.updates import update

    if case.ledger is None:
        return None
    asked = case.scenario.updates
    (result,) = update(case.run, [rate], asked.params if asked is not None else None)
    return result


def _zero(case: _Case) -> Iterator[Judged]:
    from bpstep.analysis.zeros import zero_reasons

    for name, expected in case.scenario.expect.zero.items():
        found = None if case.ledger is None else zero_reasons(case.ledger, name)
        shown = None if found is None else list(found)
        yield Judged(f"zero.{name}", list(expected), shown, shown == list(expected))


def _paths(case: _Case) -> Iterator[Judged]:
    from bpstep.analysis.paths import paths

    for name, expected in case.scenario.expect.paths.items():
        if case.ledger is None:
            yield Judged(f"paths.{name}", list(expected), None, False)
            continue
        found = paths(case.ledger, name, limit=len(expected) + 1)
        shares = [path.product for path in found.paths]
        ok = found.count == len(expected) and _same_in_any_order(case, expected, shares)
        yield Judged(f"paths.{name}", list(expected), shares, ok)


def _same_in_any_order(case: _Case, expected: Sequence[Any], found: Sequence[Value]) -> bool:
    """Whether the values can be paired; both are as many."""
    left = list(found)
    for value in expected:
        match = next((i for i, each in enumerate(left) if case.close(value, each)), None)
        if match is None:
            return False
        del left[match]
    return not left


def _ghosts(case: _Case) -> Iterator[Judged]:
    ledger = case.ledger
    for name, expected in case.scenario.expect.ghosts.items():
        node = None if ledger is None else ledger.graph.find(name)
        ghosts = () if ledger is None else ledger.ghosts()
        found = [ghost.value for ghost in ghosts if ghost.node == node]
        yield _ghost(case, f"ghosts.{name}", expected, found)


def _ghost(case: _Case, what: str, expected: Any, found: Sequence[Value]) -> Judged:
    """One ghost is held against a value, several against a list of values."""
    if len(found) == 1 and case.close(expected, found[0]):
        return Judged(what, expected, found[0], True)
    listed = isinstance(expected, (list, tuple)) and len(expected) == len(found)
    ok = listed and all(map(case.close, expected, found))
    return Judged(what, expected, found[0] if len(found) == 1 else found, ok)


_SECTIONS: tuple[Callable[[_Case], Iterator[Judged]], ...] = (
    _error,
    _values,
    _grads,
    _contributions,
    _checks,
    _updates,
    _zero,
    _paths,
    _ghosts,
)
