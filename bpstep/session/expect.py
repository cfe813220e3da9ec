"""Holding a scenario against what it expects: one judgement a number."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from bpstep.session.expected_checks import checks
from bpstep.session.judged import Case, Judged

if TYPE_CHECKING:
    from bpstep.analysis.updates import UpdateResult
    from bpstep.engine.arithmetic import Value
    from bpstep.engine.program import Run
    from bpstep.scenario import Scenario

__all__ = ["Judged", "judge"]


def judge(scenario: Scenario, run: Run | None = None) -> tuple[Judged, ...]:
    """Run a scenario's program, hold everything under ``expect`` against it, and make its checks.

    A run that ends in an error its scenario does not expect is a failure of ``error``. ``run`` is
    the scenario's own run, if it has been made already.
    """
    case = Case(scenario, scenario.run() if run is None else run)
    return tuple(judged for section in _SECTIONS for judged in section(case))


def _error(case: Case) -> Iterator[Judged]:
    expected = case.scenario.expect.error
    found = case.run.error.code if case.run.error is not None else None
    if expected is not None or found is not None:
        yield Judged("error", expected, found, expected == found)


def _values(case: Case) -> Iterator[Judged]:
    for name, expected in case.scenario.expect.values.items():
        found = case.run.value(name) if case.run.graph is not None else None
        yield case.judged(f"values.{name}", expected, found)


def _grads(case: Case) -> Iterator[Judged]:
    for name, expected in case.scenario.expect.grads.items():
        yield case.judged(f"grads.{name}", expected, case.run.grad(name))


def _contributions(case: Case) -> Iterator[Judged]:
    for name, expected in case.scenario.expect.contributions.items():
        arrived = case.ledger.contributions(name) if case.ledger is not None else ()
        found = [contribution.value for contribution in arrived]
        ok = len(expected) == len(found) and all(map(case.close, expected, found))
        yield case.held(f"contributions.{name}", list(expected), found, ok)


def _updates(case: Case) -> Iterator[Judged]:
    for i, expected in enumerate(case.scenario.expect.updates):
        yield from _one_update(case, f"updates[{i}]", expected)


def _one_update(case: Case, what: str, expected: Mapping[str, Any]) -> Iterator[Judged]:
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


def _update(case: Case, rate: float) -> UpdateResult | None:
    """One step of the scenario's updated parameters; None where no pass ran."""
    from bpstep.analysis.updates import update

    if case.ledger is None:
        return None
    asked = case.scenario.updates
    (result,) = update(case.run, [rate], asked.params if asked is not None else None)
    return result


def _zero(case: Case) -> Iterator[Judged]:
    from bpstep.analysis.zeros import zero_reasons

    for name, expected in case.scenario.expect.zero.items():
        found = None if case.ledger is None else zero_reasons(case.ledger, name)
        shown = None if found is None else list(found)
        yield Judged(f"zero.{name}", list(expected), shown, shown == list(expected))


def _paths(case: Case) -> Iterator[Judged]:
    from bpstep.analysis.paths import paths

    for name, expected in case.scenario.expect.paths.items():
        if case.ledger is None:
            yield Judged(f"paths.{name}", list(expected), None, False)
            continue
        found = paths(case.ledger, name, limit=len(expected) + 1)
        shares = [path.product for path in found.paths]
        ok = found.count == len(expected) and _same_in_any_order(case, expected, shares)
        yield case.held(f"paths.{name}", list(expected), shares, ok)


def _same_in_any_order(case: Case, expected: Sequence[Any], found: Sequence[Value]) -> bool:
    """Whether the values can be paired; both are as many."""
    left = list(found)
    for value in expected:
        match = next((i for i, each in enumerate(left) if case.close(value, each)), None)
        if match is None:
            return False
        del left[match]
    return not left


def _ghosts(case: Case) -> Iterator[Judged]:
    ledger = case.ledger
    for name, expected in case.scenario.expect.ghosts.items():
        node = None if ledger is None else ledger.graph.find(name)
        ghosts = () if ledger is None else ledger.ghosts()
        found = [ghost.value for ghost in ghosts if ghost.node == node]
        yield _ghost(case, f"ghosts.{name}", expected, found)


def _ghost(case: Case, what: str, expected: Any, found: Sequence[Value]) -> Judged:
    """One ghost is held against a value, several against a list of values."""
    if len(found) == 1 and case.close(expected, found[0]):
        return case.held(what, expected, found[0], True)
    listed = isinstance(expected, (list, tuple)) and len(expected) == len(found)
    ok = listed and all(map(case.close, expected, found))
    return case.held(what, expected, found[0] if len(found) == 1 else found, ok)


_SECTIONS: tuple[Callable[[Case], Iterator[Judged]], ...] = (
    _error,
    _values,
    _grads,
    _contributions,
    checks,
    _updates,
    _zero,
    _paths,
    _ghosts,
)
