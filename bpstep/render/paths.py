"""The paths into a node as lines: the largest, their sum against the gradient, and the ghosts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rich.text import Text

from bpstep.render import lines as ui
from bpstep.render.lines import Cell, line, table
from bpstep.render.numbers import count_text, value_text

if TYPE_CHECKING:
    from bpstep.analysis.paths import Path, PathEdge, PathsResult

ENDS = 8
"""So many edges of a long path are shown at each end."""

HEADS = ("share", "path", "factors")

GHOST, GHOSTS = "a ghost, it adds to nothing", "ghosts, they add to nothing"


def paths_lines(found: PathsResult) -> Iterator[Text]:
    """The paths into a node, largest share first, and how many there are in all."""
    yield line((f"{count_words(found.count)} to {found.node}", ui.HEADING), ", ", *sum_cells(found))
    yield from _listed(found.paths, found.count, ui.NUMBER)
    if not found.complete:
        yield line(("  not every path was looked at: there may be larger ones", ui.OPEN))
    if found.ghost_count:
        add = GHOST if found.ghost_count == 1 else GHOSTS
        heading = f"{ui.CUT} {count_words(found.ghost_count)} through a detach: {add}"
        yield line((heading, ui.FAINT))
        yield from _listed(found.ghosts, found.ghost_count, ui.FAINT)


def count_words(count: int) -> str:
    """A number of paths."""
    return f"{count_text(count)} path" + ("" if count == 1 else "s")


def sum_cells(found: PathsResult) -> Iterator[Cell]:
    """The sum of all shares, and whether that is what arrived."""
    if found.total is None and found.gradient is None:
        yield "nothing arrives"
        return
    total, gradient = (
        "none" if value is None else value_text(value) for value in (found.total, found.gradient)
    )
    yield f"sum {total}"
    if found.agree:
        yield (", the gradient", ui.GOOD)
    else:
        yield (f" ≠ the gradient, {gradient}: the pass did not bring what the paths do", ui.BAD)


def _listed(paths: Sequence[Path], count: int, style: str) -> Iterator[Text]:
    if not paths:
        return
    yield from table(HEADS, [_path(path, style) for path in paths], right=(0,))
    if count > len(paths):
        yield line((f"  … and {count_text(count - len(paths))} more", ui.FAINT))


def _path(path: Path, style: str) -> list[Cell]:
    return [(value_text(path.product), style), chain(path), (factors(path), ui.FAINT)]


def _ends(path: Path) -> tuple[Sequence[PathEdge], int, Sequence[PathEdge]]:
    """The first edges, how many are left out, and the last ones."""
    if path.length <= 2 * ENDS + 2:
        return [path.edge(place) for place in range(path.length)], 0, ()
    first = [path.edge(place) for place in range(ENDS)]
    last = [path.edge(place) for place in range(path.length - ENDS, path.length)]
    return first, path.length - 2 * ENDS, last


def chain(path: Path) -> str:
    """Its nodes, the output's first; of a long one the ends."""
    first, omitted, last = _ends(path)
    if not first:
        return path.nodes[0]
    shown = [_sender(edge) for edge in first]
    if omitted:
        shown += [first[-1].target, f"… {omitted - 1} more …"]
    shown += [_sender(edge) for edge in last]
    return " → ".join([*shown, (last or first)[-1].target])


def _sender(edge: PathEdge) -> str:
    return f"{ui.CUT} {edge.source}" if edge.cut else edge.source


def factors(path: Path) -> str:
    """Its local derivatives as a product; of a long one the ends."""
    first, omitted, last = _ends(path)
    shown = [_factor(edge) for edge in first]
    shown += ["…"] if omitted else []
    return " · ".join([*shown, *map(_factor, last)])


def _factor(edge: PathEdge) -> str:
    return edge.rule if edge.factor is None else value_text(edge.factor)
