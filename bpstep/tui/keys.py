"""The keys: one declaration each, from which the bindings, the footer and the help are made."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from textual.binding import Binding


@dataclass(frozen=True)
class Key:
    """What some keys do.

    ``keys`` are Textual's names separated by commas, the first the one that is shown. ``label``
    stands in the footer, and is left empty for keys that do not; ``says`` stands in the help.
    ``counted`` tells that a count before it means something; ``spare`` that the footer may cut
    it off, where it is narrow, before the others.
    """

    keys: str
    action: str
    says: str
    group: str
    label: str = ""
    counted: bool = False
    spare: bool = False

    @property
    def shown(self) -> tuple[str, ...]:
        """The keys as people know them: ``s``, ``→``, ``space``."""
        return tuple(SIGNS.get(key, key) for key in self.keys.split(","))

    def bindings(self) -> list[Binding]:
        """A binding for each of these keys, the first in the footer.

        Keys that no pane has a use for come before the focused one, and so take effect before the
        next key is looked at: what is pasted after ``:`` is text. Arrows, space and the like are
        left to the pane.
        """
        return [
            Binding(
                key,
                self.action,
                self.label or self.says,
                show=number == 0 and bool(self.label),
                key_display=self.shown[number],
                tooltip=self.says,
                priority=len(key) == 1 or key in AT_ONCE,
            )
            for number, key in enumerate(self.keys.split(","))
        ]


SIGNS = {
    "right": "→",
    "left": "←",
    "down": "↓",
    "up": "↑",
    "home": "Home",
    "end": "End",
    "enter": "Enter",
    "escape": "Esc",
    "pagedown": "PgDn",
    "pageup": "PgUp",
    "tab": "Tab",
    "colon": ":",
    "slash": "/",
    "question_mark": "?",
    "left_square_bracket": "[",
    "right_square_bracket": "]",
    "ctrl+p": "Ctrl+P",
    "ctrl+c": "Ctrl+C",
}

AT_ONCE = {
    "ctrl+c",
    "tab",
    "escape",
    "colon",
    "slash",
    "question_mark",
    "left_square_bracket",
    "right_square_bracket",
}

MOVE, NODES, LOOK, FILES = "Motion", "Nodes", "Looking and changing", "Scenarios"

DEBUG_KEYS = (
    Key("s,right,space", "motion('step')", "step one contribution", MOVE, "step", True),
    Key("S,left", "motion('reverse-step')", "one contribution back", MOVE, "back", True),
    Key("n,down", "motion('next')", "on until the next node is complete", MOVE, "node", True),
    Key("N,up", "motion('reverse-next')", "back a node", MOVE, counted=True),
    Key("c", "motion('continue')", "continue to a breakpoint", MOVE, "continue", True),
    Key("C", "motion('reverse-continue')", "back to a breakpoint", MOVE, counted=True),
    Key("g,home", "start", "to the start", MOVE),
    Key("G,end", "end", "to the end; with a count, to that step", MOVE, counted=True),
    Key("b", "breakpoint", "set or remove a breakpoint on the selected node", NODES, "break"),
    Key("h", "walk('left')", "select the node to the left in the graph", NODES, counted=True),
    Key("j", "walk('down')", "select a node below: towards the loss", NODES, counted=True),
    Key("k", "walk('up')", "select a node above: towards the leaves", NODES, counted=True),
    Key("l", "walk('right')", "select the node to the right", NODES, counted=True),
    Key("enter", "card", "open the card of the selected node", NODES),
    Key("slash", "find", "find a node", NODES, "find"),
    Key("colon", "command", "command line, with history and completion", LOOK, "command"),
    Key("e", "edit", "change a leaf (the selected one) and run again", LOOK, "edit", spare=True),
    Key("d", "compare", "compare with another scenario", LOOK, "compare", spare=True),
    Key("x", "export", "write this screen or the transcript to a file", LOOK, "export", spare=True),
    Key("t", "tab(1)", "next tab", LOOK, "tab", spare=True),
    Key("T", "tab(-1)", "previous tab", LOOK),
    Key("tab", "enter_pane", "enter a pane, whose keys are then its own", LOOK),
    Key(
        "z", "zoom", "the pane (the graph) on the whole screen, and back", LOOK, "zoom", spare=True
    ),
    Key("escape", "release", "cancel; leave the pane, follow the current node again", LOOK),
    Key("ctrl+c", "interrupt", "cancel the command or check that goes on", LOOK),
    Key("r", "reload", "read the file again, at the same step", FILES),
    Key("o", "library", "the library of scenarios", FILES, "library", spare=True),
    Key("left_square_bracket", "switch(-1)", "the open scenario before this one", FILES),
    Key("right_square_bracket", "switch(1)", "the next open scenario", FILES),
    Key("question_mark", "help", "this help", FILES, "help"),
    Key("q", "quit", "quit", FILES, "quit"),
)

SIDES = "Side by side"

COMPARE_KEYS = (
    *(key for key in DEBUG_KEYS if key.group == MOVE),
    Key("m", "difference('next')", "on to the next step that differs", SIDES, "differs", True),
    Key("M", "difference('previous')", "back to the step before that differs", SIDES, counted=True),
    Key("p", "parting", "to the step at which the two first part", SIDES, "part"),
    Key("j", "select(1)", "select the next node in reverse order", SIDES, counted=True),
    Key("k", "select(-1)", "select the node before it", SIDES, counted=True),
    Key("f", "narrow", "list only the nodes that differ, or all", SIDES, "filter", spare=True),
    Key("o", "other", "compare with another scenario", SIDES, "other", spare=True),
    Key("tab", "enter_pane", "enter a pane, whose keys are then its own", SIDES),
    Key("question_mark", "help", "this help", SIDES, "help"),
    Key("escape", "release", "leave the pane, follow the current node again, then back", SIDES),
    Key("d,q", "leave", "back: the session stays at the step reached", SIDES, "back"),
)

OPENING_KEYS = (Key("q,ctrl+c", "app.quit", "quit", FILES, "quit"),)

PROBLEM_KEYS = (
    Key("r", "app.reopen", "read the file again", FILES, "read again"),
    Key("o", "app.library", "the library of scenarios", FILES, "library"),
    Key(
        "left_square_bracket",
        "app.switch(-1)",
        "the open scenario before this one",
        FILES,
        "before",
    ),
    Key("right_square_bracket", "app.switch(1)", "the next open scenario", FILES, "next"),
    Key("q", "app.quit", "quit", FILES, "quit"),
)

ELEMENTS = "Elements of a tensor"

CARD_KEYS = (
    Key("h,left", "move(0, -1)", "the element to the left", ELEMENTS, counted=True),
    Key("j,down", "move(1, 0)", "the element below", ELEMENTS, "down", counted=True),
    Key("k,up", "move(-1, 0)", "the element above", ELEMENTS, "up", counted=True),
    Key("l,right", "move(0, 1)", "the element to the right", ELEMENTS, counted=True),
    Key("pagedown,space", "page(1)", "a page of elements on", ELEMENTS, counted=True),
    Key("pageup", "page(-1)", "a page of elements back", ELEMENTS, counted=True),
    Key("home", "edge(0)", "the first element", ELEMENTS),
    Key("end", "edge(1)", "the last element", ELEMENTS),
    Key("enter", "open", "open the element: the scalar products that made it", ELEMENTS, "open"),
    Key("question_mark", "help", "this help", ELEMENTS, "help"),
    Key("escape,q", "leave", "back to the step", ELEMENTS, "back"),
)

NUMBER = "The card of a number"

NUMBER_KEYS = (
    Key("question_mark", "help", "this help", NUMBER, "help"),
    Key("escape,enter,q", "leave", "back to the step", NUMBER, "back"),
)

ONE_ELEMENT = "One element"

ELEMENT_KEYS = (
    Key("h,left", "move(0, -1)", "the element to the left", ONE_ELEMENT, "left", counted=True),
    Key("j,down", "move(1, 0)", "the element below", ONE_ELEMENT, "down", counted=True),
    Key("k,up", "move(-1, 0)", "the element above", ONE_ELEMENT, "up", counted=True),
    Key("l,right", "move(0, 1)", "the element to the right", ONE_ELEMENT, "right", counted=True),
    Key("pagedown,space", "page(1)", "a page of lines down", ONE_ELEMENT, counted=True),
    Key("pageup", "page(-1)", "a page of lines up", ONE_ELEMENT, counted=True),
    Key("home", "edge(0)", "the first line", ONE_ELEMENT),
    Key("end", "edge(1)", "the last line", ONE_ELEMENT),
    Key("question_mark", "help", "this help", ONE_ELEMENT, "help"),
    Key("escape,enter,q", "leave", "back to the elements", ONE_ELEMENT, "back"),
)

BOOK_KEYS = (
    Key("enter", "select", "open the scenario", FILES, "open"),
    Key("l", "learn", "open the scenario to learn: it asks its questions", FILES, "learn"),
)

LEARN = "Learning"

ANSWER_KEYS = (Key("enter", "submit", "answer; after the right answer, go on", LEARN, "answer"),)

HINT = Key("question_mark", "hint", "a hint", LEARN, "hint")

ASK_KEYS = (
    HINT,
    Key("escape", "skip", "go on without the right answer", LEARN, "skip"),
)

WRITE = "Writing to a file"

WHAT_KEYS = (
    Key("down", "screen.take(1)", "the next thing to write", WRITE, "what"),
    Key("up", "screen.take(-1)", "the one before it", WRITE),
)

WRITE_KEYS = (
    Key("enter", "submit", "write the file; again, to overwrite one", WRITE, "write"),
    *WHAT_KEYS,
)

EXPORT_KEYS = (
    *WHAT_KEYS,
    Key("escape", "back", "leave without writing", WRITE, "back"),
)

LIBRARY_KEYS = (
    Key("slash", "filter", "find by name or title", FILES, "find"),
    Key("escape,o", "back", "back to what is open", FILES, "back"),
    Key("question_mark", "help", "help", FILES, "help"),
    Key("q", "quit", "quit", FILES, "quit"),
)

COMPARE_WITH = "Choosing what to compare with"

OTHER_KEYS = (
    Key("enter", "choose", "compare with what is highlighted", COMPARE_WITH, "compare"),
    Key("escape", "dismiss", "back, without comparing", COMPARE_WITH, "back"),
    Key("down", "move('cursor_down')", "the next scenario", COMPARE_WITH, "next"),
    Key("up", "move('cursor_up')", "the scenario before", COMPARE_WITH, "before"),
    Key("pagedown", "move('page_down')", "a page of scenarios on", COMPARE_WITH),
    Key("pageup", "move('page_up')", "a page of scenarios back", COMPARE_WITH),
)

HELP_KEYS = (Key("escape,q,question_mark", "dismiss", "back from the help", LOOK, "back"),)

DIGITS = tuple(
    Binding(str(digit), f"digit({digit})", show=False, priority=True) for digit in range(10)
)
"""Counts: digits do nothing else."""


def bindings(keys: Iterable[Key]) -> list[Binding]:
    """The bindings of these keys, in the order of the footer."""
    ordered = sorted(keys, key=lambda key: key.spare)
    return [binding for key in ordered for binding in key.bindings()]
