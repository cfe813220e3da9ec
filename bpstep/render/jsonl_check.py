"""A check of a gradient as fields of the trace: the contract's first, then the evidence."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from bpstep.render.jsonl import Fields
from bpstep.render.jsonl_why import origins_fields

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


def check_fields(result: CheckResult) -> Fields:
    """The differences of the element that agrees least, the verdict and what it rests on.

    ``left``, ``right`` and ``central`` are extrapolated limits, ``bounds`` how far they may be off.
    """
    steps = [
        {
            "h": row.h,
            "left": row.left,
            "right": row.right,
            "central": row.central,
            "abs_error": row.abs_error,
            "rel_error": row.rel_error,
        }
        for row in result.rows
    ]
    index = result.worst.index
    sides = {"left": result.left, "right": result.right, "central": result.central}
    limits = {side: limit.value for side, limit in sides.items()}
    bounds = {side: limit.bound for side, limit in sides.items()}
    worst = {} if result.element is None or index is None else {"element": list(index)}
    return {
        "wrt": result.wrt,
        **worst,
        "analytic": result.analytic,
        "steps": steps,
        "verdict": result.verdict,
        **limits,
        "bounds": bounds,
        **_EVIDENCE[result.verdict](result.evidence),
    }


def _agrees(found: Agrees) -> Fields:
    return {"only": found.only, "coarse": found.coarse}


def _kink(found: Kink) -> Fields:
    return {
        "inside": found.inside,
        "conventions": _conventions(found.conventions),
        "off_point": _off_point(found.off_point),
    }


def _near_kink(found: NearKink) -> Fields:
    return {"distance": found.distance, "side": found.side, "what": found.what}


def _jump(found: Jump) -> Fields:
    return {"sides": found.sides, "off_point": _off_point(found.off_point)}


def _convention(found: Convention) -> Fields:
    return {
        "conventions": _conventions(found.conventions),
        "off_point": _off_point(found.off_point),
    }


def _detached(found: Detached) -> Fields:
    return {
        "held": found.held.value,
        "rebuilt": found.rebuilt.value,
        "detaches": found.detaches,
    }


def _mismatch(found: Mismatch) -> Fields:
    return {
        "node": found.node,
        "cause": found.cause,
        "reason": found.reason,
        "expected": found.expected,
        "found": found.found,
        "consequences": found.consequences,
        "others": found.others,
        "off_point": found.off_point,
        "unresolved": found.unresolved,
    }


def _rounding(found: Rounding) -> Fields:
    return {
        "errors": [{"h": h, "abs_error": error} for h, error in found.errors],
        "best_step": found.best_step,
        "staircase": found.staircase,
    }


def _nonfinite(found: Nonfinite) -> Fields:
    origins = None if found.origins is None else origins_fields(found.origins)
    return {"output": found.output, "origins": origins}


def _conventions(used: Sequence[UsedConvention]) -> list[Fields]:
    return [{"node": each.node, "key": each.key, "used": each.used} for each in used]


def _off_point(found: OffPoint | None) -> Fields | None:
    return None if found is None else {"agreeing": found.agreeing, "tried": found.tried}


_EVIDENCE: Mapping[str, Callable[[Any], Fields]] = {
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
