"""Writing what there is to a file: what, under which name, and what became of it."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import Screen
from textual.widgets import Button, Input, Static
from textual.worker import Worker, WorkerState, get_current_worker

from bpstep.engine.errors import BpstepError
from bpstep.render import lines as ui
from bpstep.render.errors import error_text
from bpstep.render.lines import line
from bpstep.render.sanitize import visible
from bpstep.session.session import Session
from bpstep.tui.exporting import CHOICES, Shot, choice_of, free_name, save, with_ending
from bpstep.tui.keys import EXPORT_KEYS, WRITE_KEYS, bindings
from bpstep.tui.screens.once import OnceOver
from bpstep.tui.widgets.choice_list import ChoiceList
from bpstep.tui.widgets.key_bar import KeyBar

WRITING = "writing"
"""The group of the worker that writes."""


class FileName(Input):
    """The line for the file's name."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings(WRITE_KEYS)]


class ExportScreen(OnceOver[Path | None]):
    """Ends with the file that was written, or None. A mistake is said here, and can be mended."""

    AUTO_FOCUS = "FileName"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(EXPORT_KEYS)]

    DEFAULT_CSS = """
    ExportScreen { align: center middle; background: $background 60%; }
    ExportScreen #export {
        width: 100%; max-width: 76; height: auto; max-height: 100%; margin: 0 1;
        padding: 0 1; background: $surface; border: round $accent;
        border-title-color: $accent; border-title-style: bold; overflow-y: auto;
    }
    ExportScreen #name { height: 1; margin: 1 0 0 0; }
    ExportScreen #name Static { width: 6; color: $accent; text-style: bold; }
    ExportScreen FileName { border: none; height: 1; padding: 0; width: 1fr; background: $panel; }
    ExportScreen #folder { color: $foreground 70%; height: 1; padding: 0 0 0 6; }
    ExportScreen #said { height: auto; min-height: 1; margin: 0 0 1 0; }
    ExportScreen #buttons { height: 1; }
    ExportScreen Button { margin: 0 2 0 0; }
    ExportScreen.-low #said { margin: 0; }
    """

    def __init__(self, shot: Shot, folder: Path | None = None) -> None:
        super().__init__()
        self.shot = shot
        self.folder = folder or Path.cwd()
        self.agreed: Path | None = None
        """The file that is there already, and that the next Enter overwrites."""

    def compose(self) -> ComposeResult:
        """What, the file's name, and what there is to say."""
        with Vertical(id="export") as box:
            box.border_title = "write to a file"
            yield ChoiceList([(choice.ending, choice.says) for choice in CHOICES])
            with Horizontal(id="name"):
                yield Static("file", markup=False)
                yield FileName(self.free(CHOICES[0].ending), compact=True)
            yield Static(line(f"in {self.folder}"), id="folder", markup=False)
            yield Static(id="said", markup=False)
            with Horizontal(id="buttons"):
                yield Button("Write", id="write", variant="primary", compact=True)
                yield Button("Cancel", id="cancel", compact=True)
        yield KeyBar()

    def free(self, ending: str) -> str:
        """A name that is not taken."""
        return free_name(self.shot.session, ending, self.folder)

    @property
    def path(self) -> Path:
        """The file that is named; a relative name is of the working folder."""
        return self.folder / os.path.expanduser(self.query_one(FileName).value.strip())

    def say(self, text: str, style: str = ui.BAD) -> None:
        """What became of it so far."""
        self.query_one("#said", Static).update(line((text, style)))

    # What is to be written.

    def take(self, number: int) -> None:
        """Take another choice: the name gets its ending."""
        names, choices = self.query_one(FileName), self.query_one(ChoiceList)
        before, choices.taken = CHOICES[choices.taken], number % len(CHOICES)
        ending = CHOICES[choices.taken].ending
        if names.value == self.free(before.ending):
            names.value = self.free(ending)
        else:
            names.value = with_ending(names.value, ending)
        names.cursor_position = len(names.value)

    @on(ChoiceList.Taken)
    def taken(self, event: ChoiceList.Taken) -> None:
        """A choice was clicked."""
        self.take(event.number)

    def action_take(self, step: int) -> None:
        """The next choice, or the one before."""
        self.take(self.query_one(ChoiceList).taken + step)

    @on(Input.Changed)
    def renamed(self, event: Input.Changed) -> None:
        """Another name: what was said about the old one no longer holds."""
        self.agreed = None
        self.say("")

    # Writing.

    @on(Input.Submitted)
    @on(Button.Pressed, "#write")
    def write(self) -> None:
        """Write the file, asking first where there is one of that name."""
        if self.busy or not self.settled():
            return
        path, choice = self.path, CHOICES[self.query_one(ChoiceList).taken]
        if os.path.exists(path) and self.agreed != path and not os.path.isdir(path):
            self.agreed = path
            self.say(f"! {path.name} is there already: Enter again overwrites it", ui.OPEN)
            return
        self.say("writing …", ui.FAINT)
        write = partial(self.written, path, choice.content)
        self.run_worker(write, group=WRITING, thread=True, exclusive=True)

    @property
    def busy(self) -> bool:
        """Whether a file is being written."""
        return any(worker.node is self and not worker.is_finished for worker in self.workers)

    def settled(self) -> bool:
        """Whether name and choice fit: an ending that is typed decides, a missing one is added."""
        names, choices = self.query_one(FileName), self.query_one(ChoiceList)
        if not names.value.strip():
            self.say("! the file needs a name")
            return False
        number = choice_of(self.path, choices.taken)
        if number is None:
            endings = ", ".join(dict.fromkeys(choice.ending for choice in CHOICES))
            self.say(f"! the ending says how: {endings}")
            return False
        choices.taken = number
        if not self.path.suffix:
            with self.prevent(Input.Changed):
                names.value = names.value.strip() + CHOICES[number].ending
        return True

    def written(self, path: Path, content: Callable[[Shot], str]) -> str | None:
        """Make the content and write it, in a thread: the message where that is impossible."""
        try:
            text = content(self.shot)
        except BpstepError as error:
            return error_text(error)
        return None if get_current_worker().is_cancelled else save(path, text)

    @on(Worker.StateChanged)
    def ended(self, event: Worker.StateChanged) -> None:
        """It is written, or there is a reason why not."""
        if event.state is WorkerState.SUCCESS:
            if event.worker.result is None:
                self.dismiss(self.path)
            else:
                self.say(f"! {event.worker.result}")

    # Keys.

    @on(Button.Pressed, "#cancel")
    def action_back(self) -> None:
        """Leave without writing; what is still being made is not written."""
        self.workers.cancel_node(self)
        self.dismiss(None)


def ask_what_to_write(screen: Screen[None], session: Session) -> None:
    """Open the dialog over a screen, whose picture is taken before; then say what was written."""

    def said(path: Path | None) -> None:
        if path is not None:
            screen.notify(visible(f"wrote {path}"), markup=False)

    shot = Shot(session, screen.app.export_screenshot())
    screen.app.push_screen(ExportScreen(shot), said)
