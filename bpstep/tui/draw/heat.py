"""A tensor in a few lines: its numbers where they fit, else a heat map; pure functions.

A cell of the map is a sign and a shade: ``-`` for a negative number, ``!`` for one that is not
finite, and a block the darker the larger the number. Colours only repeat that. Where there is no
room for a cell an element, a cell stands for a block of them by its largest, and that is said.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from rich.text import Text

from bpstep.render import lines as ui
from bpstep.render.lines import Cell, line
from bpstep.render.numbers import narrow, not_finite, shape_text, short

SHADES = " ░▒▓█"
NEGATIVE = "-"
POSITIVE_STYLE, NEGATIVE_STYLE = "cyan", "magenta"
CELL = 2
"""Columns of a cell: its sign and its shade."""

NUMBER_WIDTH = 9
"""A number in a table has no more columns than this."""
GAP = 1
MOST_NUMBERS = 400
"""Tensors with more elements are not tried as numbers."""

Array = np.ndarray


def picture(value: Any, width: int, height: int) -> list[Text]:
    """A tensor in so many columns and lines: its numbers if they fit, else a heat map.

    No line is wider than ``width``, and there are no more than ``height``.
    """
    if width <= 0 or height <= 0:
        return []
    return (numbers(value, width, height) or heat_map(value, width, height))[:height]


# ---- numbers ----


def numbers(value: Any, width: int, height: int) -> list[Text]:
    """An aligned table of the elements with their indices; nothing where it does not fit."""
    array = np.asarray(value)
    if array.size > MOST_NUMBERS or not array.size:
        return [] if array.size else _clipped([line((_empty(array), ui.FAINT))], width)
    lines = [text for piece in _slices(array) for text in _numbers_of(*piece)]
    fits = len(lines) <= height and all(text.cell_len <= width for text in lines)
    return lines if fits else []


def _empty(array: Array) -> str:
    return f"{shape_text(array.shape)}: no elements"


def _numbers_of(head: str, matrix: Array, rows: bool, columns: bool) -> Iterator[Text]:
    if head:
        yield line((head, ui.FAINT))
    cells = [[narrow(float(item), NUMBER_WIDTH) for item in row] for row in matrix]
    heads = [str(k) for k in range(matrix.shape[1])] if columns else [""] * matrix.shape[1]
    widths = [max(len(head), *(len(row[k]) for row in cells)) for k, head in enumerate(heads)]
    labels = len(str(len(cells) - 1)) if rows else 0
    if columns:
        named = [(head.rjust(size), ui.FAINT) for head, size in zip(heads, widths, strict=True)]
        yield line(" " * labels, *_spaced(named, bool(labels)))
    for k, (row, shown) in enumerate(zip(matrix, cells, strict=True)):
        label = (str(k).rjust(labels) if rows else "", ui.FAINT)
        placed = [
            (text.rjust(size), _style(float(item)))
            for item, text, size in zip(row, shown, widths, strict=True)
        ]
        yield line(label, *_spaced(placed, bool(labels)))


def _spaced(cells: Sequence[tuple[str, str]], labelled: bool) -> list[Cell]:
    spaced: list[Cell] = []
    for k, cell in enumerate(cells):
        spaced += [" " * (GAP + 1)] if k or labelled else []
        spaced.append(cell)
    return spaced


def _style(value: float) -> str:
    if not_finite(value):
        return ui.BAD
    return NEGATIVE_STYLE if value < 0 else ""


def _slices(array: Array) -> Iterator[tuple[str, Array, bool, bool]]:
    """Matrices with their heads, and whether rows and columns have indices: a vector is a row."""
    if array.ndim < 2:
        yield "", array.reshape(1, -1), False, array.ndim == 1
        return
    if array.ndim == 2:
        yield "", array, True, True
        return
    for index in np.ndindex(array.shape[:-2]):
        yield _head(index, 0), array[index], True, True


# ---- the heat map ----


@dataclass(frozen=True, eq=False)
class Pooled:
    """A matrix in fewer cells: ``cells`` are the largest of each block, ``broken`` whether one in
    it is not finite; ``block`` is how many rows and columns a cell stands for.
    """

    cells: Array
    broken: Array
    block: tuple[int, int]


def heat_map(value: Any, width: int, height: int) -> list[Text]:
    """The map, and a line that says what its shades mean; slices of more than two axes below
    one another, as many as there is room for.
    """
    array = np.asarray(value)
    if not array.size:
        return _clipped([line((_empty(array), ui.FAINT))], width)
    top = _largest(array)
    body = max(1, height - 1)
    stacked = _stack(array)
    shown, rows = _shared(len(stacked), body, stacked.shape[1])
    drawn: list[Text] = []
    pooled: Pooled | None = None
    for index, matrix in zip(np.ndindex(array.shape[:-2]), stacked[:shown], strict=False):
        if array.ndim > 2:
            drawn.append(line((_head(index, len(stacked) - shown), ui.FAINT)))
        pooled = pool(matrix, rows, max(1, width // CELL))
        drawn += [_shaded(row, pooled.broken[k], top) for k, row in enumerate(pooled.cells)]
    assert pooled is not None, "a tensor with elements has a slice"
    return _clipped([*drawn[:body], _legend(array, top, pooled, width)], width)


def _head(index: tuple[int, ...], left: int) -> str:
    """Which slice it is, and how many there is no room for."""
    return f"[{', '.join(map(str, index))}, :, :]" + (f" and {left} more" if left else "")


def _largest(array: Array) -> float:
    """The size of the largest finite element; 0 where there is none."""
    with np.errstate(all="ignore"):
        ends = float(array.max()), float(array.min())
    if all(map(math.isfinite, ends)):
        return max(map(abs, ends))
    finite = array[np.isfinite(array)]
    return float(np.abs(finite).max()) if finite.size else 0.0


def _stack(array: Array) -> Array:
    """The matrices of a tensor, one after the other; a vector is one row."""
    if array.ndim < 2:
        return array.reshape(1, 1, -1)
    return array.reshape(-1, *array.shape[-2:])


def _shared(slices: int, body: int, rows: int) -> tuple[int, int]:
    """How many slices are shown, and in how many rows each."""
    if slices == 1:
        return 1, body
    shown = max(1, min(slices, body // (1 + min(rows, 3))))
    return shown, max(1, body // shown - 1)


def pool(matrix: Array, rows: int, columns: int) -> Pooled:
    """A matrix in at most so many rows and columns, each cell the largest of its block by size."""
    block = (-(-matrix.shape[0] // rows), -(-matrix.shape[1] // columns))
    finite = np.isfinite(matrix)
    if block == (1, 1):
        return Pooled(matrix, ~finite, block)
    known = matrix if finite.all() else np.where(finite, matrix, 0)
    highest, lowest = (_blocks(known, block, how) for how in (np.maximum, np.minimum))
    cells = np.where(-lowest > highest, lowest, highest)
    return Pooled(cells, _blocks(~finite, block, np.logical_or), block)


def _blocks(matrix: Array, block: tuple[int, int], how: np.ufunc) -> Array:
    # Rows first: adding up whole rows is many times quicker than parts of each.
    down = matrix
    if block[0] > 1:
        down = how.reduceat(matrix, np.arange(0, matrix.shape[0], block[0]), axis=0)
    return np.asarray(how.reduceat(down, np.arange(0, matrix.shape[1], block[1]), axis=1))


def _shaded(row: Array, broken: Array, top: float) -> Text:
    return line(*(cell(float(x), bool(bad), top) for x, bad in zip(row, broken, strict=True)))


def cell(value: float, broken: bool, top: float) -> tuple[str, str]:
    """A sign and a shade, and their style; ``top`` is the size that has the darkest shade."""
    if broken or not math.isfinite(value):
        return ui.NOT_FINITE * CELL, ui.BAD
    if value == 0 or top == 0:
        return " " * CELL, ""
    steps = len(SHADES) - 1
    shade = SHADES[max(1, math.ceil(abs(value) / top * steps - 1e-9))]
    return (NEGATIVE + shade, NEGATIVE_STYLE) if value < 0 else (" " + shade, POSITIVE_STYLE)


def _legend(array: Array, top: float, pooled: Pooled, width: int) -> Text:
    """What the shades mean, and what a cell stands for; as much of it as fits."""
    finite = bool(np.isfinite(array).all())
    parts = [f"{SHADES[1]}…{SHADES[-1]} to {short(top)}" if top or finite else "none finite"]
    parts = ["all 0"] if finite and not top else parts
    block = pooled.block if array.ndim > 1 else pooled.block[1:]
    if pooled.block != (1, 1):
        size = "×".join(map(str, block))
        said = f"largest of {size}"
        parts.append(said if len(parts[0]) + 2 + len(said) <= width else f"{size} a cell")
    if not finite:
        parts.append(f"{ui.NOT_FINITE} not finite")
    if (array < 0).any():
        parts.append("- negative")
    text = parts[0]
    for part in parts[1:]:
        text = f"{text}, {part}" if len(text) + 2 + len(part) <= width else text
    return line((text, ui.FAINT))


def _clipped(lines: Sequence[Text], width: int) -> list[Text]:
    for text in lines:
        text.truncate(width)
    return list(lines)


# ---- two side by side ----


def side_by_side(
    left: Sequence[Text], right: Sequence[Text], width: int, gap: str = " │ "
) -> list[Text]:
    """Two blocks of lines in so many columns, the left in the first half."""
    half = (width - len(gap)) // 2
    lines = []
    for k in range(max(len(left), len(right))):
        first = left[k] if k < len(left) else Text()
        second = right[k] if k < len(right) else Text()
        space = " " * max(0, half - first.cell_len)
        lines.append(Text.assemble(first, space, (gap, ui.FAINT), second, end=""))
    return lines
