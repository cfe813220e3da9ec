"""The output along a direction, both ways from the point: one-sided limits, jumps, missing sides.

A ray is a ladder of steps. Only the steps on the smooth piece that touches the point say something
about its slope there, so a ray is cut where the branches of the tape's operations are no longer
those next to the point. An operation that sits between two branches at the point takes the first
other one that is met close by.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from bpstep.analysis.accuracy import BOUNDS
from bpstep.analysis.extrapolation import (
    LADDER,
    NO_LIMIT,
    Floats,
    Limit,
    agreed,
    diverges,
    extrapolate_rows,
)
from bpstep.analysis.line import Line, Samples
from bpstep.analysis.tape import Flags

CLOSE = {np.dtype(np.float64): 2.0**-36, np.dtype(np.float32): 2.0**-18}
"""How near the point, relative to its size, a tie must be broken to be a branch of the point."""

FEW_SPACINGS = 64.0
"""Steps below this many spacings of floats change branches by rounding alone."""

FLICKERS = 3
"""An operation that changes its branch more often next to the point is equal up to rounding."""

NEXT_TO = 1e-6
"""What is next to the point in that sense, relative to its size."""

JUMP_STEP = 1e4
"""Spacings of floats below which a step is too small to tell a jump from rounding."""

JUMP_NOISE = 1e3
"""How many times its rounding the output must change by to have jumped."""

MISPLACED = 16.0
"""How many spacings of floats the point may lie off its ties: what led there was rounded, too."""

CLEAR_OF_MISPLACED = 4.0
"""How many times that the output must change by to have jumped."""

LEVER = 2.0**-6
"""Steps from here down, relative to the point's size, tell how much that moves the output."""

NEARLY = 8.0
"""How many spacings of floats away a branch may be left for the point to be a tie."""


@dataclass(frozen=True, eq=False)
class Side:
    """What one ray away from the point says.

    ``limit`` is the slope of the output in the direction of growing steps, ``used`` tells which
    steps lie on the piece that touches the point, whose branches are ``piece``. ``jump``: the
    output's limit is not its value at the point. ``infinite``: its slope grows without end.
    ``absent``: it is not finite anywhere near. ``beyond`` is the last step on the piece and the
    first one that is not.
    """

    steps: Floats
    losses: Floats
    used: Flags
    piece: Floats
    limit: Limit = NO_LIMIT
    jump: bool = False
    infinite: bool = False
    absent: bool = False
    beyond: tuple[float, float] | None = None

    @property
    def reaches_infinity(self) -> bool:
        """Whether the output becomes infinite on this side, and nowhere nan."""
        losses = self.losses[self.steps > 0]
        return bool(np.isinf(losses).any() and not np.isnan(losses).any())


@dataclass(frozen=True, eq=False)
class Probe:
    """Both sides of a point along a direction, and the limit of central quotients.

    ``broken`` says that the two sides are not on one smooth piece that holds the point as well.
    """

    left: Side
    right: Side
    central: Limit
    noise: float
    broken: bool

    @property
    def unsettled(self) -> bool:
        """Whether the output is there on a side, and its slope cannot be told."""
        sides = (self.left, self.right)
        return any(not (side.absent or math.isfinite(side.limit.bound)) for side in sides)

    @property
    def best(self) -> Limit:
        """The slope at the point; at a break that of the side which is better known."""
        if self.broken:
            return min(self.left.limit, self.right.limit, key=lambda it: _sorted(it.bound))
        limits = (self.central, self.left.limit, self.right.limit)
        (value,), (bound,) = agreed(
            np.array([[limit.value] for limit in limits]),
            np.array([[limit.bound] for limit in limits]),
        )
        return Limit(float(value), float(bound))


def _sorted(bound: float) -> float:
    return bound if math.isfinite(bound) else math.inf


@dataclass(frozen=True)
class _Scale:
    """The spacing of floats, the size of the point and the rounding of the output at it.

    ``misplaced`` is what the output may change by because the point lies a little off its ties.
    """

    epsilon: float
    size: float
    noise: float
    close: float
    misplaced: float = 0.0


