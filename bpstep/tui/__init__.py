"""The app: a reverse pass stepped through in a terminal, with keys, a mouse and a command line."""

from __future__ import annotations

import gc
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bpstep.scenario import Scenario
    from bpstep.session.session import Session
    from bpstep.tui.document import Document

FINE, WRONG = 0, 2


def in_browser() -> bool:
    """Whether textual-serve has started this process, to be seen in a browser."""
    return "WebDriver" in os.environ.get("TEXTUAL_DRIVER", "")


def can_draw() -> bool:
    """Whether more than lines can be written: the cursor moved, and what was written erased.

    A terminal says by its name that it takes no more: that of Emacs' shell, of some editors.
    """
    return in_browser() or os.environ.get("TERM") != "dumb"


def run_app(sources: Sequence[str | Scenario], ascii: bool = False, learning: bool = False) -> int:
    """Open the app on files, names of scenarios or loaded ones; without any, on its library.

    Needs a terminal, or a browser's connection. In ASCII if this is asked for, or the user's locale
    has no more. With ``learning`` scenarios ask their questions. A file with mistakes is shown with
    them. Returns the exit status: 2 where a file still has mistakes at the end, 1 after a crash,
    else 0.
    """
    return _run(
        [each if isinstance(each, str) else _opened(each) for each in sources], ascii, learning
    )


def _opened(scenario: Scenario) -> Document:
    from bpstep.tui.document import open_scenario

    return open_scenario(scenario)


def run_session(session: Session) -> int:
    """Open the app on a session, and return the exit status when it is left."""
    from bpstep.tui.document import Document

    return _run([Document(session.scenario.path, session)])


def _run(documents: Sequence[Document | str], ascii: bool = False, learning: bool = False) -> int:
    from bpstep.tui.app import BpstepApp
    from bpstep.tui.ascii_filter import locale_draws

    app = BpstepApp(documents, ascii or not (in_browser() or locale_draws()), learning)
    # Else every search for garbage goes through the graphs: a tenth of a second at 100,000 nodes.
    gc.freeze()
    app.run()
    return app.return_code or (WRONG if app.faulty else FINE)
