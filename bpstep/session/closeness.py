"""When a found number is the expected one: tolerances, nan and inf, shapes."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def close(expected: Any, found: Any, *, rel: float, abs_: float, dtype: str = "float64") -> bool:
    """Whether two values, as numbers, nested lists or arrays, are equal up to a tolerance.

    nan equals nan, and inf an inf of the same sign; shapes must be the same. The difference may be
    ``abs_`` or, if that is more, ``rel`` times the larger size. An expected number is rounded to
    ``dtype`` first, so that the shortest form of a float32 number is that number. None (nothing
    arrives) equals None.
    """
    if expected is None or found is None:
        return expected is None and found is None
    with np.errstate(all="ignore"):
        wanted = np.asarray(expected, dtype=dtype).astype(np.float64)
        got = np.asarray(found, dtype=np.float64)
        return wanted.shape == got.shape and bool(np.all(_near(wanted, got, rel, abs_)))


def _near(
    wanted: NDArray[np.float64], got: NDArray[np.float64], rel: float, abs_: float
) -> NDArray[np.bool_]:
    """Elementwise closeness."""
    allowed = np.maximum(abs_, rel * np.maximum(np.abs(wanted), np.abs(got)))
    finite = np.isfinite(wanted) & np.isfinite(got)
    same = (wanted == got) | (np.isnan(wanted) & np.isnan(got))
    near: NDArray[np.bool_] = same | (finite & (np.abs(wanted - got) <= allowed))
    return near
