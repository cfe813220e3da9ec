"""The program: parses the call, loads, hands over."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from bpstep.cli.status import INTERRUPTED

STARTING = 200_000
"""Objects to be made before the first search for garbage: more than it takes to be there."""


def main(args: Sequence[str] | None = None) -> NoReturn:
    """Run the program and exit with its status; a mistake of ours ends in a traceback."""
    # Imports and graphs are no garbage: to look for it every 700 objects takes a tenth of the time.
    gc.set_threshold(STARTING)
    # Else pydantic asks every package that is installed whether it is a plugin: 15 ms or more.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "1")
    try:
        # Importing takes long enough to be interrupted as well.
        from bpstep.cli.calls import run

        status = run(args)
    except KeyboardInterrupt:
        status = INTERRUPTED
    sys.exit(status)
