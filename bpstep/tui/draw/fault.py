"""What is wrong with a file that was read again, in a few lines and in a few columns."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from rich.text import Text

from bpstep.render import lines as ui
from bpstep.render.errors import error_text
from bpstep.render.lines import line
from bpstep.render.sanitize import visible
from bpstep.scenario import ScenarioError
from bpstep.tui.document import problems_of

if TYPE_CHECKING:
    from bpstep.engine.errors import BpstepError

MOST = 6
"""So many lines of the first problem are shown: place, line, caret, what is expected."""


def place_at_fault(fault: BpstepError, file: str) -> str:
    """The first place at fault: ``full.yaml:12``; without a place the file."""
    problems = problems_of(fault)
    if not problems:
        return file
    first = problems[0]
    name = visible(os.path.basename(first.file)) or file
    return f"{name}:{first.line}" if first.line else name


def fault_lines(fault: BpstepError, file: str) -> Iterator[Text]:
    """That the last good run is shown, and the first problem with its place and a caret."""
    head = f"{ui.NOT_FINITE} {file} is wrong now: the last good run is shown"
    problems = problems_of(fault)
    if len(problems) > 1:
        head += f"; the first of {len(problems)} problems:"
    yield line((head, ui.BAD))
    said = _first(fault).splitlines()
    yield from (line(text) for text in said[:MOST])


def _first(fault: BpstepError) -> str:
    """The first problem; its file without the folder, which would push the message out of sight."""
    problems = problems_of(fault)
    if not problems:
        return error_text(fault)
    named = replace(problems[0], file=os.path.basename(problems[0].file))
    return error_text(ScenarioError([named]))
