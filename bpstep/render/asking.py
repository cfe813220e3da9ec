"""What is said to a learner: to an answer, for a hint, and how it went in the end."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rich.text import Text

from bpstep.render import lines as ui
from bpstep.render.lines import cut, line
from bpstep.render.numbers import exact_text

if TYPE_CHECKING:
    from bpstep.session.predicting import Judgement, Lesson, Prediction

LONGEST_ANSWER = 24
MOST_SENDERS = 6
READINGS = 2
"""So many misconceptions are named where an answer could come from several."""


def judgement_lines(judgement: Judgement, prediction: Prediction, given: str) -> Iterator[Text]:
    """Right or not; if not, what it may come from, each reading on a line. Not wrapped."""
    answer = cut(given.strip(), LONGEST_ANSWER)
    if judgement.right:
        yield line(("✓ ", ui.GOOD), (answer, ui.HEADING), " is right.")
        return
    yield line(("✗ ", ui.BAD), (answer, ui.HEADING), " is not it.")
    for number, found in enumerate(judgement.named[:READINGS]):
        said = found.says.format(
            given=answer, node=prediction.question.at, fault=_fault(prediction)
        )
        name = found.name if number else found.name[:1].upper() + found.name[1:]
        yield line(("or: " if number else "", ui.FAINT), (f"{name}. ", ui.OPEN), said)


def _fault(prediction: Prediction) -> str:
    fault = prediction.at.ledger.fault if prediction.at is not None else None
    return "" if fault is None else fault.kind


def hint_line(prediction: Prediction) -> Text:
    """The hint of the file; without one, from where the gradient comes."""
    return line(("hint ", ui.NUMBER), prediction.question.hint or _from_where(prediction))


def _from_where(prediction: Prediction) -> str:
    name = prediction.question.at
    sent = prediction.at.sent if prediction.at is not None else ()
    if not sent:
        return f"Does anything arrive at {name}?"
    listed = [f"{each.source} = {_expression(prediction, each.source_id)}" for each in sent]
    more = f" and {len(sent) - MOST_SENDERS} more" if len(sent) > MOST_SENDERS else ""
    return f"{name} receives from {', '.join(listed[:MOST_SENDERS])}{more}."


def _expression(prediction: Prediction, node: int) -> str:
    assert prediction.at is not None, "something is sent in a pass"
    return prediction.at.pass_.graph.expression(node)


def answer_text(prediction: Prediction) -> str:
    """The right answer."""
    return exact_text(prediction.answer)


def mode_text(lesson: Lesson) -> str:
    """For the status line: how far a lesson is."""
    if not lesson.predictions:
        return "learn: no questions"
    if lesson.over:
        return f"{lesson.right} of {len(lesson.predictions)} right at once"
    return f"question {len(lesson.asked) + 1} of {len(lesson.predictions)}"


def result_text(lesson: Lesson) -> str:
    """How it went, once every question has been dealt with."""
    of = len(lesson.predictions)
    said = f"{lesson.right} of {of} right at the first try"
    return f"{said}, {lesson.skipped} skipped." if lesson.skipped else f"{said}."
