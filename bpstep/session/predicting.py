"""Questions to a learner: when each is asked, whether the answer is right, and what went wrong."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from bpstep.session.answers import parse_answer, right_answer
from bpstep.session.closeness import close
from bpstep.session.edges import index_of
from bpstep.session.misconceptions import Misconception, Situation, matching

if TYPE_CHECKING:
    from bpstep.engine.program import Pass, Run
    from bpstep.scenario.model import Question
    from bpstep.session.session import Session
    from bpstep.session.subject import Subject


@dataclass(frozen=True, eq=False)
class Prediction:
    """A question, and the step that answers it, counted through all passes.

    ``answer`` is the right one: a number, an array, None (nothing arrives), or a text. ``at`` is
    where it is answered, None in a run without passes or without that node.
    """

    question: Question
    answer: Any
    position: int
    at: Situation | None

    @property
    def key(self) -> tuple[str, str]:
        """What tells it from the others of its scenario."""
        return self.question.at, self.question.ask

    @property
    def of_gradient(self) -> bool:
        """Whether the answer is the node's gradient, and not, say, its value after an update."""
        return self.at is not None and _same(self.at.scenario, self.answer, self.at.gradient)


@dataclass(frozen=True)
class Judgement:
    """What is to be said to an answer; ``named`` are the misconceptions that lead to it."""

    right: bool
    named: tuple[Misconception, ...] = ()


def predictions(scenario: Subject, run: Run) -> tuple[Prediction, ...]:
    """The questions of a scenario in the order in which a run answers them, else in file order."""
    placed = (_placed(question, scenario, run) for question in scenario.predict)
    return tuple(sorted(placed, key=lambda prediction: prediction.position))


def _placed(question: Question, scenario: Subject, run: Run) -> Prediction:
    """A question at the last step that brings the answer about.

    That is where the node is complete with that gradient, in the last such pass; for a question
    about something else, where it is complete last; for a node that nothing arrives at, the end.
    """
    found = list(_arrivals(question.at, run))
    answer = right_answer(question.answer)
    fitting = [
        (pass_, node, step)
        for pass_, node, step in found
        if step is not None and _same(scenario, answer, pass_.ledger.at(step).grad(node))
    ]
    arrived = [each for each in found if each[2] is not None]
    chosen = next(reversed(fitting or arrived or found), None)
    if chosen is None:
        return Prediction(question, answer, run.steps, None)
    pass_, node, step = chosen
    at = Situation(scenario, run, pass_, node)
    return Prediction(question, answer, run.steps if step is None else pass_.first + step, at)


def _arrivals(name: str, run: Run) -> Iterator[tuple[Pass, int, int | None]]:
    """In each pass that knows a node, the step at which the last of it arrives."""
    for pass_ in run.passes:
        node = index_of(pass_.graph, name)
        if node is not None:
            steps = pass_.ledger.steps_of(node)
            yield pass_, node, steps[-1] if steps else None


def _same(scenario: Subject, expected: Any, found: Any) -> bool:
    tolerance = scenario.tolerance
    return not isinstance(expected, str) and close(
        expected, found, rel=tolerance.rel, abs_=tolerance.abs, dtype=scenario.dtype
    )


def judge(prediction: Prediction, text: str, session: Session) -> Judgement:
    """Whether an answer is right within the scenario's tolerance; if not, what it comes from.

    It is given at the session's position; raises CommandError where it cannot be read.
    """
    answer, at = prediction.answer, prediction.at
    if isinstance(answer, str):
        return Judgement(right=_plain(text) == _plain(answer))
    given = parse_answer(text, session)
    if given.means(answer, session.scenario.tolerance, session.scenario.dtype):
        return Judgement(right=True)
    named = () if at is None else matching(given, answer, at, prediction.of_gradient)
    return Judgement(right=False, named=tuple(named))


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


@dataclass(frozen=True)
class Dealt:
    """How a question was dealt with: wrong tries before the right one, or before it was skipped."""

    wrong: int
    skipped: bool = False


@dataclass(frozen=True, eq=False)
class Lesson:
    """The questions of a scenario, and how those were dealt with that were asked so far."""

    subject: Subject
    predictions: tuple[Prediction, ...]
    dealt: Mapping[tuple[str, str], Dealt] = field(default_factory=dict)

    @classmethod
    def of(cls, session: Session) -> Lesson:
        """The questions of what a session debugs, for its run."""
        return cls(session.scenario, predictions(session.scenario, session.run))

    def renewed(self, session: Session) -> Lesson:
        """The same after a reload, where the scenario is another: old questions stay dealt with."""
        if session.scenario is self.subject:
            return self
        return replace(Lesson.of(session), dealt=self.dealt)

    def due(self, session: Session, position: int) -> Prediction | None:
        """The first question that a motion to ``position`` would run past.

        With leaves changed the answers are no longer those of the file, and nothing is asked.
        """
        if session.changes:
            return None
        for prediction in self.predictions:
            ahead = session.position < prediction.position <= position
            if ahead and prediction.key not in self.dealt:
                return prediction
        return None

    def after(self, prediction: Prediction, dealt: Dealt) -> Lesson:
        """With a question answered rightly or skipped."""
        return replace(self, dealt={**self.dealt, prediction.key: dealt})

    @property
    def asked(self) -> tuple[Dealt, ...]:
        """How the questions were dealt with, those that were."""
        return tuple(self.dealt[each.key] for each in self.predictions if each.key in self.dealt)

    @property
    def right(self) -> int:
        """How many were answered rightly at the first try."""
        return sum(dealt == Dealt(wrong=0) for dealt in self.asked)

    @property
    def skipped(self) -> int:
        """How many were left unanswered."""
        return sum(dealt.skipped for dealt in self.asked)

    @property
    def over(self) -> bool:
        """Whether there were questions, and every one has been dealt with."""
        return 0 < len(self.asked) == len(self.predictions)
