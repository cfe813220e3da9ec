"""Text and numbers made to fit a number of columns."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from rich.cells import cell_len, set_cell_size

from bpstep.render.lines import Cell
from bpstep.render.numbers import compact, nested, shape_text
from bpstep.render.sanitize import visible

ELLIPSIS = "…"
FEWEST_DIGITS = 2


def cut(text: str, width: int) -> str:
    """Text from a user, safe to show, and cut to so many columns with an ellipsis."""
    shown = visible(text)
    if width <= 0:
        return ""
    if (len(shown) if shown.isascii() else cell_len(shown)) <= width:
        return shown
    return set_cell_size(shown, width - 1).rstrip() + ELLIPSIS


def placed(cell: Cell, width: int, right: bool = False) -> Cell:
    """A cell cut and filled up to exactly so many columns."""
    text, style = (cell, "") if isinstance(cell, str) else cell
    shown = cut(text, width)
    space = " " * max(0, width - cell_len(shown))
    return (space + shown if right else shown + space, style)


def number(value: Any, width: int) -> str:
    """A value in so many columns: fewer digits, or of a tensor its shape, where it would not fit.

    None, where there is no value yet, is the empty text.
    """
    if value is None:
        return ""
    if isinstance(value, np.ndarray) and value.ndim:
        text = nested(value) if value.size * 2 < width else shape_text(value.shape)
        return text if len(text) <= width else cut(shape_text(value.shape), width)
    return scalar(float(value), width)


def scalar(value: float, width: int) -> str:
    """A number in so many columns, with fewer digits where it would not fit.

    Its exponent is never cut off, which would make it another number: ``1.6e-1…``.
    """
    text = compact(value)
    if len(text) <= width or not math.isfinite(value):
        return text
    for digits in range(width, FEWEST_DIGITS - 1, -1):
        shorter = f"{value:.{digits}g}"
        if len(shorter) <= width:
            return shorter
    for digits in range(FEWEST_DIGITS + 1, 0, -1):
        for form in (f"{value:.{digits}g}", f"{value:.{digits - 1}e}"):
            shorter = _tight(form)
            if len(shorter) <= width:
                return shorter
    return shorter


def _tight(text: str) -> str:
    """An exponent without what it can do without: ``-1.2e8`` for ``-1.2e+08``."""
    digits, e, exponent = text.partition("e")
    return f"{digits}{e}{int(exponent)}" if e else text
