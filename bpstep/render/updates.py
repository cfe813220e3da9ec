"""Steps of gradient descent that were tried, as a table, and what they say about the rate."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from rich.text import Text

from bpstep.render import lines as ui
from bpstep.render.lines import Cell, line, table, wrapped
from bpstep.render.numbers import not_finite, short, value_text

if TYPE_CHECKING:
    from bpstep.analysis.updates import UpdateResult

NO_PROMISE = (
    "A gradient is the slope at this point: it does not say how far the slope holds, so a right"
    " one promises no safe step."
)


def update_lines(results: Sequence[UpdateResult]) -> Iterator[Text]:
    """A row for each rate: parameters and loss after one step, what was predicted, what came."""
    names = list(dict.fromkeys(name for result in results for name in result.params))
    heads = ("rate", *names, "loss", "predicted", "actual", "actual/predicted", "crossed")
    rows = [
        [
            value_text(result.rate),
            *(_number(result.params.get(name)) for name in names),
            _number(result.loss),
            _number(result.predicted),
            _number(result.actual),
            _ratio(result.ratio),
            (_crossed(result) or "–", ui.KINK if result.crossed else ui.FAINT),
        ]
        for result in results
    ]
    yield line(("update", ui.HEADING), ": one step at each rate")
    yield from table(heads, rows, right=range(len(heads) - 1))
    yield from wrapped(_said(results))


def _number(value: Any) -> Cell:
    return (value_text(value), ui.BAD if not_finite(value) else ui.NUMBER)


def _ratio(ratio: float) -> Cell:
    """1 for a step that the slope describes; against it where the sign is wrong."""
    if math.isnan(ratio):
        return ("–", ui.FAINT)
    return (short(ratio), ui.NUMBER if ratio > 0 else ui.BAD)


def _crossed(result: UpdateResult) -> str:
    """The branches crossed, each with the rate at which it changes."""
    rates = {crossing.node: crossing.rate for crossing in result.crossings}
    order = [*rates, *(name for name in result.crossed if name not in rates)]
    return ", ".join(f"{name} at {short(rates[name])}" if name in rates else name for name in order)


def _said(results: Sequence[UpdateResult]) -> str:
    wrong = [result for result in results if result.actual * result.predicted < 0]
    if not wrong:
        return NO_PROMISE
    rates = ", ".join(value_text(result.rate) for result in wrong)
    verb = "rises where it should fall" if wrong[0].predicted < 0 else "falls where it should rise"
    return f"At {rates} the loss {verb}. {NO_PROMISE}"
