"""A real terminal with the program in it: what it shows, and what is typed."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pexpect
import pyte
import pytest

REPOSITORY = Path(__file__).parents[2]
PATIENCE = 60
"""Seconds to wait for what must come at once: a machine may be busy."""


PROGRAM = (sys.executable, "-m", "bpstep")


class Terminal:
    """A terminal of a given size with the program in it: what it shows, and what is typed."""

    def __init__(self, *command: str, columns: int = 80, rows: int = 24, **variables: str) -> None:
        self.screen = pyte.Screen(columns, rows)
        self.stream = pyte.ByteStream(self.screen)
        self.received = b""
        environment = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
        self.program = pexpect.spawn(
            command[0],
            list(command[1:]),
            dimensions=(rows, columns),
            env={
                **environment,
                "TERM": "xterm-256color",
                "PYTHONPATH": str(REPOSITORY),
                **variables,
            },
            timeout=PATIENCE,
        )
        # Else every key waits 50 ms, for programs that ask for passwords.
        self.program.delaybeforesend = None

    def read(self) -> bool:
        """Take in what the program writes next; False at its end."""
        try:
            written = self.program.read_nonblocking(65536, timeout=PATIENCE)
        except pexpect.EOF:
            return False
        self.received += written
        # Textual asks for modes with sequences that pyte takes for text.
        self.stream.feed(written.replace(b"\x1b[>4;1m", b"").replace(b"\x1b[>1u", b""))
        return True

    @property
    def text(self) -> str:
        return "\n".join(line.rstrip() for line in self.screen.display)

    def wait_for(self, *wanted: str) -> None:
        """Read until all of this is on the screen."""
        self._read_until(lambda: all(text in self.text for text in wanted), f"showing {wanted}")

    def wait_while(self, shown: str) -> None:
        """Read until this is no longer on the screen."""
        self._read_until(lambda: shown not in self.text, f"taking away {shown!r}")

    def _read_until(self, done: Callable[[], bool], what: str) -> None:
        # A cursor that blinks is written for ever.
        end = time.monotonic() + PATIENCE
        while not done():
            if time.monotonic() > end or not self.read():
                pytest.fail(f"ended or stopped without {what}:\n{self.text}")

    def type(self, keys: str) -> None:
        self.program.send(keys)

    def ended(self) -> int | None:
        """Read to the end, and give the exit status."""
        while self.read():
            pass
        self.program.close()
        return self.program.exitstatus
