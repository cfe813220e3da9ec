"""Whether two results are the same."""

from __future__ import annotations

from math import isnan

import numpy as np

from bpstep.engine.arithmetic import Value


def equal(a: Value | None, b: Value | None) -> bool:
    """The same shape and numbers, nan being equal to nan; None equals only None."""
    if a is None or b is None:
        return a is b
    if type(a) is float and type(b) is float:
        # Two floats the short way: there may be a hundred thousand.
        return a == b or (isnan(a) and isnan(b))
    return bool(np.array_equal(np.asarray(a), np.asarray(b), equal_nan=True))
