"""A user's mistakes as messages: the place, the fault, the choices."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from bpstep.engine.errors import BpstepError
from bpstep.render.sanitize import visible, visible_block
from bpstep.session.errors import CommandError

if TYPE_CHECKING:
    from pathlib import Path

    from bpstep.engine.errors import RunError

CHOICES_SHOWN = 12


def error_text(error: BpstepError, place: str = "") -> str:
    """The message of any mistake; `place` says where a command stands that does not know it."""
    where = f"{visible(place)}: " if place else ""
    if isinstance(error, CommandError):
        return _command(error) if error.source else f"{where}{_command(error)}"
    return f"{where}{visible_block(str(error))}"


def _command(error: CommandError) -> str:
    lines = [visible_block(str(error))]
    if error.line is not None:
        lines += _caret(error.line, error.start, error.end)
    if 0 < len(error.choices) <= CHOICES_SHOWN:
        lines.append(f"  choices: {visible(', '.join(error.choices))}")
    return "\n".join(lines)


def _caret(line: str, start: int | None, end: int | None) -> list[str]:
    """The line and, under the part at fault, carets."""
    shown = [f"    {visible(line)}"]
    if start is not None:
        width = max(1, len(visible(line[start:end])))
        shown.append(f"    {' ' * len(visible(line[:start]))}{'^' * width}")
    return shown


def unwritten(path: Path, error: OSError | ValueError) -> str:
    """Why a file could not be written: "cannot write a/b.md: there is no folder a"."""
    reason = (isinstance(error, OSError) and error.strerror) or str(error)
    if not os.path.isdir(path.parent):
        reason = f"there is no folder {path.parent}"
    elif os.path.isdir(path):
        reason = "it is a folder"
    return visible(f"cannot write {path}: {reason}")


def run_error_text(file: str, error: RunError) -> str:
    """How a run ended that its scenario does not expect to end so."""
    return f"{visible(file)}: the run ends in the error {error.code}: {visible(str(error))}"
