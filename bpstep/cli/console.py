"""The program's streams: where lines go and whether they are coloured."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from bpstep.engine.errors import BpstepError

if TYPE_CHECKING:
    from rich.console import Console

    from bpstep.render.writers import Line


def prepare_streams() -> None:
    """Make no stream a reason to fail.

    What an encoding lacks is written as an escape; a stream that the caller closed (`>&-`, where
    Python has None) leads nowhere.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            # It is open to the end of the process, as the stream that it stands for.
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def use_colour(stream: TextIO, environment: Mapping[str, str]) -> bool:
    """Whether to colour what goes to a stream.

    Only for a terminal, unless FORCE_COLOR asks for it; never where NO_COLOR forbids it. A variable
    counts if it is set and not empty.
    """
    if environment.get("NO_COLOR"):
        return False
    if environment.get("FORCE_COLOR"):
        return True
    return stream.isatty() and environment.get("TERM") != "dumb"


class Output:
    """Where results go: standard output, or a file that is opened with the first line.

    A file that exists is so not emptied by a call that has nothing to write to it.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._file: TextIO | None = None
        self._console: Console | None = None
        self._coloured = path is None and use_colour(sys.stdout, os.environ)

    def write(self, lines: Iterable[Line]) -> None:
        """Write lines, each as it comes; raises BpstepError where that is impossible.

        A closed pipe is a BrokenPipeError.
        """
        for line in lines:
            with self._reported():
                self._put(line)

    def _put(self, line: Line) -> None:
        if self._coloured and not isinstance(line, str):
            self._paint().print(line, soft_wrap=True, end="\n")
        else:
            self._stream().write(f"{line}\n")

    def close(self) -> None:
        """Have everything written out; raises as `write` does."""
        with self._reported():
            if self._file is not None:
                self._file.close()
            elif self._path is None:
                sys.stdout.flush()

    @contextmanager
    def _reported(self) -> Iterator[None]:
        """A full disk or a missing folder is the user's to mend."""
        try:
            yield
        except BrokenPipeError:
            raise
        except OSError as error:
            if self._path is None:
                silence_output()
            name = "standard output" if self._path is None else self._path
            raise BpstepError(f"cannot write {name}: {error.strerror}") from error

    def _stream(self) -> TextIO:
        if self._path is None:
            return sys.stdout
        if self._file is None:
            self._file = self._path.open(
                "w", encoding="utf-8", errors="backslashreplace", newline="\n"
            )
        return self._file

    def _paint(self) -> Console:
        if self._console is None:
            from rich.console import Console

            self._console = Console(
                file=sys.stdout, force_terminal=True, color_system="standard", highlight=False
            )
        return self._console


def complain(message: str) -> None:
    """A message on standard error, after the program's name and all results so far."""
    sys.stdout.flush()
    sys.stderr.write(f"bpstep: {message}\n")


def note(message: str) -> None:
    """What was done besides printing results, on standard error, after all results so far."""
    sys.stdout.flush()
    sys.stderr.write(f"{message}\n")


def silence_output() -> None:
    """Forget a closed pipe: what is still buffered goes nowhere, so that the exit is quiet."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
