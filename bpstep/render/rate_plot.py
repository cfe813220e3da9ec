"""The loss against the rate: the curve, what the gradient predicts, the rates that were tried."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from rich.text import Text

from bpstep.render import lines as ui
from bpstep.render.canvas import Canvas, Curve, Mark, Range, around
from bpstep.render.lines import Cell, line
from bpstep.render.numbers import short

if TYPE_CHECKING:
    from bpstep.analysis.extrapolation import Floats
    from bpstep.analysis.ray import Crossing
    from bpstep.analysis.updates import LossCurve, UpdateResult

BEYOND = 1.05
"""The axis goes a little further than the largest rate."""

BELOW = 0.15
"""So much of the height is given to a prediction that leaves it downwards."""

TRIED, LOSS, PREDICTED = "●", "⠶", "⠂"
NAME = 16
"""Columns for the name of a node in the legend."""

NO_NUMBER = "Nothing to plot: no loss along the way is a number."


def sampled_rates(rates: Sequence[float], count: int) -> Floats | None:
    """Rates for a curve, from 0 past those that were tried; None where all of them are 0."""
    low, high = min(0.0, *rates, 0.0), max(0.0, *rates, 0.0)
    if low == high:
        return None
    most = sys.float_info.max / BEYOND
    low, high = max(low, -most) * BEYOND, min(high, most) * BEYOND
    shares = np.linspace(0.0, 1.0, count)
    return np.asarray(low * (1 - shares) + high * shares)


def rate_plot(
    curve: LossCurve,
    start: float,
    results: Sequence[UpdateResult],
    width: int,
    height: int,
) -> list[Text]:
    """The plot in ``width`` columns and ``height`` rows, the last one saying what the signs mean.

    ``start`` is the loss at rate 0; the prediction is the straight line from it. Where a loss is
    not finite the curve has a gap, and a tried rate the sign !.
    """
    losses = curve.losses.tolist()
    tried = [result.loss for result in results]
    found = around([start, *losses, *tried])
    if found is None:
        return [line((NO_NUMBER, ui.BAD))]
    rates = curve.rates.tolist()
    with np.errstate(all="ignore"):
        predicted = (start + curve.slope * curve.rates).tolist()
    canvas = Canvas(width, height - 1, Range(rates[0], rates[-1]), _low(found, predicted))
    crossings = first_crossings(results)
    curves = [Curve(rates, predicted, ui.OPEN, dotted=True), Curve(rates, losses, ui.NUMBER)]
    marks = [Mark(each.rate, None, ui.AT_KINK, ui.KINK, each.node) for each in crossings]
    marks += [_tried(result) for result in results]
    return [*canvas.draw(curves, marks), line(*_legend(crossings, width))]


def _low(found: Range, predicted: Sequence[float]) -> Range:
    """The range with some room below, where the prediction goes there."""
    finite = [value for value in predicted if math.isfinite(value)]
    if not finite or min(finite) >= found.low:
        return found
    low = found.low - BELOW * (found.high / 2 - found.low / 2) * 2
    return Range(max(low, min(finite), -sys.float_info.max), found.high)


def _tried(result: UpdateResult) -> Mark:
    sign = (TRIED, ui.HEADING) if math.isfinite(result.loss) else (ui.NOT_FINITE, ui.BAD)
    return Mark(result.rate, result.loss, *sign)


def first_crossings(results: Sequence[UpdateResult]) -> list[Crossing]:
    """Where each node changes its branch first, the nearest rate first."""
    nearest: dict[str, Crossing] = {}
    for crossing in (each for result in results for each in result.crossings):
        known = nearest.get(crossing.node)
        if known is None or abs(crossing.rate) < abs(known.rate):
            nearest[crossing.node] = crossing
    return sorted(nearest.values(), key=lambda each: abs(each.rate))


def _legend(crossings: Sequence[Crossing], width: int) -> list[Cell]:
    """What the signs mean, and where the first branch is crossed if there is room for that."""
    signs = [(LOSS, ui.NUMBER, "loss"), (PREDICTED, ui.OPEN, "predicted")]
    signs.append((TRIED, ui.HEADING, "tried"))
    crossing = [(ui.AT_KINK, ui.KINK, says) for says in _where(crossings)]
    for kinds, gap in ((crossing[:1], "  "), (crossing[1:], "  "), (crossing[1:], " ")):
        parts = _spread([*signs, *kinds], gap)
        if line(*parts).cell_len <= width:
            break
    return parts


def _where(crossings: Sequence[Crossing]) -> list[str]:
    """The first crossing, at length and in a word; nothing of none."""
    if not crossings:
        return []
    more = f", {len(crossings) - 1} more" if len(crossings) > 1 else ""
    name = ui.cut(crossings[0].node, NAME)
    return [f"{name} at {short(crossings[0].rate)}{more}", "crossing"]


def _spread(signs: Sequence[tuple[str, str, str]], gap: str) -> list[Cell]:
    parts: list[Cell] = []
    for sign, style, says in signs:
        parts += [gap] if parts else []
        parts += [(sign, style), f" {says}"]
    return parts