def probe(line: Line) -> Probe:
    """Follow a line both ways. The left slope is that of growing steps, as the right one is."""
    tape, steps = line.tape, LADDER * line.scale
    samples = line.at(np.concatenate([steps, -steps]))
    samples = _settled(samples, tape.epsilon, line.scale)
    scale = _Scale(
        tape.epsilon,
        line.scale,
        2 * tape.epsilon * abs(samples.loss),
        CLOSE[tape.graph.dtype] * line.scale,
    )
    found = _followed(samples, scale)
    if not found.unsettled:
        return found
    # A side that ends within the spacing of floats is none: the point is a tie.
    return _followed(_nearly_tied(samples, scale), scale)


def _followed(samples: Samples, scale: _Scale) -> Probe:
    """Both sides of the point, cut where they leave the pieces that touch it."""
    right, left = _side(samples, 1, scale), _side(samples, -1, scale)
    here = samples.here
    broken = bool((right.piece != here).any() or (left.piece != here).any())
    if broken:
        scale = replace(scale, misplaced=_misplaced(samples, scale))
        right, left = _side(samples, 1, scale), _side(samples, -1, scale)
    return Probe(left, right, _central(left, right, scale), scale.noise, broken)


def _nearly_tied(samples: Samples, scale: _Scale) -> Samples:
    """The samples with a tie where a branch is left within a few spacings of floats."""
    distance = np.abs(samples.steps) / (scale.epsilon * scale.size)
    close = (distance >= NEARLY) & (distance <= FEW_SPACINGS)
    nearly: Flags = np.zeros(len(samples.here), dtype=bool)
    for side in (close & (samples.steps > 0), close & (samples.steps < 0)):
        if side.any():
            nearly |= (samples.codes[side] != samples.here).all(axis=0)
    inside = (distance < NEARLY)[:, None] & nearly
    codes = np.where(inside, samples.here, samples.codes)
    return replace(samples, codes=codes, tied=samples.tied | nearly)


def _settled(samples: Samples, epsilon: float, size: float) -> Samples:
    """The samples without changes of branches that are rounding."""
    order = np.argsort(samples.steps)
    order = order[np.abs(samples.steps[order]) <= NEXT_TO * size]
    codes = samples.codes[order]
    changes = (codes[1:] != codes[:-1]).sum(axis=0)
    flickering = changes > FLICKERS
    codes = np.where(flickering, samples.here, samples.codes)
    half = len(codes) // 2
    tiny = int(np.sum(FEW_SPACINGS * epsilon < LADDER))
    for part in (codes[:half], codes[half:]):
        gone = part[tiny - 1] == samples.here
        part[tiny:] = np.where(gone, samples.here, part[tiny:])
    tied = samples.tied & ~flickering
    return Samples(samples.steps, samples.losses, codes, samples.here, tied, samples.loss)


def _side(samples: Samples, sign: int, scale: _Scale) -> Side:
    """One of the two halves of a ladder."""
    half = len(LADDER)
    part = slice(0, half) if sign > 0 else slice(half, None)
    steps, losses, codes = sign * samples.steps[part], samples.losses[part], samples.codes[part]
    close = steps <= scale.close
    piece = _piece(codes, samples, close, scale.epsilon)
    on_piece = codes == piece
    # A step so small that it breaks no tie, nor what follows from it, is not off the piece.
    loose = samples.tied | (piece != samples.here)
    unbroken = loose & (codes == samples.here) & close[:, None]
    reached = _from_the_point((on_piece | unbroken).all(axis=1)) & (steps > 0)
    whole = reached & on_piece.all(axis=1)
    used = whole & np.isfinite(losses)
    beyond = _beyond(steps, reached)
    far = whole & (steps > FEW_SPACINGS * scale.epsilon)
    absent = bool(far.any() and not np.isfinite(losses[far]).any())
    side = Side(steps, losses, used, piece, absent=absent, beyond=None if absent else beyond)
    if absent or not used.any():
        return side
    return _measured(side, samples, sign, scale)


def _piece(codes: Floats, samples: Samples, close: Flags, epsilon: float) -> Floats:
    """The branches next to the point: of what is tied, the first other one met close by.

    What is not tied itself changes at the point where its operand jumps there.
    """
    here, piece = samples.here, samples.here.copy()
    for k in np.flatnonzero(close)[::-1]:
        broken = samples.tied & (piece == here) & (codes[k] != here)
        piece[broken] = codes[k][broken]
    if (piece != here).any():
        nearest = codes[_tiny(epsilon) - 1]
        follows = ~samples.tied & (nearest != here)
        piece[follows] = nearest[follows]
    return piece


