"""The help: keys, signs, commands, each from the table that declares it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from rich.text import Text

from bpstep.render import lines as ui
from bpstep.render.lines import columns, line
from bpstep.session.commands import COMMANDS

if TYPE_CHECKING:
    from bpstep.tui.keys import Key

SIGNS = (
    (ui.COMPLETE, "complete: everything has arrived"),
    (ui.PARTIAL, "some contributions have arrived"),
    (ui.NOTHING, "none has arrived"),
    (ui.UNRECORDED, "nothing is recorded (a constant, or frozen)"),
    (ui.CUT, "cut by a detach"),
    (ui.AT_KINK, "at a point without a derivative: a convention was used"),
    (ui.NOT_FINITE, "not finite"),
    (ui.HERE, "where we are"),
    ("›", "the selected node"),
    (ui.BREAKPOINT, "a breakpoint"),
)

COUNTS = "Digits before a key marked # are a count: 5j is five times j"
PALETTE = "Ctrl+P, or a click on ^P at the bottom, finds what can be done here by its words."


def help_lines(keys: Sequence[Key]) -> Iterator[Text]:
    """All of it."""
    told = iter(columns([_key(key) for key in keys]))
    for group, members in groupby(keys, key=lambda key: key.group):
        yield line((group, "bold cyan"))
        yield from (next(told) for _ in members)
        yield Text()
    if any(key.counted for key in keys):
        moving = any(key.action == "end" for key in keys)
        yield line(COUNTS, ", 5s five steps; 12G goes to step 12." if moving else ".")
    yield line(PALETTE)
    yield Text()
    yield line(("Signs", "bold cyan"))
    yield from columns([[(sign, ui.HEADING), says] for sign, says in SIGNS])
    yield Text()
    yield line(("Commands", "bold cyan"), ", after : (help COMMAND says more)")
    yield from columns([[(command.usage[0], ui.HEADING), command.summary] for command in COMMANDS])


def _key(key: Key) -> list[tuple[str, str]]:
    return [
        ("  ".join(key.shown), ui.HEADING),
        ("#" if key.counted else "", ui.FAINT),
        (key.says, ""),
    ]
