"""What a screen does to change leaves."""

from __future__ import annotations

from bpstep.session.session import Session
from bpstep.tui import find
from bpstep.tui.editing import edit_lines
from bpstep.tui.screens.showing import ShowingScreen
from bpstep.tui.widgets.prompt import Prompt


class EditingScreen(ShowingScreen):
    """Begins changes of leaves, and says how they are taken back."""

    def action_edit(self) -> None:
        """The command line with a change of the selected leaf; Tab goes on to the others."""
        lines = edit_lines(self.shown)
        if lines:
            self.query_one(Prompt).offer(lines, find.labels(self.shown))
        else:
            self.notify("There are no leaves to change.", severity="error", markup=False)

    def tell_changes(self, before: Session) -> None:
        """Say that leaves have other values now than in the file, where this is news."""
        changes = self.session.changes
        if changes and changes is not before.changes:
            self.app.clear_notifications()
            said = f"changed: {', '.join(changes)}; :restart brings the file's values back"
            self.notify(said, markup=False, timeout=5)
