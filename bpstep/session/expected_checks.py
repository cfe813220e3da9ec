"""The checks of a scenario: verdicts and limits held against the expected ones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from bpstep.session.closeness import close
from bpstep.session.judged import Case, Judged

if TYPE_CHECKING:
    from bpstep.analysis.extrapolation import Limit
    from bpstep.analysis.finding import CheckResult
    from bpstep.analysis.limits import Limits
    from bpstep.engine.ledger import Ledger

ALL = "all"
WORDS = ("verdict", "node", "cause")
LIMITS = ("left", "right", "central")
LIMIT_TOLERANCE = 1e-6
SINGLE_TOLERANCE = 3e-4
NOISE = 5.0
"""How many error bounds an extrapolated limit may be off, up to ``LIMIT_TOLERANCE`` absolutely."""

AGREES = "agrees"

Steps = tuple[float, ...] | None


def checks(case: Case) -> Iterator[Judged]:
    """What is expected of checks, and every other check that the scenario makes.

    One that nothing is expected of fails where the gradient is wrong or not finite. Checks judge
    the last pass that ran to its end.
    """
    ledger = _whole(case)
    expected = {_plain(wrt): (wrt, wanted) for wrt, wanted in case.scenario.expect.checks.items()}
    steps: dict[str, Steps] = dict.fromkeys(expected)
    steps.update((_plain(spec.wrt), spec.steps) for spec in case.scenario.checks)
    worded = {name for name, (_, wanted) in expected.items() if _given(wanted, WORDS)}
    made = case.run.error is None
    found = _results(ledger, {k: v for k, v in steps.items() if k in worded or made})
    for name, (wrt, wanted) in expected.items():
        yield from _words(wrt, _given(wanted, WORDS), found.get(name, ()))
        yield from _limits(case, ledger, wrt, _given(wanted, LIMITS), found.get(name, ()))
    for name, results in found.items():
        if name not in worded:
            yield from _unexpected(results)


def _plain(wrt: str) -> str:
    """A target without spaces, so that ``w[0,1]`` is ``w[0, 1]``."""
    return "".join(wrt.split())


def _given(wanted: Mapping[str, Any], keys: Iterable[str]) -> dict[str, Any]:
    return {key: wanted[key] for key in keys if wanted.get(key) is not None}


def _whole(case: Case) -> Ledger | None:
    """The last pass that ran to its end; None where none did."""
    ended = [it.pass_ for it in case.run.statements if it.pass_ is not None and it.error is None]
    return ended[-1].ledger if ended else None


def _results(
    ledger: Ledger | None, steps: Mapping[str, Steps]
) -> dict[str, tuple[CheckResult, ...]]:
    """The results of every check, those with the same steps made together."""
    if ledger is None:
        return {}
    from bpstep.analysis.differences import check_each

    found: dict[str, tuple[CheckResult, ...]] = {}
    for sizes in dict.fromkeys(steps.values()):
        asked = {name: _names(ledger, name) for name, own in steps.items() if own == sizes}
        flat = list(dict.fromkeys(name for names in asked.values() for name in names))
        made = check_each(ledger.graph, ledger.output, flat, sizes, ledger) if flat else ()
        results = dict(zip(flat, made, strict=True))
        found.update((name, tuple(results[each] for each in own)) for name, own in asked.items())
    return {name: found[name] for name in steps}


def _names(ledger: Ledger, wrt: str) -> Sequence[str]:
    """``all`` means every leaf with a gradient."""
    from bpstep.analysis.elements import leaves_with_gradient

    return leaves_with_gradient(ledger.graph) if wrt == ALL else (wrt,)


def _words(wrt: str, wanted: Mapping[str, str], results: Sequence[CheckResult]) -> Iterator[Judged]:
    """The verdict, and which node is wrong by which cause; of several, the first that differs."""
    for key, word in wanted.items():
        found = [getattr(result, key) for result in results]
        shown = next((it for it in found if it != word), found[0] if found else None)
        yield Judged(f"checks.{wrt}.{key}", word, shown, bool(found) and shown == word)


def _unexpected(results: Sequence[CheckResult]) -> Iterator[Judged]:
    """A check that nothing is expected of, where it fails."""
    for result in results:
        if not result.ok:
            yield Judged(f"checks.{result.wrt}.verdict", AGREES, result.verdict, False)


def _limits(
    case: Case,
    ledger: Ledger | None,
    wrt: str,
    expected: Mapping[str, float],
    results: Sequence[CheckResult],
) -> Iterator[Judged]:
    """One-sided and central limits, together those of one element.

    Of a tensor that agrees every element must have them, else one with the tensor's verdict.
    """
    found = _limits_of(ledger, wrt) if ledger is not None and expected else ()
    held = [[_holds(case, expected[key], getattr(it, key)) for key in expected] for it in found]
    speaking = _speaking(results) if len(found) > 1 else ()
    shown: int | None
    if speaking:
        shown = max(speaking, key=lambda place: sum(held[place]))
    else:
        shown = min(range(len(found)), key=lambda place: sum(held[place]), default=None)
    for place, (key, number) in enumerate(expected.items()):
        value = None if shown is None else getattr(found[shown], key).value
        yield Judged(f"checks.{wrt}.{key}", number, value, shown is not None and held[shown][place])


def _speaking(results: Sequence[CheckResult]) -> Sequence[int]:
    """The places of the elements that have the worst verdict, of what does not agree."""
    elements = [(it.verdict, result.verdict) for result in results for it in result.elements]
    return [place for place, (own, all_) in enumerate(elements) if own == all_ != AGREES]


def _limits_of(ledger: Ledger, wrt: str) -> Sequence[Limits]:
    """The limits of every element that ``wrt`` means."""
    from bpstep.analysis.elements import parse_target
    from bpstep.analysis.limits import limits

    graph = ledger.graph
    targets = [parse_target(graph, name) for name in _names(ledger, wrt)]
    return [
        limits(graph, ledger.output, target.node, index)
        for target in targets
        for index in target.elements
    ]


def _holds(case: Case, expected: float, limit: Limit) -> bool:
    """A limit is held to a millionth; near zero, to what its own rounding lets be seen.

    In float32, rounding hides more than a millionth.
    """
    single = case.scenario.dtype == "float32"
    most = SINGLE_TOLERANCE * max(1.0, abs(expected)) if single else LIMIT_TOLERANCE
    noise = max(case.scenario.tolerance.abs, min(most, NOISE * limit.bound))
    return close(expected, limit.value, rel=LIMIT_TOLERANCE, abs_=noise)
