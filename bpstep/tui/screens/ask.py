"""A question to the learner, over the screen that it is about."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.widgets import Input, Static

from bpstep.render import lines as ui
from bpstep.render.asking import hint_line, judgement_lines
from bpstep.render.errors import error_text
from bpstep.render.lines import line
from bpstep.session.errors import CommandError
from bpstep.session.predicting import Dealt, Prediction, judge
from bpstep.session.session import Session
from bpstep.tui.keys import ANSWER_KEYS, ASK_KEYS, HINT, bindings
from bpstep.tui.screens.once import OnceOver
from bpstep.tui.widgets.key_bar import KeyBar

GO_ON = line(("Enter goes on.", ui.FAINT))


class Answer(Input):
    """The line in which the answer is typed."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings(ANSWER_KEYS)]

    def check_consume_key(self, key: str, character: str | None) -> bool:
        """Every character is text but the key for the hint."""
        return key not in HINT.keys and super().check_consume_key(key, character)


class AskScreen(OnceOver[Dealt]):
    """Asks until the answer is right or the question is skipped; ends with how that went."""

    AUTO_FOCUS = "Answer"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(ASK_KEYS)]

    DEFAULT_CSS = """
    AskScreen { align: center bottom; }
    AskScreen #ask {
        height: auto; max-height: 100%; width: 100%; max-width: 100;
        border: heavy $accent; border-title-color: $accent; border-title-style: bold;
        background: $surface; padding: 0 1;
    }
    AskScreen #question, AskScreen #said {
        height: auto; max-height: 30vh; scrollbar-size-vertical: 1;
    }
    AskScreen #said { max-height: 40vh; }
    AskScreen VerticalScroll Static { height: auto; }
    AskScreen #line { height: 1; }
    AskScreen #line Static { width: 2; text-style: bold; color: $accent; }
    AskScreen Answer { border: none; height: 1; padding: 0; width: 1fr; background: $panel; }
    """

    def __init__(self, prediction: Prediction, session: Session, number: int, of: int) -> None:
        super().__init__()
        self.prediction = prediction
        self.session = session
        self.place = f"question {number} of {of}, at {prediction.question.at}"
        self.wrong = 0
        self.answered = False
        self.judged: tuple[Text, ...] = ()
        self.hint: tuple[Text, ...] = ()

    def compose(self) -> ComposeResult:
        """The question, a line for the answer, and room for what is said to it."""
        with Vertical(id="ask") as box:
            box.border_title = line(self.place)
            with VerticalScroll(id="question", can_focus=False):
                yield Static(line(self.prediction.question.ask), markup=False)
            with Horizontal(id="line"):
                yield Static(">", markup=False)
                yield Answer(placeholder="a number, 1/3, [1, 2], none", compact=True)
            with VerticalScroll(id="said", can_focus=False):
                yield Static(markup=False)
        yield KeyBar()

    @on(Input.Submitted)
    def submitted(self, event: Input.Submitted) -> None:
        """Judge an answer; after the right one, go on."""
        event.stop()
        if self.answered:
            self.dismiss(Dealt(self.wrong))
            return
        try:
            judgement = judge(self.prediction, event.value, self.session)
        except CommandError as error:
            self.say([line((error_text(error), ui.BAD))])
            return
        self.answered = judgement.right
        self.wrong += not judgement.right
        if not judgement.right:
            # What is typed next replaces it.
            event.input.select_all()
        said = judgement_lines(judgement, self.prediction, event.value)
        self.say([*said, GO_ON] if self.answered else said)

    def say(self, lines: Iterable[Text]) -> None:
        """What is said to the answer, in place of what was said before; a hint stays."""
        self.judged = tuple(lines)
        self.query_one("#said Static", Static).update(Text("\n").join([*self.hint, *self.judged]))

    def action_hint(self) -> None:
        """Give the hint."""
        self.hint = (hint_line(self.prediction),)
        self.say(self.judged)

    def action_skip(self) -> None:
        """Go on without the right answer."""
        self.dismiss(Dealt(self.wrong, skipped=not self.answered))
