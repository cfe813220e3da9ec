"""The app in a browser: a server on this machine, for this machine."""

from __future__ import annotations

import errno
import shlex
import sys
from collections.abc import Sequence

from bpstep.cli.console import complain, note
from bpstep.cli.opening import any_missing
from bpstep.cli.status import FINE, WRONG
from bpstep.engine.errors import BpstepError

HOST = "127.0.0.1"
"""Whoever reaches the app can read and write the user's files with it: nobody else may."""

MISSING = """the app in a browser needs textual-serve, which is not installed
  install it with: pip install 'bpstep[serve]'"""

PATIENCE = 2.0
"""Seconds that open connections are given at the end."""


def serve_app(names: Sequence[str], commands: Sequence[str], port: int, ascii: bool) -> int:
    """Serve the app on scenarios, or on its library, until Ctrl+C, which is no failure."""
    if any_missing(names, commands):
        return WRONG
    try:
        import textual_serve  # noqa: F401
    except ImportError:
        complain(MISSING)
        return WRONG
    try:
        _serve(command(names, ascii), port)
    except OSError as error:
        raise BpstepError(_unbound(port, error)) from error
    return FINE


def command(names: Sequence[str], ascii: bool) -> str:
    """The call that a connection starts, in this Python, for the shell."""
    flags = ["--ascii"] if ascii else []
    return shlex.join([sys.executable, "-P", "-m", "bpstep", "open", *flags, "--", *names])


def _unbound(port: int, error: OSError) -> str:
    """What is said when there is no listening on a port."""
    if error.errno == errno.EADDRINUSE:
        return f"port {port} is in use: choose another with --port"
    if error.errno == errno.EACCES:
        return f"port {port} may not be used: choose one above 1023 with --port"
    return f"cannot listen on {HOST}:{port}: {error.strerror}"


def _serve(call: str, port: int) -> None:
    """Listen, and return when it is interrupted."""
    from aiohttp import web

    from bpstep.cli.served import LocalServer

    web.run_app(
        LocalServer(call, HOST, port, title="bpstep")._make_app(),
        host=HOST,
        port=port,
        shutdown_timeout=PATIENCE,
        print=lambda *_: note(f"bpstep is at http://{HOST}:{port} (Ctrl+C ends it)"),
    )
