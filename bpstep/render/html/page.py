"""The page: template, style sheet, script and data put together into one file."""

from __future__ import annotations

import json
import re
from functools import cache
from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from bpstep.render import lines as ui
from bpstep.render.faults import fault_text
from bpstep.render.html.frames import page_data
from bpstep.render.html.record import of_run, of_session
from bpstep.render.html.spans import html_pieces
from bpstep.render.html.table import steps_table
from bpstep.render.html.window import Window
from bpstep.render.lines import cut

if TYPE_CHECKING:
    from bpstep.session.session import Session

LONGEST = 300
"""Titles and the like are cut to so many columns."""

SIGNS = (
    (ui.COMPLETE, "complete"),
    (ui.PARTIAL, "some contributions have arrived"),
    (ui.NOTHING, "none yet"),
    (ui.UNRECORDED, "nothing is recorded"),
    (ui.CUT, "cut by a detach"),
    (ui.AT_KINK, "at a point without a derivative"),
    (ui.NOT_FINITE, "not finite"),
    (ui.HERE, "where we are"),
)

_FIELD = re.compile(r"@@(\w+)@@")


def page(session: Session, *, entire: bool = False) -> str:
    """A page that steps through the session's run, opened at its position.

    With it stand the commands that were given and their reports, or, of an ``entire`` run, its
    result and what its scenario asks for. Of a long run it has the steps around the position.
    Raises CommandError where a check that an entire run asks for cannot be made.
    """
    window = Window.around(session)
    data = page_data(session, window)
    scenario = session.scenario
    fields = {
        "title": escape(cut(scenario.title, LONGEST)),
        "file": escape(cut(scenario.path, LONGEST)),
        "dtype": escape(scenario.dtype),
        "loss": escape(cut(scenario.loss, LONGEST)),
        "notices": _notices(session, window),
        "style": _piece("page.css"),
        "script": _piece("page.js"),
        "data": embedded(data),
        **_standing(data),
        "steps": steps_table(session, window),
        "record_title": "The run" if entire else "What was done",
        "record": "\n".join(of_run(session) if entire else of_session(session)),
        "signs": _signs(),
    }
    return _FIELD.sub(lambda found: fields[found[1]], _piece("page.html"))


@cache
def _piece(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def embedded(data: Any) -> str:
    """Data as JSON that cannot end the script element it stands in, whatever is in it."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.replace("&", r"\u0026").replace("<", r"\u003c").replace(">", r"\u003e")


def _standing(data: dict[str, Any]) -> dict[str, str]:
    """The step at which the page is opened, for readers without a script."""
    frame = data["frames"][data["at"] - data["first"]]
    return {
        "place": escape(frame["place"]),
        "why": escape(frame["why"]),
        "first": str(data["first"]),
        "last": str(data["last"]),
        "at": str(data["at"]),
        "drawing": _drawing(data, frame),
    }


def _drawing(data: dict[str, Any], frame: dict[str, Any]) -> str:
    lines = [data["lines"][number] for number in frame["draw"] or ()]
    return "\n".join(map(html_pieces, lines))


def _notices(session: Session, window: Window) -> str:
    """What a reader must know: that steps are left out, that a fault is on, that leaves changed."""
    said = [window.left_out] if window.left_out else []
    if session.scenario.fault is not None:
        said.append(f"{ui.NOT_FINITE} fault on purpose: {fault_text(session.scenario.fault)}")
    if session.changes:
        said.append(f"Changed by set: {', '.join(session.changes)}.")
    if session.run.error is not None:
        error = session.run.error
        said.append(f"{ui.NOT_FINITE} the run ends in the error {error.code}: {error}")
    return "".join(f'<p class="notice">{escape(cut(text, 3 * LONGEST))}</p>' for text in said)


def _signs() -> str:
    return " ".join(f"<span><b>{sign}</b> {escape(said)}</span>" for sign, said in SIGNS)
