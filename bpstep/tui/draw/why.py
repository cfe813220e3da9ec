"""Why a step is as it is: the sentence for it, what follows, the note, the watches, the program."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rich.text import Text

from bpstep.engine.program import Backward, Forward
from bpstep.render import lines as ui
from bpstep.render.explain import explain_at, upcoming
from bpstep.render.lines import Cell, line
from bpstep.render.moments import end_text
from bpstep.render.numbers import value_text
from bpstep.session.places import place
from bpstep.session.watching import watched
from bpstep.tui.draw.reason import reason_lines
from bpstep.tui.draw.status import LAST

if TYPE_CHECKING:
    from bpstep.engine.program import Pass, Run
    from bpstep.session.session import Session
    from bpstep.session.standing import Watched

SHOWN_STATEMENTS = 12


def why_lines(session: Session, selected: int | None = None) -> Iterator[Text]:
    """Paragraphs, not yet wrapped, with empty lines between them.

    Of the selected node there is more where its gradient is zero or not finite.
    """
    run, position = session.run, session.position
    yield _explained(explain_at(run, position), session.contribution is not None)
    if position:
        yield from _apart(line((upcoming(run, position), ui.FAINT)))
    where = place(session)
    if where.after is not None:
        said = f"{LAST} The {end_text(where)}: values and leaves are as it left them."
        yield from _apart(line((said, ui.OPEN)))
    error = where.error
    if error is not None:
        head = (f"{ui.NOT_FINITE} The run ends in the error {error.code}: ", ui.BAD)
        yield from _apart(line(head, str(error)))
    for hit in session.hits():
        yield from _apart(line((f"{ui.BREAKPOINT} breakpoint {hit.number}: {hit.text}", ui.KINK)))
    for number, reason in enumerate(reason_lines(session, selected)):
        yield from _apart(reason) if number == 0 else (reason,)
    yield from _note(session)
    for number, found in enumerate(watched(session)):
        yield from _apart(_watch(found)) if number == 0 else (_watch(found),)
    yield from _program(run, session.pass_)


def _apart(text: Text) -> Iterator[Text]:
    yield Text()
    yield text


def _explained(sentence: str, contributed: bool) -> Text:
    """The sentence; of a contribution its subject, the consumer's equation, in bold."""
    subject, colon, rest = sentence.partition(": ") if contributed else ("", "", sentence)
    return line((subject, ui.HEADING), colon + rest)


def _note(session: Session) -> Iterator[Text]:
    if session.receiver is None or session.graph is None or not session.position:
        return
    note = session.scenario.notes.get(session.graph.label(session.receiver))
    if note is not None:
        yield from _apart(line(("note ", "bold cyan"), note))


def _watch(found: Watched) -> Text:
    value = "no value yet" if found.printed.value is None else value_text(found.printed.value)
    shown = (value, ui.FAINT if found.printed.value is None else ui.NUMBER)
    return line(
        (f"watch {found.number} ", "bold cyan"),
        f"{found.printed.text} = ",
        shown if found.fault is None else (found.fault, ui.BAD),
    )


def _program(run: Run, pass_: Pass | None) -> Iterator[Text]:
    """The program with the statement that is being run marked, unless it is the usual one."""
    kinds = tuple(type(each.statement) for each in run.statements)
    if kinds == (Forward, Backward) or pass_ is None:
        return
    here = next((i for i, each in enumerate(run.statements) if each.pass_ is pass_), 0)
    first = max(0, here - SHOWN_STATEMENTS // 2)
    cells: list[Cell] = [("program ", "bold cyan")]
    cells += ["… · "] if first else []
    for number, each in enumerate(run.statements[first : first + SHOWN_STATEMENTS], start=first):
        cells += [" · "] if number > first else []
        cells.append(
            (f"{ui.HERE} {each.text}", ui.OPEN) if number == here else (each.text, ui.FAINT)
        )
    cells += [" · …"] if first + SHOWN_STATEMENTS < len(run.statements) else []
    yield from _apart(line(*cells))
