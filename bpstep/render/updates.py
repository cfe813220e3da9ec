"""Steps of gradient descent that were tried, as a table, and what they say about the rate."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.text import Text

from bpstep.render import lines as ui
from bpstep.render.lines import Cell, cut, line, table, wrapped
from bpstep.render.numbers import not_finite, short, value_text
from bpstep.render.values import entry, value_table

if TYPE_CHECKING:
    from bpstep.analysis.updates import UpdateResult

MOST_PARAMS = 4
"""More parameters than these, and tensors, stand below the table."""

NO_PROMISE = (
    "A gradient is the slope at this point: it does not say how far the slope holds, so a right"
    " one promises no safe step."
)


def update_lines(results: Sequence[UpdateResult]) -> Iterator[Text]:
    """A row for each rate: parameters and loss after one step, what was predicted, what came."""
    names = list(dict.fromkeys(name for result in results for name in result.params))
    apart = _wide(results)
    shown = [] if apart else names
    heads = ("rate", *shown, "loss", "predicted", "actual", "actual/predicted", "crossed")
    rows = [
        [
            value_text(result.rate),
            *(_number(result.params.get(name)) for name in shown),
            _number(result.loss),
            _number(result.predicted),
            _number(result.actual),
            ratio_cell(result.ratio),
            (_crossed(result) or "–", ui.KINK if result.crossed else ui.FAINT),
        ]
        for result in results
    ]
    yield line(("update", ui.HEADING), ": one step at each rate")
    yield from table(heads, rows, right=range(len(heads) - 1))
    if apart:
        yield from _params(results, names)
    yield from wrapped(said(results))


def _wide(results: Sequence[UpdateResult]) -> bool:
    """Whether parameters would make the table too wide: tensors, or many numbers."""
    values = [value for result in results for value in result.params.values()]
    several = max((len(result.params) for result in results), default=0) > MOST_PARAMS
    return several or any(isinstance(value, np.ndarray) for value in values)


def _params(results: Sequence[UpdateResult], names: Sequence[str]) -> Iterator[Text]:
    """The parameters after each step, a line each."""
    rows = [
        [
            value_text(result.rate) if name == names[0] else "",
            cut(name, ui.NAME_WIDTH),
            entry(result.params.get(name), ui.NUMBER),
        ]
        for result in results
        for name in names
    ]
    yield from value_table(("rate", "parameter", "after the step"), rows, right=(0,))


def _number(value: Any) -> Cell:
    return (value_text(value), ui.BAD if not_finite(value) else ui.NUMBER)


def ratio_cell(ratio: float) -> tuple[str, str]:
    """1 for a step that the slope describes; against it where the sign is wrong."""
    if math.isnan(ratio):
        return ("–", ui.FAINT)
    return (short(ratio), ui.NUMBER if ratio > 0 else ui.BAD)


def _crossed(result: UpdateResult) -> str:
    """The branches crossed, each with the rate at which it changes."""
    rates = {crossing.node: crossing.rate for crossing in result.crossings}
    order = [*rates, *(name for name in result.crossed if name not in rates)]
    return ", ".join(f"{name} at {short(rates[name])}" if name in rates else name for name in order)


def said(results: Sequence[UpdateResult]) -> str:
    """What the steps say about the rates, in a sentence or two."""
    wrong = [result for result in results if result.actual * result.predicted < 0]
    if not wrong:
        return NO_PROMISE
    rates = ", ".join(value_text(result.rate) for result in wrong)
    verb = "rises where it should fall" if wrong[0].predicted < 0 else "falls where it should rise"
    return f"At {rates} the loss {verb}. {NO_PROMISE}"
