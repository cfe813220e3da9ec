"""Commands that ask what a gradient means: paths, reasons, finite differences, updates."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

from bpstep.analysis import differences
from bpstep.analysis.elements import leaves_with_gradient
from bpstep.analysis.paths import paths as find_paths
from bpstep.analysis.updates import update as try_rates
from bpstep.analysis.why import why as explain
from bpstep.session.arguments import Word, at, required, whole, words
from bpstep.session.command import Call, Outcome
from bpstep.session.defaults import DEFAULT_PATHS, DEFAULT_RATES
from bpstep.session.errors import CommandError
from bpstep.session.parsing import find_node, node_index
from bpstep.session.reports import CheckReport, PathsReport, UpdateReport, WhyReport

if TYPE_CHECKING:
    from bpstep.analysis.differences import CheckResult
    from bpstep.engine.program import Pass
    from bpstep.session.session import Session

ALL = "all"
STEPS = "--steps"

Steps: TypeAlias = tuple[float, ...] | None
Asked: TypeAlias = tuple[str, Steps]
"""A target of a check and its step sizes, None for the default ones."""


def current_pass(session: Session) -> Pass:
    """The pass to analyse; raises CommandError where the program runs none."""
    if session.pass_ is None:
        raise CommandError("the program runs no reverse pass: there are no gradients")
    return session.pass_


def paths(session: Session, call: Call) -> Outcome:
    """The paths to a node, largest first."""
    given = words(call)
    if not 1 <= len(given) <= 2:
        raise CommandError("paths needs a node, and may be given a number of paths to show")
    pass_ = current_pass(session)
    node = node_index(pass_.graph, given[0].text, given[0].start)
    limit = whole(call, given[1]) if len(given) == 2 else DEFAULT_PATHS
    return Outcome(session, (PathsReport(find_paths(pass_.ledger, node, limit)),))


def why(session: Session, call: Call) -> Outcome:
    """Why the gradient of a node, or of one of its elements, is what it is after the pass.

    Without a node, of the one that received last.
    """
    pass_ = current_pass(session)
    if not call.text and session.receiver is not None:
        return Outcome(session, (WhyReport(explain(pass_.ledger, session.receiver)),))
    text = required(call, "a node, or an element such as W[0, 1]")
    element = text.endswith("]") and find_node(pass_.graph, text) is None
    target = text if element else node_index(pass_.graph, text, call.offset)
    return Outcome(session, (WhyReport(explain(pass_.ledger, target)),))


def update(session: Session, call: Call) -> Outcome:
    """One gradient step at each rate: those given, else the scenario's, else the default ones."""
    current_pass(session)
    asked = session.scenario.updates
    rates = [number(word) for word in words(call)] or (asked.rates if asked else DEFAULT_RATES)
    results = try_rates(session.run, rates, asked.params if asked else None)
    return Outcome(session, (UpdateReport(results),))


def number(word: Word) -> float:
    """A word as a finite number; raises CommandError."""
    try:
        value = float(word.text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise at(word, f"{word.text!r} is not a number")
    return value


def check(session: Session, call: Call) -> Outcome:
    """Finite differences of the pass's output against its gradients.

    Of the names given, else of those that the scenario checks, else of every leaf.
    """
    pass_ = current_pass(session)
    names, steps = _names_and_steps(words(call))
    asked = [(word.text, steps) for word in names] or [
        (spec.wrt, steps or spec.steps) for spec in session.scenario.checks
    ]
    return Outcome(session, (CheckReport(_checked(pass_, asked or [(ALL, steps)])),))


def _checked(pass_: Pass, asked: Sequence[Asked]) -> tuple[CheckResult, ...]:
    """The checks in their order, those with the same steps made together."""
    graph, ledger = pass_.graph, pass_.ledger
    leaves = leaves_with_gradient(graph)
    single = [(name, sizes) for wrt, sizes in asked for name in (leaves if wrt == ALL else [wrt])]
    found: dict[Asked, CheckResult] = {}
    for steps in dict.fromkeys(sizes for _, sizes in single):
        own = list(dict.fromkeys(name for name, sizes in single if sizes == steps))
        results = differences.check_each(graph, ledger.output, own, steps, ledger)
        found.update(((name, steps), result) for name, result in zip(own, results, strict=True))
    return tuple(found[each] for each in single)


def _names_and_steps(given: Sequence[Word]) -> tuple[Sequence[Word], Steps]:
    texts = [word.text for word in given]
    if STEPS not in texts:
        return given, None
    split = texts.index(STEPS)
    steps = tuple(number(word) for word in given[split + 1 :])
    if not steps or min(steps) <= 0:
        raise at(given[split], f"{STEPS} needs step sizes greater than 0, such as 1e-3 1e-5")
    return given[:split], steps
