"""Verdicts in words: what was found, by which numbers, and what to do about it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from bpstep.render import lines as ui
from bpstep.render.numbers import amount, factor, short, value_text

if TYPE_CHECKING:
    from bpstep.analysis.finding import (
        Agrees,
        CheckResult,
        Convention,
        Detached,
        Jump,
        Kink,
        Mismatch,
        NearKink,
        Nonfinite,
        OffPoint,
        Rounding,
        UsedConvention,
    )
    from bpstep.analysis.origins import Origins, ReverseOrigin

STYLES: Mapping[str, str] = {
    "agrees": ui.GOOD,
    "kink": ui.KINK,
    "near-kink": ui.KINK,
    "jump": ui.OPEN,
    "convention": ui.KINK,
    "detached": ui.OPEN,
    "mismatch": ui.BAD,
    "rounding": ui.OPEN,
    "nonfinite": ui.BAD,
}

SIGNS: Mapping[str, str] = {
    "agrees": "✓",
    "kink": ui.AT_KINK,
    "near-kink": ui.AT_KINK,
    "jump": ui.AT_KINK,
    "convention": ui.AT_KINK,
    "detached": ui.CUT,
    "mismatch": "✗",
    "rounding": "≈",
    "nonfinite": ui.NOT_FINITE,
}
"""The sign of each verdict; its word stands beside it."""

SHOWN = 4
"""So many names are listed in a sentence; the others are counted."""

ARISING = 3
"""So many contributions are told in which something not finite arises."""

REASONS: Mapping[str, str] = {
    "missing": "what {cause} sends to {node} is missing",
    "counted-again": "what {cause} sends to {node} is counted more than once",
    "one-operand": "{node} stands twice in {cause}, and only one of its contributions arrived",
    "sent-early": "{cause} sent to {node} before everything had arrived at {cause}",
    "wrong-rule": "{cause} sends to {node} by a wrong local derivative",
    "overwritten": "a contribution to {node} replaced what had arrived, where it should be added",
}
"""What a mismatch is, by how it arose."""


def verdict_text(result: CheckResult) -> str:
    """One to three sentences on a check."""
    return _WORDS[result.verdict](result.evidence, result)


def _agrees(found: Agrees, result: CheckResult) -> str:
    said = f"Left, right and central differences converge to {value_text(found.estimate.value)}"
    if found.only is not None:
        said = (
            f"The loss exists on the {found.only} only; its differences there converge to"
            f" {value_text(found.estimate.value)}"
        )
    coarse = (
        " Rounding makes the loss a staircase here, so only the larger steps were used."
        if found.coarse
        else ""
    )
    return f"{said}, the gradient.{coarse}"


def _kink(found: Kink, result: CheckResult) -> str:
    left, right = (value_text(side.value) for side in (found.left, found.right))
    where = "lies between them" if found.inside else "does not lie between them"
    return (
        f"There is no derivative here: the slope is {left} from the left and {right} from the"
        f" right. The gradient, {_gradient(result)}, {where}"
        f"{_by(found.conventions)}. {_beside(found.off_point) or 'This is no bug.'}"
    )


def _near_kink(found: NearKink, result: CheckResult) -> str:
    return (
        f"A {found.what} lies {short(found.distance)} to the {found.side}: larger steps reach"
        f" across it. Smaller ones converge to {value_text(found.estimate.value)}, the gradient."
        " Check with steps below that distance."
    )


def _jump(found: Jump, result: CheckResult) -> str:
    sides = " and ".join(found.sides)
    return (
        f"The loss itself jumps here, to the {sides}: differences grow as 1/h and say nothing of"
        f" a slope.{_after(_beside(found.off_point))}"
    )


def _convention(found: Convention, result: CheckResult) -> str:
    return (
        f"The loss is smooth here with slope {value_text(found.estimate.value)}, and the gradient"
        f" is {_gradient(result)}: operations sit at points without a derivative, and their"
        f" conventions do not add up{_by(found.conventions)}. {_beside(found.off_point)}"
    ).rstrip()


def _detached(found: Detached, result: CheckResult) -> str:
    return (
        f"The gradient, {value_text(found.gradient)}, is right with what {_names(found.detaches)}"
        f" copies held constant: then differences give {value_text(found.held.value)}. With the"
        f" copies rebuilt they give {value_text(found.rebuilt.value)}. Is the detach meant?"
    )


def _mismatch(found: Mismatch, result: CheckResult) -> str:
    reason = REASONS[found.reason].format(node=found.node, cause=found.cause)
    parts = [f"The gradient is wrong{_estimate(found, result)}. It goes wrong at {found.node}:"]
    parts.append(f"{reason}{_amounts(found)}.")
    if found.consequences:
        parts.append(f"What is wrong at {_names(found.consequences)} is a consequence.")
    if found.others:
        parts.append(f"Errors of their own are at {_names(found.others)}.")
    if found.off_point:
        parts.append("There is no derivative here, and the gradient is wrong beside the point too.")
    if found.unresolved:
        parts.append("Its effect on this gradient is too small for differences to see.")
    return " ".join(parts)


def _estimate(found: Mismatch, result: CheckResult) -> str:
    if found.unresolved or found.off_point or not math.isfinite(found.estimate.value):
        return ""
    return f": {_gradient(result)}, where differences give {value_text(found.estimate.value)}"


def _amounts(found: Mismatch) -> str:
    if found.expected is None:
        return ""
    return f" ({amount(found.found)}, where {amount(found.expected)} is right)"


def _rounding(found: Rounding, result: CheckResult) -> str:
    if found.staircase:
        return (
            "Rounding has made the loss a staircase: differences disagree with the gradient, and"
            " every contribution of the reverse pass is right. Check in a wider number type."
        )
    best = "" if found.best_step is None else f" The error is least at h = {short(found.best_step)}"
    least = "" if found.best_step is None else f", {short(_least(found.errors))}."
    return (
        "No step size gives an estimate to trust: the loss is rounded too coarsely for its"
        f" differences.{best}{least} This is no sign of a bug; larger steps or a wider number"
        " type would tell."
    )


def _least(errors: Sequence[tuple[float, float]]) -> float:
    return min(error for _, error in errors)


def _nonfinite(found: Nonfinite, result: CheckResult) -> str:
    if not math.isfinite(found.output):
        what = f"The loss is {value_text(found.output)}, the gradient {_gradient(result)}"
    elif not math.isfinite(found.gradient):
        what = f"The gradient is {value_text(found.gradient)}"
    else:
        what = "The loss, or its slope, is not finite right beside this point"
    return f"{what}.{'' if found.origins is None else _origins(found.origins)}"


def _origins(origins: Origins) -> str:
    """The first operation, and the first contributions, where it arises."""
    told = ""
    if origins.forward:
        first = origins.forward[0]
        told = f" In the forward pass {value_text(first.value)} first arises at {first.node}."
    reverse = origins.reverse[:ARISING]
    if reverse:
        told += f" In the reverse pass {', then '.join(map(_arising, reverse))}."
    unselected = next((each.unselected for each in reverse if each.unselected is not None), None)
    return told if unselected is None else f"{told} {unselected} did not select that branch."


def _arising(origin: ReverseOrigin) -> str:
    if origin.node is None:
        return f"{value_text(origin.value)} arises in the sum at {origin.receiver}"
    product = ""
    if origin.upstream is not None and origin.local is not None:
        product = f", {factor(origin.upstream)} × {factor(origin.local)},"
    return (
        f"{value_text(origin.value)} arises at step {origin.step} in what {origin.node}"
        f" sends to {origin.receiver}{product}"
    ).rstrip(",")


def _gradient(result: CheckResult) -> str:
    return "none" if result.analytic is None else value_text(result.analytic)


def _by(conventions: Sequence[UsedConvention]) -> str:
    """The conventions that gave the gradient."""
    told = [f"{use.key} takes {value_text(use.used)} at {use.node}" for use in conventions[:SHOWN]]
    more = len(conventions) - SHOWN
    told += [f"and {more} more"] if more > 0 else []
    return f", by convention: {', '.join(told)}" if told else ""


def _beside(off_point: OffPoint | None) -> str:
    """What the same check says a little off the point."""
    if off_point is None or not off_point.tried:
        return ""
    agreeing, tried = off_point.agreeing, off_point.tried
    if agreeing == tried:
        return "A little off the point the gradient agrees: this is no bug."
    return f"A little off the point the gradient agrees at {agreeing} of {tried} points."


def _after(sentence: str) -> str:
    return f" {sentence}" if sentence else ""


def _names(names: Sequence[str]) -> str:
    shown = list(names[:SHOWN])
    more = len(names) - SHOWN
    shown += [f"{more} more"] if more > 0 else []
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"


_WORDS: Mapping[str, Callable[[Any, CheckResult], str]] = {
    "agrees": _agrees,
    "kink": _kink,
    "near-kink": _near_kink,
    "jump": _jump,
    "convention": _convention,
    "detached": _detached,
    "mismatch": _mismatch,
    "rounding": _rounding,
    "nonfinite": _nonfinite,
}
