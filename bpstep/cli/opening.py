"""Opens the app: finds the scenarios, and makes sure of a terminal before anything is drawn."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from bpstep.cli.console import complain
from bpstep.cli.loading import STDIN, load
from bpstep.cli.status import WRONG
from bpstep.engine.errors import BpstepError, nearest
from bpstep.render.errors import error_text
from bpstep.render.sanitize import visible
from bpstep.scenario import ScenarioError, find_scenario

TERMINAL = "/dev/tty"


def open_on(
    names: Sequence[str], commands: Sequence[str], ascii: bool = False, learning: bool = False
) -> int:
    """Open the app on scenarios, or on its library; `commands` could have been meant instead."""
    if any_missing(names, commands):
        return WRONG
    lacking = _lacking(names)
    if lacking is not None:
        call = " ".join(["bpstep replay", *(names or ["FILE"])])
        complain(f"the app needs a terminal{lacking}, use: {visible(call)}")
        return WRONG
    return _open(names, ascii, learning)


def any_missing(names: Sequence[str], commands: Sequence[str]) -> bool:
    """Whether there are names that are neither a file nor a scenario; each is complained about."""
    missing = [said for name in names if (said := _missing(name, commands))]
    for message in missing:
        complain(message)
    return bool(missing)


def _missing(name: str, commands: Sequence[str]) -> str | None:
    """What is said about a name that is neither a file nor a scenario."""
    if name == STDIN:
        return None
    try:
        find_scenario(name)
    except ScenarioError as error:
        command = nearest(name, commands)
        hint = f"\n  did you mean the command: {command}" if command else ""
        return error_text(error) + hint
    return None


def _lacking(names: Sequence[str]) -> str | None:
    """What the app cannot do without and has not; None where it can be opened."""
    from bpstep.tui import can_draw

    if not _has_terminal(names):
        return "; without one"
    if not can_draw():
        return " on which it can draw, and TERM=dumb says that this one takes lines only; for these"
    return None


def _has_terminal(names: Sequence[str]) -> bool:
    """Keys come from standard input, or, where that is a scenario, from the terminal itself.

    In a browser both are a connection.
    """
    from bpstep.tui import in_browser

    if in_browser():
        return STDIN not in names
    keys = os.path.exists(TERMINAL) if STDIN in names else sys.stdin.isatty()
    return keys and sys.stdout.isatty()


def _open(names: Sequence[str], ascii: bool, learning: bool) -> int:
    """Hand over to the app, which loads files itself and shows the mistakes in them."""
    from bpstep.tui import run_app

    try:
        sources = [load(name) if name == STDIN else name for name in names]
    except BpstepError as error:
        complain(error_text(error))
        return WRONG
    if STDIN in names and not _take_terminal():
        complain(f"cannot read keys from the terminal ({TERMINAL})")
        return WRONG
    return run_app(sources, ascii, learning)


def _take_terminal() -> bool:
    """Make the terminal standard input, once the scenario has been read from it."""
    try:
        terminal = os.open(TERMINAL, os.O_RDONLY)
    except OSError:
        return False
    os.dup2(terminal, sys.stdin.fileno())
    os.close(terminal)
    return True