def _tiny(epsilon: float) -> int:
    """Where the steps of the ladder begin at which branches change by rounding alone."""
    return int(np.sum(FEW_SPACINGS * epsilon < LADDER))


def _from_the_point(flags: Flags) -> Flags:
    """True up to the first that is not, counted from the smallest step."""
    found: Flags = np.logical_and.accumulate(flags[::-1])[::-1]
    return found


def _beyond(steps: Floats, reached: Flags) -> tuple[float, float] | None:
    """The last step on the piece and the first beyond it."""
    outside = np.flatnonzero(~reached & (steps > 0))
    if not len(outside):
        return None
    last = int(outside[-1])
    return float(steps[last + 1]) if last + 1 < len(steps) else 0.0, float(steps[last])


def _measured(side: Side, samples: Samples, sign: int, scale: _Scale) -> Side:
    """A side with its slope, and whether the output jumps or its slope grows without end."""
    with np.errstate(all="ignore"):
        change = np.where(side.used, side.losses - samples.loss, np.nan)
        # Adding 0.0 turns -0.0, the quotient of a flat left side, into 0.0.
        quotients = np.where(side.used, sign * change / side.steps, np.nan) + 0.0
        rounding = scale.noise + 2 * scale.epsilon * np.abs(side.losses)
        noise, moved = rounding / side.steps, (rounding + scale.misplaced) / side.steps
    limit = _limit(side, quotients, noise)
    if scale.misplaced:
        limit = _of_misplaced(limit, _limit(side, quotients, moved), scale)
    jump = infinite = False
    if (side.piece != samples.here).any():
        least = np.maximum(JUMP_NOISE * rounding, CLEAR_OF_MISPLACED * scale.misplaced)
        jump = _jumps(change, least, side.used & (side.steps > JUMP_STEP * scale.epsilon))
        infinite = not jump and bool(diverges(side.steps[None], quotients[None], moved[None])[0])
    return Side(
        side.steps,
        side.losses,
        side.used,
        side.piece,
        limit,
        jump,
        infinite,
        False,
        side.beyond,
    )


def _limit(side: Side, quotients: Floats, noise: Floats) -> Limit:
    (value,), (bound,) = extrapolate_rows(side.steps[None], quotients[None], noise[None], 1)
    return Limit(float(value), float(bound))


def _of_misplaced(limit: Limit, coarse: Limit, scale: _Scale) -> Limit:
    """The limit at ties that the point may miss by rounding; ``coarse`` is that of larger steps.

    Where the function bends, its slope at the tie is a little different from that at the point.
    """
    if not abs(limit.value - coarse.value) <= BOUNDS * coarse.bound:
        return coarse
    fine = Limit(limit.value, limit.bound + scale.misplaced / (LEVER * scale.size))
    return min(fine, coarse, key=lambda it: it.bound)


def _misplaced(samples: Samples, scale: _Scale) -> float:
    """What the output changes by where the point is moved by the rounding of what led to a tie."""
    steps = np.abs(samples.steps)
    near = (steps >= math.sqrt(scale.epsilon) * scale.size) & (steps <= LEVER * scale.size)
    with np.errstate(all="ignore"):
        levers = np.abs((samples.losses - samples.loss) / samples.steps)[near]
    lever = float(np.max(levers, initial=0.0, where=np.isfinite(levers)))
    return MISPLACED * scale.epsilon * scale.size * lever


def _jumps(change: Floats, least: Floats, clear: Flags) -> bool:
    """Whether the output does not come back to its value at the point as the step falls."""
    size = np.abs(change[clear])
    if len(size) < 3 or not (size > least[clear]).all():
        return False
    return bool(size[-1] > 0.7 * size[-3] and size[-1] > 0.5 * size[len(size) // 2])


def _central(left: Side, right: Side, scale: _Scale) -> Limit:
    """The limit of central quotients, where both sides lie on one piece."""
    both = left.used & right.used & bool((left.piece == right.piece).all())
    with np.errstate(all="ignore"):
        width = left.steps + right.steps
        quotients = np.where(both, (right.losses - left.losses) / width, np.nan)
        sizes = np.abs(right.losses) + np.abs(left.losses)
        noise = (2 * scale.noise + scale.epsilon * sizes) / width
    (value,), (bound,) = extrapolate_rows(width[None] / 2, quotients[None], noise[None], 2)
    return Limit(float(value), float(bound))
