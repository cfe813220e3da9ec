"""Numbers as text: exact for machines, compact for people."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

FIXED_DIGITS = 8
"""Significant digits of a number written without an exponent."""

EXPONENT_DIGITS = 3
"""Significant digits of a number written with one."""

SMALLEST_FIXED = 1e-4
LARGEST_FIXED = 1e8
LARGEST_INTEGER = 1e12
"""Whole numbers up to here are written out, exactly."""

LARGEST_JSON_BITS = 4096
"""Longer whole numbers are no longer written out in JSON, where Python refuses to read them."""

LARGEST_FLOAT32 = float(np.finfo(np.float32).max)

WRITTEN = 4
"""A tensor with at most so many elements is written out inside a sentence."""

INLINE_ELEMENTS = 6
"""A tensor with at most so many elements is written out inside a line."""


def shortest(value: float, dtype: str = "float64") -> float:
    """The float64 whose shortest text is also the shortest text of `value` in `dtype`.

    0.1 in float32 is 0.10000000149011612 in float64; written as 0.1 it reads back as the same
    float32. A number that no float32 holds (a difference quotient) keeps all its digits.
    """
    number = float(value)
    if dtype != "float32" or abs(number) > LARGEST_FLOAT32:
        return number
    single = np.float32(number)
    return float(str(single)) if float(single) == number else number


def json_number(value: float, dtype: str = "float64") -> float | str:
    """A number for JSON: a float in shortest form, or "nan", "inf", "-inf", which JSON lacks."""
    if math.isfinite(value):
        return shortest(value, dtype)
    return str(float(value))


def json_value(value: Any, dtype: str = "float64") -> Any:
    """Any result for JSON: numbers exact, tensors as nested lists, None as null.

    Strings, booleans and whole numbers are kept; mappings and sequences are converted through.
    """
    if isinstance(value, int) and value.bit_length() > LARGEST_JSON_BITS:
        return count_text(value)
    if value is None or isinstance(value, bool | str | int):
        return value
    if isinstance(value, float | np.floating):
        return json_number(float(value), dtype)
    if isinstance(value, np.generic | np.ndarray):
        return json_value(value.tolist(), dtype)
    if isinstance(value, Mapping):
        return {str(key): json_value(item, dtype) for key, item in value.items()}
    return [json_value(item, dtype) for item in value]


def exact(value: float, dtype: str = "float64") -> str:
    """A number for people to the last digit: "8", "0.30000000000000004", "nan"."""
    text = repr(shortest(value, dtype))
    return text.removesuffix(".0")


def compact(value: float) -> str:
    """A number for people, short: "8", "0.57287808", "9.54e-07", "-inf"."""
    number = float(value)
    size = abs(number)
    if not math.isfinite(number):
        return str(number)
    if number.is_integer() and size < LARGEST_INTEGER:
        return f"{number:.0f}"
    if SMALLEST_FIXED <= size < LARGEST_FIXED:
        return f"{number:.{FIXED_DIGITS}g}"
    return f"{number:.{EXPONENT_DIGITS}g}"


def narrow(value: float, width: int) -> str:
    """As `compact`, with fewer digits where that makes it fit; whole numbers keep theirs."""
    text = compact(value)
    digits = FIXED_DIGITS
    while len(text) > width and digits > EXPONENT_DIGITS and not float(value).is_integer():
        digits -= 1
        text = f"{float(value):.{digits}g}"
    return text


def shape_text(shape: tuple[int, ...]) -> str:
    """The shape of a tensor as NumPy writes it: "(4, 3)", "(2,)"."""
    return str(tuple(int(length) for length in shape))


def nested(value: Any) -> str:
    """A tensor written out in compact numbers: "[[1, 0.5], [2, 3]]"."""
    if isinstance(value, np.ndarray) and value.ndim:
        return f"[{', '.join(nested(item) for item in value)}]"
    return compact(float(value))


def summary(value: np.ndarray) -> str:
    """A tensor too large for a line: its shape, smallest, largest and norm."""
    shape = shape_text(value.shape)
    if not value.size:
        return f"{shape} empty"
    broken = int(value.size - np.isfinite(value).sum())
    if broken:
        return f"{shape} {broken} of {value.size} not finite"
    with np.errstate(over="ignore"):
        norm = float(np.linalg.norm(value.ravel()))
    low, high = (short(float(value.min())), short(float(value.max())))
    return f"{shape} {low} … {high}, norm {short(norm)}"


def short(value: float) -> str:
    """A number to about four digits, for summaries."""
    text = compact(value)
    return text if len(text) <= 6 else f"{value:.4g}"


def apart(low: float, high: float, longest: int) -> tuple[str, str]:
    """Two numbers in short, with as many digits as tell one from the other if that is not too long.

    A tiny range of large numbers, as ``1e5`` to ``1e5``, would else be none.
    """
    texts = short(low), short(high)
    if float(texts[0]) == float(texts[1]):
        for digits in range(5, 18):
            longer = f"{low:.{digits}g}", f"{high:.{digits}g}"
            if longer[0] != longer[1]:
                return longer if max(map(len, longer)) <= longest else texts
    return texts


def value_text(value: Any, limit: int = INLINE_ELEMENTS) -> str:
    """A value inside a line: a compact number, a small tensor written out, a large one summed up.

    None, where there is no value yet, is the empty text.
    """
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, np.ndarray) and value.ndim:
        return nested(value) if value.size <= limit else summary(value)
    return compact(float(value))


def exact_text(value: Any, dtype: str = "float64") -> str:
    """A value to the last digit, tensors written out: what `print` shows."""
    if value is None:
        return "none"
    if isinstance(value, bool | str):
        return str(value)
    if isinstance(value, np.ndarray) and value.ndim:
        return f"[{', '.join(exact_text(item, dtype) for item in value)}]"
    return exact(float(value), dtype)


def count_text(count: int) -> str:
    """A whole number, however large: "12", "about 10**301"."""
    if count < LARGEST_INTEGER:
        return str(count)
    # str() refuses an int of more than 4300 digits, and math.log10 does not.
    return f"about 10**{math.log10(count):.0f}"


def not_finite(value: Any) -> bool:
    """Whether there is a number that is not finite; None has none."""
    if value is None or isinstance(value, str):
        return False
    if isinstance(value, np.ndarray):
        return not bool(np.isfinite(value).all())
    return not math.isfinite(value)


def large(value: Any) -> bool:
    """Whether a tensor is too large to be written out in a sentence."""
    return isinstance(value, np.ndarray) and value.size > WRITTEN


def amount(value: Any) -> str:
    """A number, a small tensor written out, or a large one's shape and norm."""
    if not large(value):
        return value_text(value)
    with np.errstate(over="ignore"):
        norm = float(np.linalg.norm(value.ravel()))
    return f"a tensor of shape {shape_text(value.shape)}, norm {short(norm)}"


def factor(value: Any) -> str:
    """As `amount`, in parentheses where it is negative."""
    text = amount(value)
    return f"({text})" if text.startswith("-") else text
