"""Commands that change something, hold something against the run, or write it out."""

from __future__ import annotations

import os
import re
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from bpstep.engine.operation import finish
from bpstep.session import parsing
from bpstep.session.arguments import nothing, required
from bpstep.session.asserting import asserted
from bpstep.session.command import Call, Export, Outcome
from bpstep.session.defaults import EXPORTS
from bpstep.session.errors import CommandError
from bpstep.session.lists import nested
from bpstep.session.places import place
from bpstep.session.relocation import relocate
from bpstep.session.reports import Restarted, SetReport
from bpstep.session.scope import Scope

if TYPE_CHECKING:
    from bpstep.engine.arithmetic import Value
    from bpstep.session.session import Session

_ASSIGNMENT = re.compile(r"(?P<name>\w+)\s*(?P<index>\[[^\]]*\])?\s*=(?!=)\s*(?P<value>.+)")

_INDEX = re.compile(r"\[\s*-?\d+\s*(,\s*-?\d+\s*)*\]")


def set_(session: Session, call: Call) -> Outcome:
    """Change a leaf, run again, and stay at the same step."""
    assignment = _ASSIGNMENT.fullmatch(required(call, "a leaf and its value: set w = 2"))
    if assignment is None:
        raise CommandError("set is written: set NAME = EXPR", start=call.offset, end=len(call.line))
    name = _leaf(session, assignment, call)
    value = _assigned(session, name, assignment, call)
    after = session.with_leaves({name: value})
    moved = relocate(session.run, session.position, after.run)
    return Outcome(after, (_changed(session, after, name, moved.same),))


def _leaf(session: Session, assignment: re.Match[str], call: Call) -> str:
    name = assignment["name"]
    graph = session.view.graph
    start, end = call.offset + assignment.start("name"), call.offset + assignment.end("name")
    parsing.node_index(graph, name, start)
    if name not in session.scenario.leaf_values:
        raise CommandError(
            f"{name} is computed ({graph.expression(graph.find(name))}): only a leaf can be set",
            start=start,
            end=end,
            choices=tuple(session.scenario.leaf_values),
        )
    return name


def _assigned(session: Session, name: str, assignment: re.Match[str], call: Call) -> Value:
    offset = call.offset + assignment.start("value")
    scope = Scope(session.view, session.step_in_pass)
    end = call.offset + assignment.end("value")
    value = nested(assignment["value"], offset, partial(_number, scope))
    before = session.leaf_value(name)
    if assignment["index"]:
        return _with_element(before, assignment, value, call)
    if np.shape(value) not in ((), np.shape(before)):
        message = f"{name} has shape {np.shape(before)}, not {np.shape(value)}"
        raise CommandError(message, start=offset, end=end)
    return finish(np.broadcast_to(value, np.shape(before)), scope.view.graph.dtype)


def _number(scope: Scope, text: str, offset: int) -> Value:
    """The value of an expression; raises CommandError where it has none here."""
    value = parsing.value(parsing.expression(text, offset), scope, offset)
    if value is None or isinstance(value, str):
        message = f"{scope.missing or text} is not a number here"
        raise CommandError(message, start=offset, end=offset + len(text))
    return value


def _with_element(before: Value, assignment: re.Match[str], value: Value, call: Call) -> Value:
    """A tensor with one element changed; raises CommandError for a wrong index."""
    text, start = assignment["index"], call.offset + assignment.start("index")
    index = tuple(int(item) for item in re.findall(r"-?\d+", text))
    changed = np.array(before)
    try:
        if not _INDEX.fullmatch(text) or np.shape(changed[index]) != () or np.shape(value) != ():
            raise IndexError
        changed[index] = value
    except IndexError:
        raise CommandError(
            f"{text} is not one element of {assignment['name']}, whose shape is {changed.shape}",
            start=start,
            end=start + len(text),
        ) from None
    return changed


def _changed(session: Session, after: Session, name: str, same_step: bool) -> SetReport:
    loss = session.scenario.loss
    return SetReport(
        name=name,
        before=session.leaf_value(name),
        after=after.leaf_value(name),
        loss=loss,
        loss_before=session.run.value(loss),
        loss_after=after.run.value(loss),
        same_step=same_step,
        place=place(after),
    )


def restart(session: Session, call: Call) -> Outcome:
    """The scenario as it was loaded, at position 0."""
    nothing(call)
    session = session.restart()
    return Outcome(session, (Restarted(place(session)),))


def assert_(session: Session, call: Call) -> Outcome:
    """Hold a condition against the run."""
    text = required(call, "a condition, such as grad(p) == 16")
    return Outcome(session, (asserted(session, text, call.offset),))


def export(session: Session, call: Call) -> Outcome:
    """Ask the caller to write the transcript."""
    path = Path(os.path.expanduser(required(call, "a file to write")))
    if path.suffix.lower() not in EXPORTS:
        found = f"not {path.suffix!r}" if path.suffix else "and this name has none"
        raise CommandError(
            f"export writes what the ending says: {', '.join(EXPORTS)}; {found}",
            start=call.offset,
            end=len(call.line),
            choices=EXPORTS,
        )
    return Outcome(session, exports=(Export(path, session),))


def quit_(session: Session, call: Call) -> Outcome:
    """End."""
    nothing(call)
    return Outcome(session, quit=True)
