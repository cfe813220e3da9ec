"""What analyses found, as tables: paths, finite differences, updates."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from rich.text import Text

from bpstep.render import lines as ui
from bpstep.render.lines import Cell, line, table
from bpstep.render.numbers import count_text, not_finite, short, value_text

if TYPE_CHECKING:
    from bpstep.analysis.differences import CheckResult
    from bpstep.analysis.paths import Path, PathsResult
    from bpstep.analysis.updates import UpdateResult


def paths_lines(found: PathsResult) -> Iterator[Text]:
    """The paths into a node, largest share first, and how many there are in all."""
    count = f"{count_text(found.count)} path" + ("" if found.count == 1 else "s")
    total = "nothing arrives" if found.total is None else f"sum {value_text(found.total)}"
    yield line((f"{count} to {found.node}", ui.HEADING), f", {total}")
    if not found.paths:
        return
    heads = ("share", "path", "factors")
    yield from table(heads, [_path(path) for path in found.paths], right=(0,))
    left = found.count - found.shown
    if left:
        yield line((f"  … and {count_text(left)} more", ui.FAINT))
    if not found.complete:
        yield line(("  not every path was looked at: there may be larger ones", ui.OPEN))


def _path(path: Path) -> list[Cell]:
    factors = " · ".join(
        rule if factor is None else value_text(factor)
        for factor, rule in zip(path.factors, path.rules, strict=True)
    )
    return [
        (value_text(path.product), ui.NUMBER),
        " → ".join(path.nodes),
        (factors, ui.FAINT),
    ]


def check_lines(result: CheckResult) -> Iterator[Text]:
    """The differences at each step size beside the gradient."""
    gradient = "none" if result.analytic is None else value_text(result.analytic)
    of = "" if result.element is None else f" at {result.element}, the worst element"
    yield line((f"check {result.wrt}", ui.HEADING), f": gradient {gradient}{of}")
    rows = [
        [
            value_text(row.h),
            _number(row.left),
            _number(row.right),
            _number(row.central),
            _error(row.abs_error),
            _error(row.rel_error),
        ]
        for row in result.rows
    ]
    heads = ("h", "left", "right", "central", "abs error", "rel error")
    yield from table(heads, rows, right=range(6))


def _number(value: Any) -> Cell:
    return (value_text(value), ui.BAD if not_finite(value) else ui.NUMBER)


def _error(value: float) -> Cell:
    return short(value)


def update_lines(results: tuple[UpdateResult, ...]) -> Iterator[Text]:
    """A row for each rate: parameters and loss after one step, and what was predicted."""
    names = list(dict.fromkeys(name for result in results for name in result.params))
    heads = ("rate", *names, "loss", "predicted", "actual", "crossed")
    rows = [
        [
            value_text(result.rate),
            *(_number(result.params.get(name)) for name in names),
            _number(result.loss),
            _number(result.predicted),
            _number(result.actual),
            (", ".join(result.crossed) or "–", ui.KINK if result.crossed else ui.FAINT),
        ]
        for result in results
    ]
    yield line(("update", ui.HEADING), ": one step at each rate")
    yield from table(heads, rows, right=range(len(heads) - 1))
