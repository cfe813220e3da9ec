"""The program: parses the call, loads, hands over."""

from __future__ import annotations

import gc
import sys
from collections.abc import Sequence
from typing import NoReturn

from bpstep.cli.status import INTERRUPTED


def main(args: Sequence[str] | None = None) -> NoReturn:
    """Run the program and exit with its status; a mistake of ours ends in a traceback."""
    # Imports and graphs are no garbage: looking for it every 700 objects takes a tenth of the time.
    gc.set_threshold(50_000)
    try:
        # Importing takes long enough to be interrupted as well.
        from bpstep.cli.calls import run

        status = run(args)
    except KeyboardInterrupt:
        status = INTERRUPTED
    sys.exit(status)
