"""Steps of gradient descent that were tried, for a pane: a table, a plot, the new parameters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.cells import cell_len
from rich.text import Text

from bpstep.analysis.updates import curve, update
from bpstep.render import lines as ui
from bpstep.render.lines import Cell, line
from bpstep.render.numbers import not_finite, short
from bpstep.render.rate_plot import first_crossings, rate_plot, sampled_rates
from bpstep.render.sanitize import visible
from bpstep.render.updates import ratio_cell, said
from bpstep.session.defaults import DEFAULT_RATES
from bpstep.session.reports import UpdateReport
from bpstep.tui.draw.fit import cut, number, placed, scalar

if TYPE_CHECKING:
    from bpstep.analysis.updates import LossCurve, UpdateResult
    from bpstep.engine.program import Run
    from bpstep.session.session import Session

MOST_TYPED = 6
"""So many rates that were typed are shown, the latest."""

RECENT = 1000
"""They are looked for among so many commands."""

MOST_COLUMNS = 4
"""More parameters than these stand below the table."""

MOST_CROSSED = 3

SAMPLES = 240
LEAST_ROWS, MOST_ROWS = 6, 20
"""Rows of a plot."""

WIDE, NARROW, NARROWEST, RATIO = 12, 9, 6, 8
"""Columns of a number."""

NO_PASS = "There is no gradient to step along: the program runs no reverse pass."
NO_PARAMS = "Nothing to change: the scenario has no parameters."
TRYING = "Trying the rates …"
TYPE_RATES = "other rates: :update 0.02 0.5"

TITLES = ("rate", "loss", "predicted", "actual", "actual/predicted", "crossed")
SHORT_TITLES = ("rate", "loss", "predict", "actual", "ratio", "crossed")


@dataclass(frozen=True, eq=False)
class Tried:
    """Some rates that were tried from one point, whose loss is ``start``."""

    start: float
    results: Sequence[UpdateResult]
    curve: LossCurve | None


def rates_of(session: Session) -> tuple[float, ...]:
    """The scenario's rates, else the default ones, and those that ``update`` was typed with."""
    asked = session.scenario.updates
    typed = [
        result.rate
        for entry in session.transcript[-RECENT:]
        for report in entry.reports
        if isinstance(report, UpdateReport)
        for result in report.results
    ]
    latest = list(dict.fromkeys(reversed(typed)))
    usual = asked.rates if asked else DEFAULT_RATES
    others = [rate for rate in latest if rate not in usual][:MOST_TYPED]
    return tuple(sorted({*usual, *others}))


def try_rates(run: Run, rates: Sequence[float], params: Sequence[str] | None) -> Tried:
    """Try rates, and find the curve on which they lie. Takes its time on a large tape."""
    sampled = sampled_rates(rates, SAMPLES)
    found = None if sampled is None else curve(run, sampled.tolist(), params)
    ledger = run.passes[-1].ledger
    start = float(ledger.graph.recorded(ledger.output))
    return Tried(start, update(run, rates, params), found)


def update_lines(tried: Tried, width: int, height: int) -> Iterator[Text]:
    """The table, the plot in what is left of the height, then parameters and what it says."""
    if not any(result.params for result in tried.results):
        yield line((NO_PARAMS, ui.FAINT))
        return
    table = _table(tried.results, width)
    yield line(("one step", ui.HEADING), f" from the loss {number(tried.start, WIDE)}")
    yield from table.lines(width)
    if tried.curve is not None:
        rows = min(max(height - len(table.rows) - 1, LEAST_ROWS), MOST_ROWS)
        yield from rate_plot(tried.curve, tried.start, tried.results, width, rows)
    if not table.params:
        yield from _params(tried.results, width)
    yield from _crossed(tried.results)
    yield line(said(tried.results))
    yield line((TYPE_RATES, ui.FAINT))


# The table.


@dataclass(frozen=True)
class _Table:
    """Titles and rows; ``params`` tells whether the parameters have columns in it."""

    rows: Sequence[Sequence[Cell]]
    gap: int
    params: bool

    @property
    def widths(self) -> list[int]:
        return [max(map(_length, column)) for column in zip(*self.rows, strict=True)]

    @property
    def width(self) -> int:
        return sum(self.widths) + self.gap * (len(self.widths) - 1)

    def lines(self, width: int) -> Iterator[Text]:
        """The rows, the last column cut to what is left for it."""
        widths = self.widths
        widths[-1] = max(1, width - (self.width - widths[-1]))
        for row in self.rows:
            yield ui.trimmed(line(*_spaced(row, widths, self.gap)))


