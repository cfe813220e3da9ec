"""Carries out a command line for a screen: the new session, and what there is to say about it.

What words a report is imported when there is one: the first screen should not wait for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.text import Text

from bpstep.render import lines as ui
from bpstep.render.errors import error_text
from bpstep.render.lines import line, unwrapped
from bpstep.session.commands import execute
from bpstep.session.errors import CommandError
from bpstep.tui.exporting import save

if TYPE_CHECKING:
    from pathlib import Path

    from bpstep.session.command import Export, Outcome
    from bpstep.session.session import Session


@dataclass(frozen=True, eq=False)
class Result:
    """What a line did.

    ``lines`` are its reports in words, after the line itself. ``quiet`` says that all of it is
    seen on the screen anyway, as a motion is. ``fault`` is the message where the line, or the part
    of it that is left, could not be carried out.
    """

    session: Session
    lines: tuple[Text, ...] = ()
    quiet: bool = True
    quit: bool = False
    fault: str | None = None


def carry_out(session: Session, text: str, told: bool = True) -> Result:
    """Carry out a line; what was done before a mistake in it stays done.

    Of a line that is not to be ``told`` of (a key's, whose effect is seen) there are no words.
    """
    try:
        outcome = execute(session, text)
        return _told(text, outcome) if told else Result(outcome.session)
    except CommandError as error:
        return _faulty(session, text, error)


def _faulty(session: Session, text: str, error: CommandError) -> Result:
    if error.done is None:
        return Result(session, fault=error_text(error))
    done = _told(text, error.done)
    # The line alone would look like a command that has nothing to say.
    said = done.lines if len(done.lines) > 1 else ()
    return Result(done.session, said, done.quiet, done.quit, error_text(error))


def _told(text: str, outcome: Outcome) -> Result:
    from bpstep.session.reports import Stop

    faults = [_written(export) for export in outcome.exports]
    said = tuple(unwrapped(_lines(text, outcome, faults)))
    quiet = not faults and all(isinstance(one, Stop) for one in outcome.reports)
    fault = next((fault for fault in faults if fault), None)
    return Result(outcome.session, said, quiet, outcome.quit, fault)


def _written(export: Export) -> str | None:
    """Write a file that was asked for; the message where that is impossible."""
    from bpstep.render.export import exported

    return save(export.path, exported(export.session, export.path.suffix))


def _lines(text: str, outcome: Outcome, faults: Sequence[str | None]) -> Iterator[Text]:
    from bpstep.render.reports import report_lines

    yield line((f"> {text}", ui.HEADING))
    for report in outcome.reports:
        yield from report_lines(report, outcome.session.scenario.dtype)
    for export, fault in zip(outcome.exports, faults, strict=True):
        if fault is None:
            yield line(f"wrote {export.path}", *_folder(export.path))


def _folder(path: Path) -> Iterator[str]:
    """Where a file is that was named without its whole path."""
    if not path.is_absolute():
        yield f" in {path.absolute().parent}"
