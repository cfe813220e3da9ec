"""Reading a file, whatever it may be, in bounded time and memory."""

from __future__ import annotations

import codecs
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

from bpstep.scenario.problems import Problem, ScenarioError, whole_file
from bpstep.scenario.source import Source

MAX_BYTES = 2_000_000

_told: ContextVar[Callable[[str], object] | None] = ContextVar("told", default=None)


@contextmanager
def telling(told: Callable[[str], object]) -> Iterator[None]:
    """Within it, ``told`` is called with the name of each file just before it is read."""
    before = _told.set(told)
    try:
        yield
    finally:
        _told.reset(before)


def read_source(path: Path) -> Source:
    """A file's text. Raises ScenarioError where it is missing, too large, or not UTF-8 text."""
    name = str(path)
    told = _told.get()
    if told is not None:
        told(name)
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise whole_file(name, f"the file cannot be read: {reason}") from None
    return decoded(name, data)


def decoded(name: str, data: bytes) -> Source:
    """The text of a file's bytes. Raises ScenarioError where they are too many, or not UTF-8."""
    if len(data) > MAX_BYTES:
        raise whole_file(name, f"the file is larger than {MAX_BYTES} bytes")
    data = data.removeprefix(codecs.BOM_UTF8)
    try:
        return Source(name, data.decode("utf-8"))
    except UnicodeDecodeError as error:
        before = Source(name, data[: error.start].decode("utf-8"))
        line, column = before.position(len(before.text))
        message = f"the byte 0x{data[error.start]:02X} is no UTF-8 text"
        problem = Problem(name, line, column, message, before.line(line), "a text file in UTF-8")
        raise ScenarioError([problem]) from None
