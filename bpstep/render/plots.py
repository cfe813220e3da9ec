"""The loss around a point as a picture in characters: the curve, the gradient's tangent, kinks."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
from rich.text import Text

from bpstep.render import lines as ui
from bpstep.render.canvas import Canvas, Curve, Mark, Range
from bpstep.render.canvas import around as range_of
from bpstep.render.lines import Cell, cut, line
from bpstep.render.numbers import short

if TYPE_CHECKING:
    from bpstep.analysis.around import Around, Break
    from bpstep.analysis.extrapolation import Floats

NARROWEST, LOWEST = 24, 6
"""In fewer columns or rows there is no picture."""

HERE, LOSS, TANGENT = "●", "⠶", "⠂"
SPARSE = 3
"""The tangent has a dot at every so many points of the curve."""

NAME = 20
NO_NUMBER = "Nothing to plot: the loss is nowhere a number around here."


def loss_plot(found: Around, width: int, height: int) -> list[Text]:
    """At most so many lines of so many columns: what moves, the picture, what its signs mean.

    Where the loss is not finite the curve has a gap. Without room there are no lines.
    """
    if width < NARROWEST or height < LOWEST:
        return []
    heights = range_of([*found.losses.tolist(), found.loss])
    if heights is None:
        return [line((cut(NO_NUMBER, width), ui.FAINT))]
    xs, origin = _places(found)
    canvas = Canvas(width, height - 2, Range(float(xs[0]), float(xs[-1])), heights)
    marks = [_mark(each, origin) for each in found.breaks if _inside(each, found)]
    if math.isfinite(found.loss):
        marks.append(Mark(origin, found.loss, HERE, ui.HEADING))
    return [
        line((cut(_title(found, origin), width), ui.FAINT)),
        *canvas.draw([*_tangent(found, xs), _curve(found, xs)], marks),
        line(*_legend(found, width)),
    ]


def _places(found: Around) -> tuple[Floats, float]:
    """Where the points stand on the axis, and the point itself.

    By value, where its numbers differ as they are written; else by the step from the point.
    """
    if found.start is not None:
        with np.errstate(all="ignore"):
            values = found.start + found.steps
        ends = float(values[0]), float(values[-1])
        if all(map(math.isfinite, ends)) and len({*map(short, (*ends, found.start))}) == 3:
            return values, found.start
    return found.steps, 0.0


def _inside(each: Break, found: Around) -> bool:
    return bool(found.steps[0] <= each.step <= found.steps[-1])


def _mark(each: Break, origin: float) -> Mark:
    return Mark(origin + each.step, None, ui.AT_KINK, ui.KINK, each.what)


def _curve(found: Around, xs: Floats) -> Curve:
    return Curve(xs.tolist(), found.losses.tolist(), ui.NUMBER)


def _tangent(found: Around, xs: Floats) -> Iterator[Curve]:
    """What the gradient promises; none where it is not finite, or nothing arrives."""
    if found.slope is None or not math.isfinite(found.slope):
        return
    with np.errstate(all="ignore"):
        promised = found.loss + found.slope * found.steps
    dots = slice(None, None, SPARSE)
    yield Curve(xs[dots].tolist(), promised[dots].tolist(), ui.OPEN, dotted=True)


def _title(found: Around, origin: float) -> str:
    """What moves, and from where."""
    if found.start is None:
        return f"loss along the gradient of {found.name}, by distance"
    name = cut(found.name, NAME)
    by_step = " by step" if origin != found.start else ""
    return f"loss against {name}{by_step}, at {name} = {short(found.start)}"


def _legend(found: Around, width: int) -> list[Cell]:
    """What the signs mean, as far as there is room."""
    signs = [(HERE, ui.HEADING, "here"), (LOSS, ui.NUMBER, "loss")]
    if found.slope is not None and math.isfinite(found.slope):
        signs.append((TANGENT, ui.OPEN, f"slope {short(found.slope)}, the gradient"))
    signs += [(ui.AT_KINK, ui.KINK, said) for said in _breaks(found)]
    parts: list[Cell] = []
    for sign, style, says in signs:
        more: list[Cell] = [*(["  "] if parts else []), (sign, style), f" {says}"]
        if line(*parts, *more).cell_len > width:
            break
        parts += more
    return parts


def _breaks(found: Around) -> Sequence[str]:
    inside = [each for each in found.breaks if _inside(each, found)]
    return [f"{each.what}{_where(each, found)}" for each in inside]


def _where(each: Break, found: Around) -> str:
    if each.step == 0:
        return " here"
    side = "right" if each.step > 0 else "left"
    return f" {short(abs(each.step))} to the {side}"