def _table(results: Sequence[UpdateResult], width: int) -> _Table:
    """A row for each rate: with the columns and the digits that fit."""
    tables = (_made(results, *layout) for layout in _layouts(results))
    for table in tables:
        if table.width <= width:
            break
    return table


Layout = tuple[Sequence[str], Sequence[str], int, int]


def _layouts(results: Sequence[UpdateResult]) -> Iterator[Layout]:
    """The parameters in it, the titles, the digits and the gap: the roomiest first."""
    names = list(dict.fromkeys(name for result in results for name in result.params))
    scalar = all(np.ndim(value) == 0 for one in results for value in one.params.values())
    if scalar and len(names) <= MOST_COLUMNS:
        yield names, TITLES, WIDE, 2
        yield names, TITLES, NARROW, 2
        yield names, SHORT_TITLES, NARROWEST, 1
    yield (), TITLES, WIDE, 2
    yield (), TITLES, NARROW, 2
    yield (), SHORT_TITLES, NARROWEST, 1
    yield (), (*SHORT_TITLES[:-1], ui.AT_KINK), NARROWEST, 1
    yield (), ("rate", "loss", "actual", "ratio", ui.AT_KINK), NARROWEST, 1


def _made(
    results: Sequence[UpdateResult],
    names: Sequence[str],
    titles: Sequence[str],
    digits: int,
    gap: int,
) -> _Table:
    heads: list[Cell] = [(ui.cut(title, NARROW), ui.FAINT) for title in (titles[0], *names)]
    heads += [(title, ui.FAINT) for title in titles[1:]]
    rows = [_row(result, names, digits) for result in results]
    if len(titles) < len(TITLES):  # without what was predicted
        rows = [[*row[:2], *row[3:]] for row in rows]
    return _Table([heads, *rows], gap, bool(names))


def _row(result: UpdateResult, names: Sequence[str], digits: int) -> list[Cell]:
    crossed = (", ".join(result.crossed) or "–", ui.KINK if result.crossed else ui.FAINT)
    return [
        number(result.rate, digits),
        *(_number(result.params.get(name), digits) for name in names),
        *(_number(each, digits) for each in (result.loss, result.predicted, result.actual)),
        _ratio(result.ratio),
        crossed,
    ]


def _ratio(ratio: float) -> Cell:
    text, style = ratio_cell(ratio)
    return (scalar(ratio, RATIO) if len(text) > RATIO else text, style)


def _number(value: Any, digits: int) -> Cell:
    return (number(value, digits), ui.BAD if not_finite(value) else ui.NUMBER)


def _spaced(row: Sequence[Cell], widths: Sequence[int], gap: int) -> list[Cell]:
    cells: list[Cell] = []
    for place, (cell, width) in enumerate(zip(row, widths, strict=True)):
        cells += [" " * gap] if place else []
        cells.append(placed(cell, width, right=place < len(row) - 1))
    return cells


def _length(cell: Cell) -> int:
    return cell_len(visible(cell if isinstance(cell, str) else cell[0]))


# Below it.


def _params(results: Sequence[UpdateResult], width: int) -> Iterator[Text]:
    """The parameters after each step, those that fit into a line, and how many more."""
    for result in results:
        head = f"at {short(result.rate)}"
        cells: list[Cell] = [(head, ui.FAINT)]
        room = width - len(head)
        left = len(result.params)
        for name, value in result.params.items():
            shown = f"{cut(name, width // 2)} {number(value, WIDE)}"
            more = f"  … {left - 1} more" if left > 1 else ""
            if cell_len(shown) + 2 + cell_len(more) > room and left < len(result.params):
                break
            cells += ["  ", (shown, ui.BAD if not_finite(value) else ui.NUMBER)]
            room -= cell_len(shown) + 2
            left -= 1
        if left:
            cells.append((f"  … {left} more", ui.FAINT))
        yield line(*cells)


def _crossed(results: Sequence[UpdateResult]) -> Iterator[Text]:
    """From which rate on a node takes another branch, and how many more do."""
    crossings = first_crossings(results)
    for crossing in crossings[:MOST_CROSSED]:
        name, rate = cut(crossing.node, ui.NAME_WIDTH), short(crossing.rate)
        says = f"{name} takes another branch from {rate} on, of which the gradient knows nothing."
        yield line((f"{ui.AT_KINK} ", ui.KINK), says)
    if len(crossings) > MOST_CROSSED:
        yield line((f"{ui.AT_KINK} so do {len(crossings) - MOST_CROSSED} more nodes.", ui.FAINT))
