"""Small JSON files that outlive the program: read without trust, written all or nothing.

A file that cannot be read for what it is said to be is never written over: it is put beside first.
Keys that are not ours are kept, those that another running program wrote meanwhile as well.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any

Content = Mapping[str, Any]


class StoreError(Exception):
    """A file that cannot be read or written; the message says which and why."""


def read(path: Path) -> Content:
    """What a file holds, nothing where there is none; raises StoreError where it is broken."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise StoreError(f"cannot read {path}: {error.strerror}") from None
    except (ValueError, RecursionError):
        raise StoreError(f"cannot read {path}: it is not JSON") from None
    if not isinstance(content, dict):
        raise StoreError(f"cannot read {path}: it holds no object")
    return content


def change(path: Path, changed: Callable[[Content], Content]) -> None:
    """Read a file again, change what it holds and write it; raises StoreError where impossible.

    A broken file is kept beside, its name ending in ``.broken``.
    """
    if not path.is_absolute():
        raise StoreError(f"cannot write {path}: there is no home folder")
    # A link, as people have who keep their settings under version control, stays one.
    path = Path(os.path.realpath(path))
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _write(path, json.dumps(changed(_mended(path)), indent=2) + "\n")
    except (OSError, UnicodeError) as error:
        said = error.strerror if isinstance(error, OSError) else error
        raise StoreError(f"cannot write {path}: {said}") from None


def _mended(path: Path) -> Content:
    try:
        return read(path)
    except StoreError:
        os.replace(path, _beside(path))
        return {}


def _beside(path: Path) -> Path:
    """A name for a broken file that no earlier one has."""
    names = (path.with_name(f"{path.name}.broken{number or ''}") for number in count())
    return next(name for name in names if not os.path.lexists(name))


def _write(path: Path, text: str) -> None:
    """Write beside the file and put that in its place: nobody ever finds half of it."""
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        os.replace(name, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(name)
        raise
