"""The one error of the command language: a mistake in a command, with its place and choices."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from bpstep.engine.errors import BpstepError, did_you_mean

if TYPE_CHECKING:
    from bpstep.session.command import Outcome


class CommandError(BpstepError):
    """A command that cannot be carried out; the session is as it was before it.

    ``line`` is the command as typed and ``start``/``end`` the faulty part of it (offsets, for a
    caret), None where no part is to blame. ``choices`` are what could have been meant.
    ``source`` and ``source_line`` name the script and the line in it that the command stands on.
    ``done`` is the outcome of the commands of that script that were carried out before.
    """

    code = "command"

    def __init__(
        self,
        message: str,
        *,
        start: int | None = None,
        end: int | None = None,
        choices: Iterable[str] = (),
        code: str | None = None,
    ) -> None:
        super().__init__(message, code)
        self.message = message
        self.line: str | None = None
        self.start = start
        self.end = end
        self.choices = tuple(choices)
        self.source: str | None = None
        self.source_line: int | None = None
        self.done: Outcome | None = None

    def __str__(self) -> str:
        place = "" if self.source is None else f"{self.source}:{self.source_line}: "
        return place + self.message


LISTS = {"node": "list", "command": "help"}
"""The commands that show all names of a kind."""


def hint(word: str, known: Iterable[str], lister: str) -> str:
    """A near name to append to a message; without one, the command that shows all there are."""
    return did_you_mean(word, known) or (f"; {lister} shows all" if lister else "")


def unknown(
    what: str, word: str, choices: Iterable[str], start: int | None = None, end: int | None = None
) -> CommandError:
    """An error for a name that does not exist: ``no node is called 'pp'; did you mean 'p'?``."""
    known = tuple(choices)
    message = f"no {what} is called {word!r}{hint(word, known, LISTS.get(what, ''))}"
    return CommandError(message, choices=known, start=start, end=end)
