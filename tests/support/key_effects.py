"""For every key of the app an effect that can be seen: one table for each class with bindings.

An effect is a sight (a name of ``SIGHTS``), seen to be otherwise before the key, and as it is told
here after it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from driving import debug
from textual.widget import Widget
from textual.widgets import Input, OptionList

from bpstep.tui.app import BpstepApp
from bpstep.tui.screens.ask import Answer, AskScreen
from bpstep.tui.screens.card import CardScreen
from bpstep.tui.screens.compare import CompareScreen
from bpstep.tui.screens.counting import CountingScreen
from bpstep.tui.screens.debug import DebugScreen
from bpstep.tui.screens.element import ElementScreen
from bpstep.tui.screens.export import ExportScreen, FileName
from bpstep.tui.screens.help import HelpScreen
from bpstep.tui.screens.library import Books, LibraryScreen
from bpstep.tui.screens.other import OtherScreen
from bpstep.tui.screens.problems import ProblemScreen
from bpstep.tui.widgets.check_pane import CheckPane
from bpstep.tui.widgets.choice_list import ChoiceList
from bpstep.tui.widgets.detail_tabs import DetailTabs
from bpstep.tui.widgets.element_grid import ElementGrid
from bpstep.tui.widgets.filter_line import FilterLine
from bpstep.tui.widgets.graph_pane import GraphPane
from bpstep.tui.widgets.lines_pane import LinesPane
from bpstep.tui.widgets.node_table import NodeTable
from bpstep.tui.widgets.order_grid import OrderGrid
from bpstep.tui.widgets.prompt import Prompt
from bpstep.tui.widgets.sides_table import SidesTable
from bpstep.tui.widgets.text_pane import TextPane


@dataclass(frozen=True)
class Effect:
    """After the keys ``first``, and then the key, ``sight`` is ``after``, and was not before."""

    sight: str
    after: Any
    first: str = ""


E = Effect


def compared(app: BpstepApp) -> CompareScreen:
    assert isinstance(app.screen, CompareScreen)
    return app.screen


def page(app: BpstepApp) -> DebugScreen:
    (found,) = (screen for screen in app.screen_stack if isinstance(screen, DebugScreen))
    return found


def selected(app: BpstepApp) -> str:
    scene = debug(app).shown
    assert scene.session.graph is not None
    assert scene.selected is not None
    return scene.session.graph.label(scene.selected)


def focus(app: BpstepApp) -> str | None:
    return None if app.focused is None else type(app.focused).__name__


def pane(app: BpstepApp) -> Widget:
    """What scrolls: the pane with the focus, or the only one of its screen."""
    return app.focused or app.screen.query_one(LinesPane)


def line(app: BpstepApp) -> str | None:
    prompt = debug(app).query_one(Prompt)
    return f"{prompt.mode}:{prompt.input.value}" if prompt.is_open else None


def highlighted(app: BpstepApp) -> str:
    screen = app.screen
    assert isinstance(screen, LibraryScreen | OtherScreen)
    number = screen.query_one("#books", OptionList).highlighted
    assert number is not None
    return screen.shown[number].name


def places(app: BpstepApp) -> str:
    number = app.screen.query_one("#books", OptionList).highlighted or 0
    return "first" if number == 0 else "second" if number == 1 else "further"


def scrolled(app: BpstepApp) -> str:
    """Where a pane is scrolled to: numbers of lines depend on what it says."""
    at, end = pane(app).scroll_offset.y, pane(app).max_scroll_y
    return {0: "top", 1: "line", end: "end"}.get(at, "near end" if at == end - 1 else "page")


def aside(app: BpstepApp) -> bool:
    return pane(app).scroll_offset.x > 0


def checked(app: BpstepApp) -> bool:
    return bool(app.screen.query_one(CheckPane)._results)


SIGHTS: Mapping[str, Callable[[BpstepApp], Any]] = {
    "position": lambda app: page(app).session.position,
    "sides": lambda app: compared(app).session.position,
    "side node": lambda app: compared(app).shown.selected_name,
    "listed": lambda app: len(compared(app).shown.listed),
    "selected": selected,
    "count": lambda app: app.screen.count,  # type: ignore[attr-defined]
    "stops": lambda app: [stop.text for stop in debug(app).session.breakpoints],
    "screen": lambda app: type(app.screen),
    "focus": focus,
    "line": line,
    "tab": lambda app: debug(app).query_one(DetailTabs).active,
    "large": lambda app: app.screen.maximized and type(app.screen.maximized).__name__,
    "told": lambda app: [note.message for note in app._notifications],
    "page": lambda app: app.pages[app.here].document.file,
    "left": lambda app: app.return_value == "left",
    "cursor": lambda app: app.screen.query_one(ElementGrid).cursor,
    "element": lambda app: app.screen.index,  # type: ignore[attr-defined]
    "scrolled": scrolled,
    "aside": aside,
    "choice": lambda app: app.screen.query_one(ChoiceList).taken,
    "book": highlighted,
    "place": places,
    "wanted": lambda app: app.screen.query_one(Input).value,
    "filter": lambda app: app.screen.query_one(FilterLine).display,
    "hint": lambda app: bool(app.screen.hint),  # type: ignore[attr-defined]
    "answered": lambda app: app.screen.answered,  # type: ignore[attr-defined]
    "checked": checked,
}


def motions(sight: str, last: int, stop: int) -> dict[str, Effect]:
    """The keys that the main screen and two sides have in common: `last` is the end."""
    on = {"s": 1, "right": 1, "space": 1, "n": 1, "down": 1, "c": last, "G": last, "end": last}
    back = {"S": 4, "left": 4, "N": stop, "up": stop, "C": 0, "g": 0, "home": 0}
    return {
        **{key: E(sight, at) for key, at in on.items()},
        **{key: E(sight, at, "5 s") for key, at in back.items()},
    }


SCROLLING = {
    "down": E("scrolled", "line"),
    "up": E("scrolled", "line", "down down"),
    "pagedown": E("scrolled", "page"),
    "space": E("scrolled", "page"),
    "pageup": E("scrolled", "top", "pagedown"),
    "home": E("scrolled", "top", "end"),
    "end": E("scrolled", "end"),
}

EFFECTS: dict[type, dict[str, Effect]] = {
    CountingScreen: {str(digit): E("count", f"1{digit}", "1") for digit in range(10)},
    DebugScreen: {
        **motions("position", 13, 4),
        "b": E("stops", ["p"], "6 s"),
        "h": E("selected", "b", "6 s"),
        "j": E("selected", "z", "6 s"),
        "k": E("selected", "x", "6 s"),
        "l": E("selected", "x", "6 s k h"),
        "enter": E("screen", CardScreen),
        "slash": E("line", "find:"),
        "colon": E("line", "command:"),
        "e": E("line", "command:set w = 1", "G k h"),
        "d": E("screen", OtherScreen),
        "x": E("screen", ExportScreen),
        "t": E("tab", "gradients"),
        "T": E("tab", "about"),
        "tab": E("focus", "GraphPane"),
        "z": E("large", "GraphPane"),
        "escape": E("selected", "p", "6 s k"),
        "ctrl+c": E("told", ["cancelled: check w"], "colon c h e c k space w enter"),
        "r": E("told", ["read again: full"]),
        "o": E("screen", LibraryScreen),
        "left_square_bracket": E("page", "matrix-layer"),
        "right_square_bracket": E("page", "matrix-layer"),
        "question_mark": E("screen", HelpScreen),
        "q": E("left", True),
    },
    CompareScreen: {
        **motions("sides", 13, 4),
        "m": E("sides", 6),
        "M": E("sides", 12, "G"),
        "p": E("sides", 6),
        "j": E("side node", "(e**2)"),
        "k": E("side node", "loss", "j"),
        "f": E("listed", 4),
        "o": E("screen", OtherScreen),
        "tab": E("focus", "SideCard"),
        "question_mark": E("screen", HelpScreen),
        "escape": E("screen", DebugScreen),
        "d": E("screen", DebugScreen),
        "q": E("screen", DebugScreen),
    },
    CardScreen: {
        "h": E("cursor", (0, 0), "l"),
        "left": E("cursor", (0, 0), "l"),
        "j": E("cursor", (1, 0)),
        "down": E("cursor", (1, 0)),
        "k": E("cursor", (0, 0), "j"),
        "up": E("cursor", (0, 0), "j"),
        "l": E("cursor", (0, 1)),
        "right": E("cursor", (0, 1)),
        "pagedown": E("cursor", (1, 0)),
        "space": E("cursor", (1, 0)),
        "pageup": E("cursor", (0, 0), "j"),
        "home": E("cursor", (0, 0), "j l"),
        "end": E("cursor", (1, 2)),
        "enter": E("screen", ElementScreen),
        "question_mark": E("screen", HelpScreen),
        "escape": E("screen", DebugScreen),
        "q": E("screen", DebugScreen),
    },
    ElementScreen: {
        "h": E("element", (0, 0), "l"),
        "left": E("element", (0, 0), "l"),
        "j": E("element", (1, 0)),
        "down": E("element", (1, 0)),
        "k": E("element", (0, 0), "j"),
        "up": E("element", (0, 0), "j"),
        "l": E("element", (0, 1)),
        "right": E("element", (0, 1)),
        **{key: SCROLLING[key] for key in ("pagedown", "space", "pageup", "home", "end")},
        "question_mark": E("screen", HelpScreen),
        "escape": E("screen", CardScreen),
        "enter": E("screen", CardScreen),
        "q": E("screen", CardScreen),
    },
    ProblemScreen: {
        "r": E("told", ["read again: wrong.yaml"]),
        "o": E("screen", LibraryScreen),
        "left_square_bracket": E("page", "full"),
        "right_square_bracket": E("page", "full"),
        "q": E("left", True),
    },
    HelpScreen: {key: E("screen", DebugScreen) for key in ("escape", "q", "question_mark")},
    LibraryScreen: {
        "slash": E("filter", True),
        "escape": E("screen", DebugScreen),
        "o": E("screen", DebugScreen),
        "question_mark": E("screen", HelpScreen),
        "q": E("left", True),
    },
    Books: {
        "enter": E("page", "01-full-second-backward.yaml", "down"),
        "l": E("told", ["Step on: 3 questions will be asked."]),
        "j": E("place", "second"),
        "k": E("place", "first", "j"),
    },
    FilterLine: {
        "enter": E("focus", "Books"),
        "escape": E("wanted", "", "k i n k"),
        "down": E("place", "second"),
        "up": E("place", "first", "down"),
    },
    OtherScreen: {
        "enter": E("screen", CompareScreen),
        "escape": E("screen", DebugScreen),
        "down": E("place", "second"),
        "up": E("place", "first", "down"),
        "pagedown": E("place", "further"),
        "pageup": E("place", "first", "pagedown"),
    },
    ExportScreen: {
        "down": E("choice", 1),
        "up": E("choice", 0, "down"),
        "escape": E("screen", DebugScreen),
    },
    FileName: {
        "enter": E("screen", DebugScreen),
        "down": E("choice", 1),
        "up": E("choice", 0, "down"),
    },
    AskScreen: {
        "question_mark": E("hint", True),
        "escape": E("position", 8),
    },
    Answer: {"enter": E("answered", True, "1 2")},
    Prompt: {
        "enter": E("position", 2, "s t e p space 2"),
        "tab": E("line", "command:watch", "w a t"),
        "shift+tab": E("line", "command:breakpoints", "b r e"),
        "up": E("line", "command:step", "s t e p enter colon"),
        "down": E("line", "command:", "s t e p enter colon up"),
        "escape": E("line", None),
    },
    GraphPane: {
        "left": E("selected", "b", "6 s"),
        "right": E("selected", "x", "6 s up left"),
        "up": E("selected", "x", "6 s"),
        "down": E("selected", "z", "6 s"),
        "pagedown": E("scrolled", "end", "home"),
        "space": E("scrolled", "end", "home"),
        "pageup": E("scrolled", "top", "end"),
        "home": E("scrolled", "top", "end"),
        "end": E("scrolled", "end", "home"),
    },
    OrderGrid: {
        "right": E("selected", "(e**2)"),
        "left": E("selected", "loss", "right"),
        "down": E("selected", "e"),
        "up": E("selected", "loss", "down"),
        "pagedown": E("selected", "z"),
        "space": E("selected", "z"),
        "pageup": E("selected", "loss", "down"),
        "home": E("selected", "loss", "down"),
        "end": E("selected", "x"),
    },
    NodeTable: {
        "down": E("selected", "w", "home"),
        "up": E("selected", "x", "home down"),
        "pagedown": E("selected", "p", "home"),
        "space": E("selected", "p", "home"),
        "pageup": E("selected", "x", "home down"),
        "home": E("selected", "x", "down"),
        "end": E("selected", "loss", "home"),
    },
    SidesTable: {
        "down": E("side node", "(e**2)"),
        "up": E("side node", "loss", "down"),
        "pagedown": E("side node", "q"),
        "space": E("side node", "q"),
        "pageup": E("side node", "loss", "down"),
        "home": E("side node", "loss", "down"),
        "end": E("side node", "x"),
    },
    LinesPane: {
        **SCROLLING,
        "right": E("aside", True, "home"),
        "left": E("aside", False, "home right"),
    },
    TextPane: SCROLLING,
    CheckPane: {"enter": E("checked", True)},
}

KEPT = {TextPane: {"left", "right"}, NodeTable: {"left", "right"}, SidesTable: {"left", "right"}}
"""Keys that a pane keeps from its screen, for which they are motions: nothing is to happen."""
