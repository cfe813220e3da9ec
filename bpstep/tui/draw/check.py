"""The tab `check`: all verdicts in short, then one check with its differences and a plot."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.text import Text

from bpstep.analysis.finding import WORST_FIRST
from bpstep.render import lines as ui
from bpstep.render.checks import HEADS, element_text, gradient_text
from bpstep.render.lines import Cell, columns, cut, line, table
from bpstep.render.numbers import not_finite, short
from bpstep.render.plots import loss_plot
from bpstep.render.verdicts import SIGNS, STYLES, verdict_text

if TYPE_CHECKING:
    from bpstep.analysis.around import Around
    from bpstep.analysis.differences import CheckResult, StepRow
    from bpstep.analysis.effort import Effort
    from bpstep.analysis.extrapolation import Limit

NAME = 16
"""Columns for the name of a leaf."""

GAP = 2
"""Columns between those of the table."""

NARROW_HEADS = (*HEADS[:4], "error")
ERROR = 7
"""Columns of an error under the narrow heads: a longer one has two digits."""

LEAST, LONGEST = 6, 10
"""Columns of a number there, if there is room, and at most: the error tells what differs behind."""

LISTED = 8
"""So many leaves stand in the table, the worst first; the others are counted."""

ROOM_FOR_TABLE = 20
"""In fewer rows the leaves stand side by side."""

LEAST_PLOT, MOST_PLOT = 8, 18
"""Rows of the plot."""

NO_PASS = "There is no gradient to check: the program runs no reverse pass."
NO_LEAVES = "There is nothing to check: no leaf requires a gradient."
WHOLE = "This is about the whole gradient of the pass: at this step it is not complete."


@dataclass(frozen=True, eq=False)
class CheckView:
    """What there is to show.

    ``head`` stands above all: what is being done, or could be. ``results`` are those of leaves,
    ``shown`` the one told in full; ``incomplete`` says that its gradient is, at this step.
    """

    head: Sequence[Text]
    results: Sequence[CheckResult]
    shown: CheckResult | None
    around: Around | None
    incomplete: bool


def view_lines(view: CheckView, width: int, height: int) -> Iterator[Text]:
    """All of it, for so many columns, in so many rows if it can be."""
    lines = [*view.head, *_leaves(view, width, height)]
    if view.shown is not None:
        lines += _told(view.shown, view.incomplete, width)
    yield from lines
    if view.around is not None:
        wrapped = sum(-(-max(1, text.cell_len) // max(1, width)) for text in lines)
        yield from loss_plot(view.around, width, min(max(height - wrapped, LEAST_PLOT), MOST_PLOT))


def offer_text(names: Sequence[str], effort: Effort, cancelled: bool) -> Text:
    """What could be checked, and how that is asked for."""
    what = names[0] if len(names) == 1 else f"{len(names):,} leaves"
    said = "cancelled; " if cancelled else ""
    plural = "" if effort.evaluations == 1 else "s"
    return line(
        said,
        ("[Enter or click: check now]", ui.OPEN),
        f" {cut(what, NAME)}, {effort.evaluations:,} evaluation{plural}",
    )


# ---- the leaves ----


def _leaves(view: CheckView, width: int, height: int) -> Iterable[Text]:
    """The verdicts on all leaves: a table, or side by side where there is little room."""
    results = sorted(view.results, key=lambda it: WORST_FIRST.index(it.verdict))
    if len(results) < 2:
        return ()
    if height >= ROOM_FOR_TABLE:
        return _table(results, view.shown)
    return [_side_by_side(results, width)]


def _table(results: Sequence[CheckResult], shown: CheckResult | None) -> Iterator[Text]:
    rows = [_leaf(result, result is shown) for result in results[:LISTED]]
    heads = ("", "", "leaf", "gradient", "central", "verdict")
    yield from table(heads, rows, right=(3, 4), indent=0)
    if len(results) > LISTED:
        yield line((f"  {_counted(results[LISTED:])}", ui.FAINT))


def _leaf(result: CheckResult, shown: bool) -> list[Cell]:
    style = STYLES[result.verdict]
    return [
        ui.HERE if shown else " ",
        (SIGNS[result.verdict], style),
        cut(f"{result.wrt}{result.element or ''}", NAME),
        "none" if result.analytic is None else _number(result.analytic),
        _number(result.central.value),
        (result.verdict, style),
    ]


def _counted(results: Sequence[CheckResult]) -> str:
    """``… 330 more: 320 agrees, 10 near-kink``."""
    counts: dict[str, int] = {}
    for result in results:
        counts[result.verdict] = counts.get(result.verdict, 0) + 1
    told = ", ".join(f"{count:,} {verdict}" for verdict, count in counts.items())
    return f"… {len(results):,} more: {told}"


def _side_by_side(results: Sequence[CheckResult], width: int) -> Text:
    cells: list[Cell] = []
    for number, result in enumerate(results):
        said = f"{SIGNS[result.verdict]} {cut(result.wrt, NAME)} {result.verdict}"
        more: list[Cell] = [*([" · "] if cells else []), (said, STYLES[result.verdict])]
        left = len(results) - number
        if line(*cells, *more).cell_len > width - (len(f" … {left} more") if left > 1 else 0):
            cells.append((f" … {left:,} more", ui.FAINT))
            break
        cells += more
    return line(*cells)


# ---- one check ----


def _told(result: CheckResult, incomplete: bool, width: int) -> Iterator[Text]:
    """The verdict and what it rests on."""
    style = STYLES[result.verdict]
    yield line(
        (f"{SIGNS[result.verdict]} {result.verdict}", f"{style} reverse"),
        (f" {result.wrt}", ui.HEADING),
        f": gradient {gradient_text(result)}{element_text(result)}",
    )
    if incomplete:
        yield line((WHOLE, ui.OPEN))
    yield line(verdict_text(result))
    if result.rows:
        yield from _quotients(result, width)


def _quotients(result: CheckResult, width: int) -> list[Text]:
    """The rows under their heads; in a narrow pane without the relative error.

    So they are, too, where it would leave no room for the digits that tell them from the gradient.
    """
    for heads in (HEADS, NARROW_HEADS):
        others = [_others(row, heads) for row in result.rows]
        room = _room(heads, others, width)
        first: list[Cell] = [(head, ui.FAINT) for head in heads]
        rows = [
            [h, *(_beside(value, result.analytic, room) for value in _values(row)), *errors]
            for row, (h, *errors) in zip(result.rows, others, strict=True)
        ]
        limits = _limits(result)[: len(heads)]
        laid = columns([first, *rows, limits], right=range(len(heads)), indent=0)
        if room >= LEAST and max(text.cell_len for text in laid) <= width:
            break
    return laid


def _values(row: StepRow) -> tuple[float, float, float]:
    return row.left, row.right, row.central


def _others(row: StepRow, heads: Sequence[str]) -> tuple[str, ...]:
    """What stands beside the three numbers: the step size, and the errors after them."""
    if heads == NARROW_HEADS:
        error = short(row.abs_error)
        return short(row.h), error if len(error) <= ERROR else f"{row.abs_error:.2g}"
    return short(row.h), short(row.abs_error), short(row.rel_error)


def _room(heads: Sequence[str], others: Sequence[Sequence[str]], width: int) -> int:
    """Columns for each of the three numbers beside the other ones."""
    taken = [max(map(len, column)) for column in zip((heads[0], *heads[4:]), *others, strict=True)]
    return min((width - sum(taken) - GAP * (len(heads) - 1)) // 3, LONGEST)


def _beside(value: float, gradient: float | None, room: int) -> Cell:
    """A number with as many digits as tell it from the gradient, where there is room for them."""
    if gradient is not None and value != gradient and short(value) == short(gradient):
        for digits in range(5, 17):
            text = f"{value:.{digits}g}"
            if len(text) <= room and float(text) != float(f"{gradient:.{digits}g}"):
                return (text, ui.NUMBER)
    return _number(value)


def _limits(result: CheckResult) -> list[Cell]:
    """What the quotients converge to."""
    limits: Sequence[Limit] = (result.left, result.right, result.central)
    return [("h → 0", ui.FAINT), *(_number(limit.value) for limit in limits), "", ""]


def _number(value: float) -> Cell:
    return (short(value), ui.BAD if not_finite(value) else ui.NUMBER)
