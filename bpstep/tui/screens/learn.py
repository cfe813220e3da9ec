"""The main screen for a learner: motions are held before a step that answers a question."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from textual.message import Message

from bpstep.render.asking import answer_text, mode_text, result_text
from bpstep.session.edges import index_of
from bpstep.session.predicting import Dealt, Lesson, Prediction
from bpstep.tui.runner import Result, carry_out
from bpstep.tui.screens.ask import AskScreen
from bpstep.tui.screens.debug import DebugScreen
from bpstep.tui.widgets.status_bar import StatusBar

if TYPE_CHECKING:
    from bpstep.session.session import Session
    from bpstep.tui.document import Document
    from bpstep.tui.scene import Scene


class LearnScreen(DebugScreen):
    """As the main screen, with the scenario's questions.

    A motion by a key ends at the step that answers a question, so that the answer is seen there; a
    typed line is carried out as it is once everything has been asked that it runs past.
    """

    @dataclass
    class Learned(Message):
        """Every question has been dealt with, for the first time."""

        path: str
        lesson: Lesson

    def __init__(self, document: Document, session: Session) -> None:
        super().__init__(document, session)
        self.lesson = Lesson.of(session)

    def on_mount(self) -> None:
        """Say that there will be questions, or that there are none."""
        self.show_mode()
        count = len(self.lesson.predictions)
        said = "This scenario asks nothing." if not count else ""
        self.tell(said or f"Step on: {count} question{'s' * (count > 1)} will be asked.")

    def move(self, text: str) -> None:
        """Carry out a motion, unless a question comes first; then go as far as its answer."""
        prediction = self.due(text)
        if prediction is None:
            super().move(text)
        else:
            self.ask(prediction, partial(self.go_on, prediction, text))

    def do(self, text: str, *, told: bool = True) -> Result:
        """Carry out a line, unless a question comes first."""
        prediction = self.due(text)
        if prediction is None:
            return super().do(text, told=told)
        self.ask(prediction, partial(self.choose, text))
        return Result(self.session)

    def due(self, text: str) -> Prediction | None:
        """The question that a line would run past; without one, nothing is done yet."""
        self.lesson = self.lesson.renewed(self.session)
        self.show_mode()
        if self.lesson.over or not self.lesson.predictions:
            return None
        ahead = carry_out(self.session, text, told=False).session
        if ahead.run is not self.session.run:
            return None
        return self.lesson.due(self.session, ahead.position)

    def ask(self, prediction: Prediction, then: Callable[[], None]) -> None:
        """Ask a question, the step before its answer in sight; then go on."""
        before, self.scene = self.shown, self.eve(prediction)
        number = self.lesson.predictions.index(prediction) + 1
        screen = AskScreen(prediction, self.session, number, len(self.lesson.predictions))
        self.app.push_screen(screen, partial(self.dealt, prediction, before, then))

    def eve(self, prediction: Prediction) -> Scene:
        """What is shown just before the step that answers a question: the node it is about."""
        eve = self.shown.moved(self.session.at(prediction.position - 1))
        node = index_of(eve.session.graph, prediction.question.at) if eve.session.graph else None
        return eve.following() if node is None else eve.choosing(node)

    def dealt(
        self, prediction: Prediction, before: Scene, then: Callable[[], None], dealt: Dealt | None
    ) -> None:
        """A question was answered or skipped."""
        if self.session.run is before.session.run:
            self.scene = before
        self.lesson = self.lesson.after(prediction, dealt or Dealt(0, skipped=True))
        self.show_mode()
        then()
        said = [f"The answer: {answer_text(prediction)}."] if dealt and dealt.skipped else []
        if self.lesson.over:
            said.append(result_text(self.lesson))
            self.post_message(self.Learned(self.document.path, self.lesson))
        if said and self.is_current:
            self.tell(" ".join(said))

    def go_on(self, prediction: Prediction, text: str) -> None:
        """Go on with a motion, no further than the step that answers the question."""
        ahead = carry_out(self.session, text, told=False).session.position
        steps = prediction.position - self.session.position
        self.move(text if ahead == prediction.position or steps < 1 else f"step {steps}")

    def show_mode(self) -> None:
        """How far the lesson is, in the status line."""
        self.query_one(StatusBar).mode = mode_text(self.lesson)
