"""A check of a gradient as lines: the verdict, what it rests on, and the differences."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from rich.text import Text

from bpstep.render import lines as ui
from bpstep.render.lines import Cell, line, table, wrapped
from bpstep.render.numbers import not_finite, short, value_text
from bpstep.render.verdicts import STYLES, verdict_text

if TYPE_CHECKING:
    from bpstep.analysis.finding import CheckResult, StepRow

HEADS = ("h", "left", "right", "central", "abs error", "rel error")


def check_lines(result: CheckResult) -> Iterator[Text]:
    """The verdict in words, and the differences at each step size beside the gradient."""
    yield line(
        (f"check {result.wrt}", ui.HEADING),
        ": ",
        (result.verdict, STYLES[result.verdict]),
        f", gradient {gradient_text(result)}{element_text(result)}",
    )
    yield from wrapped(verdict_text(result))
    if result.rows:
        yield from table(HEADS, [_row(row) for row in result.rows], right=range(6))


def gradient_text(result: CheckResult) -> str:
    """What is checked."""
    return "none" if result.analytic is None else value_text(result.analytic)


def element_text(result: CheckResult) -> str:
    """Which element speaks for a tensor."""
    if result.element is not None:
        return f" at {result.element}, the worst element"
    return " along a direction through all elements" if result.worst.index is None else ""


def _row(row: StepRow) -> list[Cell]:
    numbers = (row.left, row.right, row.central)
    return [
        value_text(row.h),
        *map(_number, numbers),
        short(row.abs_error),
        short(row.rel_error),
    ]


def _number(value: Any) -> Cell:
    return (value_text(value), ui.BAD if not_finite(value) else ui.NUMBER)
