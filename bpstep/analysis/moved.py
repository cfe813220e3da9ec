"""A group of operations moved to both sides of its point, and the piece next to the point.

Steps are those of the ladder, in units of the size of what moves. What counts is how far an operand
really moved after rounding; each side is cut where the operation leaves the smooth piece that
touches the point.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bpstep.analysis.extrapolation import LADDER, Floats
from bpstep.analysis.motions import Group
from bpstep.engine.arithmetic import Array
from bpstep.engine.operation import Operation

Flags = NDArray[np.bool_]

EXACT = {"float64": 2.0**12, "float32": 2.0**5}
"""Steps below this many spacings of floats are left out at a tie, and where several elements move
at once: there the elements do not all move by the same part of the step. In float32 enough steps
must be left to see that a slope has no end."""

_ROUNDED_INSIDE = frozenset(
    ("gelu", "silu", "erf", "tan", "norm", "logsumexp", "log_softmax", "softmax")
)
"""Operations made of several roundings as large as their operand, which may cancel inside."""

SIGNED = np.concatenate([LADDER, -LADDER])
"""Every step: to the right, then to the left."""

_RIGHT, _LEFT = slice(0, len(LADDER)), slice(len(LADDER), None)


@dataclass(frozen=True, eq=False)
class Side:
    """One side of the point, J steps that decrease; an element of the result is a row (R).

    ``steps`` and ``change`` (result minus result at the point) have shape (R, J); ``kept`` says
    which steps lie on the piece next to the point; ``size`` is what was rounded.
    """

    sign: float
    steps: Floats
    change: Floats
    size: Floats
    kept: Flags

    @classmethod
    def joined(cls, sides: Sequence[Side]) -> Side:
        """The same side of several groups."""
        columns = ((each.steps, each.change, each.size, each.kept) for each in sides)
        return cls(sides[0].sign, *map(np.concatenate, zip(*columns, strict=True)))


@dataclass(frozen=True, eq=False)
class Sides:
    """Both sides of every element of the result (R).

    ``one_piece`` says whether both lie on the same piece, ``tied`` whether the point itself sits
    between two; both have shape (R,).
    """

    right: Side
    left: Side
    one_piece: Flags
    tied: Flags

    @classmethod
    def joined(cls, groups: Sequence[Sides]) -> Sides:
        """Several groups, to be extrapolated at once."""
        return cls(
            Side.joined([each.right for each in groups]),
            Side.joined([each.left for each in groups]),
            np.concatenate([each.one_piece for each in groups]),
            np.concatenate([each.tied for each in groups]),
        )


def both_sides(group: Group) -> Sides:
    """Move a group along its directions."""
    moved = _move(group)
    (right, beyond), (left, before) = moved.side(_RIGHT, 1.0), moved.side(_LEFT, -1.0)
    one_piece = moved.rows(moved.same(beyond, before))[:, 0]
    return Sides(right, left, one_piece, moved.rows(moved.tied[:, None])[:, 0])


@dataclass(frozen=True, eq=False)
class _Moved:
    """A group at all of its steps, J to the right, then J to the left.

    ``steps`` (count, 2J) are the distances that were really moved, after rounding, 0 where a step
    is left out; ``values`` (count, 2J, \\*result) the results; ``codes`` their pieces. ``start``,
    ``size`` and ``tied`` have shape (count, \\*result).
    """

    steps: Floats
    values: Floats
    codes: Array
    each: bool
    start: Floats
    size: Floats
    tied: Flags

    def side(self, half: slice, sign: float) -> tuple[Side, Array]:
        """One half, cut where the piece next to the point ends, and that piece."""
        steps, codes, values = self.steps[:, half], self.codes[:, half], self.values[:, half]
        last = np.where(steps > 0, np.arange(steps.shape[1]), -1).argmax(axis=1)
        inner = codes[np.arange(len(codes)), last][:, None]
        moving = self.fit((steps > 0), 2)
        on_piece = self.same(codes, inner) | ~moving
        kept = np.logical_and.accumulate(on_piece[:, ::-1], axis=1)[:, ::-1] & moving
        change, size = values - self.start[:, None], np.abs(values) + 2 * self.size[:, None]
        rows = [self.rows(x) for x in (self.fit(steps, 2), change, size, kept)]
        return Side(sign, rows[0], rows[1], rows[2], rows[3]), inner

    def same(self, codes: Array, others: Array) -> Flags:
        """On the same piece: element by element, or for the whole operation."""
        equal = codes == others
        return equal if self.each else self.fit(equal.all(axis=-1), 2)

    def fit(self, array: Array, axes: int) -> Array:
        """The array with an axis of size 1 for every axis of the result."""
        return array.reshape(array.shape[:axes] + (1,) * (self.start.ndim - 1))

    def rows(self, array: Array) -> Array:
        """(count, J, \\*result) or what broadcasts to it, as a row an element: (R, J)."""
        count, result = len(self.start), self.start.shape[1:]
        whole = np.broadcast_to(array, (count, array.shape[1], *result))
        return np.moveaxis(whole, 1, -1).reshape(-1, array.shape[1])


def _move(part: Group) -> _Moved:
    """Evaluate a group at every step of its ladders."""
    count, result = len(part), part.result
    operands, steps = _positions(part)
    values = np.broadcast_to(part.forward(operands), (count * len(SIGNED), *result))
    tied, codes, each = _pieces(part, operands, values)
    restricted = tied.reshape(count, -1).any(axis=1) | _several(part)
    too_small = np.abs(SIGNED) < EXACT[str(part.dtype)] * part.epsilon
    return _Moved(
        steps=np.where(restricted[:, None] & too_small, 0.0, steps),
        values=values.reshape((count, len(SIGNED), *result)).astype(float),
        codes=codes,
        each=each,
        start=np.broadcast_to(part.start, (count, *result)).astype(float),
        size=np.broadcast_to(_size(part), (count, *result)),
        tied=tied,
    )


def _positions(part: Group) -> tuple[list[Array], Floats]:
    """All operands at every step of every row, and how far they really moved."""
    count, signed = len(part), _scale(part)[:, None] * SIGNED
    distance, longest = np.zeros_like(signed), np.zeros(count)
    operands = []
    for place, value in enumerate(part.base):
        direction = part.directions.get(place)
        if direction is None:
            repeats = 1 if len(value) == 1 else len(SIGNED)
            operands.append(np.repeat(value, repeats, axis=0))
            continue
        shift = signed.reshape(signed.shape + (1,) * (direction.ndim - 1)) * direction[:, None]
        there = (value[:, None] + shift).astype(part.dtype)
        gone = np.abs(there.astype(float) - value[:, None]).reshape(*signed.shape, -1)
        distance = np.maximum(distance, gone.max(axis=2))
        longest = np.maximum(longest, np.abs(direction).reshape(count, -1).max(axis=1))
        operands.append(there.reshape((-1, *value.shape[1:])))
    return operands, distance / np.where(longest > 0, longest, 1.0)[:, None]


def _scale(part: Group) -> Floats:
    """A power of two as large as what moves, for each row: the unit of its steps."""
    sizes = [_largest(part.base[place]) for place in part.directions]
    if _is_linear(part.row):
        # No step is too large, and its result is rounded as a whole.
        sizes.append(_largest(part.start))
    top = np.broadcast_to(np.max(np.broadcast_arrays(1.0, *sizes), axis=0), (len(part),))
    scale: Floats = np.exp2(np.ceil(np.log2(top)))
    return scale


def _is_linear(row: Operation) -> bool:
    """Whether every local derivative is the same everywhere: no rule reads a value."""
    return row.branch is None and not any(rule and rule.saved for rule in row.rules)


def _largest(array: Array) -> Floats:
    """The largest finite size in each row of a batch."""
    flat = np.abs(array.reshape(len(array), -1).astype(float))
    largest: Floats = np.where(np.isfinite(flat), flat, 0.0).max(axis=1, initial=0.0)
    return largest


def _several(part: Group) -> Flags:
    """Which rows move more than one element."""
    moved = [np.count_nonzero(d.reshape(len(part), -1), axis=1) for d in part.directions.values()]
    several: Flags = np.sum(moved, axis=0) > 1
    return several


def _size(part: Group) -> Floats:
    """The size of what is rounded on the way to each result."""
    size: Floats = np.abs(part.start.astype(float))
    if not part.row.elementwise:
        size = np.maximum(size, np.abs(part.forward([np.abs(x) for x in part.base])))
    if part.row.name in _ROUNDED_INSIDE:
        inside = np.max(np.broadcast_arrays(*map(_largest, part.base)), axis=0)
        inside = inside.reshape((-1, *(1,) * len(part.result)))
        size = size + inside * (size if part.row.name == "softmax" else 1.0)
    return size


def _pieces(part: Group, operands: list[Array], values: Array) -> tuple[Flags, Array, bool]:
    """Which elements are tied at the point, (count, \\*result), and the pieces at every step.

    Also whether each element of the result has a piece of its own: then these have its shape.
    """
    count, result, each = len(part), part.result, part.row.elementwise
    here, there = part.pieces(part.base, part.start), part.pieces(operands, values)
    per_step = (count, len(SIGNED), *(result if each else (-1,)))
    if here is None or there is None:
        return np.zeros((count, *result), dtype=bool), np.zeros((*per_step[:2], 1)), False
    tied = here.tied
    if not each:
        tied = tied.reshape(len(tied), -1).any(axis=1).reshape((-1, *(1,) * len(result)))
    rows = (count * len(SIGNED), *(result if each else there.codes.shape[1:]))
    codes = np.broadcast_to(there.codes, rows).reshape(per_step)
    return np.broadcast_to(tied, (count, *result)), codes, each
