"""Which typed commands may take long, and so are carried out in a thread."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bpstep.analysis.effort import tape_size
from bpstep.session.commands import find_command, parse_call
from bpstep.session.errors import CommandError
from bpstep.session.script import commands_in
from bpstep.session.session import Session

SLOW = frozenset(("check", "flow", "update", "paths", "why"))
"""What takes its time on a large tape. None of them moves the session or changes anything."""

UNKNOWN = frozenset(("compare",))
"""What takes nobody knows how long: another scenario is read."""

LARGE = 2000
"""So many numbers make a tape large."""


@dataclass(frozen=True)
class Part:
    """Commands of a line that are carried out together; a slow part is one command."""

    text: str
    slow: bool = False


def parts_of(session: Session, line: str) -> Sequence[Part]:
    """A line as parts that are carried out one after the other; without slow ones it is one."""
    parts = [Part(text, _may_be_slow(session, text)) for text in commands_in(line)]
    return parts if any(part.slow for part in parts) else [Part(line)]


def _may_be_slow(session: Session, text: str) -> bool:
    try:
        name = find_command(parse_call(text).name).name
    except CommandError:
        return False
    return name in UNKNOWN or (name in SLOW and _is_large(session))


def _is_large(session: Session) -> bool:
    pass_ = session.pass_
    return pass_ is not None and tape_size(pass_.graph, pass_.ledger.output) > LARGE
