"""Why a local derivative is exactly zero: one table of the operations that can have such."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from bpstep.engine.arithmetic import Array
from bpstep.engine.conventions import BLOCKING
from bpstep.engine.operation import parameters
from bpstep.engine.rules import Edge, at_kink, read

Reason = Literal[
    "no-path",
    "detached",
    "frozen",
    "blocked",
    "kink",
    "zero-factor",
    "stationary",
    "saturated",
    "cancelled",
    "underflow",
]
"""Why a gradient is zero; the words are those of the scenario format."""

FLAT = BLOCKING | {"leaky_relu", "abs"}
"""Operations whose derivative is zero on an open set, where it is zero at all."""


@dataclass(frozen=True, eq=False)
class Flat:
    """Elements at which a local derivative is zero for one reason.

    ``culprit`` is the operand position of the value that makes it so, where one does. ``mask`` has
    the shape of the elements that were asked about.
    """

    reason: Reason
    culprit: int | None
    mask: Array


@dataclass(frozen=True)
class _Case:
    """A reason that holds where ``holds`` does, a function of the operands ``a`` and ``b``."""

    reason: Reason
    culprit: int
    holds: Callable[..., Any] = lambda: True


def _near(a: Any) -> Any:
    """Where the two smooth gates have their only stationary point, far from where they saturate."""
    return np.abs(a) < 5


_CASES: Mapping[tuple[str, int], tuple[_Case, ...]] = {
    ("mul", 0): (_Case("zero-factor", 1),),
    ("mul", 1): (_Case("zero-factor", 0),),
    ("dot", 0): (_Case("zero-factor", 1),),
    ("dot", 1): (_Case("zero-factor", 0),),
    ("prod", 0): (_Case("zero-factor", 0),),
    ("div", 1): (_Case("zero-factor", 0, lambda a: np.equal(a, 0)),),
    ("pow", 0): (
        _Case("zero-factor", 1, lambda b: np.equal(b, 0)),
        _Case("stationary", 0, lambda a: np.equal(a, 0)),
    ),
    # The exponent's derivative is a**b·log(a): both 0**b and log(1) are exactly zero.
    ("pow", 1): (_Case("zero-factor", 0, lambda a: np.equal(a, 0) | np.equal(a, 1)),),
    ("atan2", 0): (_Case("zero-factor", 1, lambda b: np.equal(b, 0)),),
    ("atan2", 1): (_Case("zero-factor", 0, lambda a: np.equal(a, 0)),),
    ("square", 0): (_Case("stationary", 0),),
    ("sin", 0): (_Case("stationary", 0),),
    ("cos", 0): (_Case("stationary", 0),),
    ("silu", 0): (_Case("stationary", 0, _near),),
    ("gelu", 0): (_Case("stationary", 0, _near),),
    ("norm", 0): (_Case("stationary", 0, lambda a: np.equal(a, 0)),),
}


def flats(edge: Edge, zero: Array) -> Iterator[Flat]:
    """The elements ``zero``, at which the edge's local derivative is zero, sorted by reason.

    ``zero`` has the shape of the local derivative: the consumer's, or for a reduction the
    operand's. What no row of the table explains is a derivative that rounds to zero.
    """
    at_point = zero & np.broadcast_to(at_kink(edge), zero.shape)
    left = zero & ~at_point
    yield from _found("kink", edge.operand, at_point)
    if edge.operation.name in FLAT:
        yield from _found("blocked", edge.operand, left)
        return
    for case in _CASES.get((edge.operation.name, edge.operand), ()):
        given = read(edge, parameters(case.holds))
        held = left & np.broadcast_to(case.holds(**given), zero.shape)
        left &= ~held
        yield from _found(case.reason, case.culprit, held)
    yield from _found("saturated", edge.operand, left)


def _found(reason: Reason, culprit: int | None, mask: Array) -> Iterator[Flat]:
    if mask.any():
        yield Flat(reason, culprit, mask)
