"""What all tests share: property tests draw the same examples every time.

A landing must not depend on the luck of a draw. To search further, run
``HYPOTHESIS_PROFILE=explore pytest …``: it draws anew, and more.
"""

from __future__ import annotations

import gc
import os

from hypothesis import settings

settings.register_profile("same", derandomize=True, deadline=None)
settings.register_profile("explore", max_examples=1000, deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))


def pytest_collection_finish() -> None:
    """Searches for garbage leave out what has been imported, and are made less often."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 100)
