"""Keeps a marked line of a pane in sight."""

from __future__ import annotations

from bpstep.tui.widgets.lines_pane import LinesPane


def keep_in_sight(pane: LinesPane, *signs: str, above: int | None = None) -> None:
    """Scroll to the first line that begins with a sign, the first of these that any begins with.

    Where it is in sight already, nothing moves; else it comes into the middle, or below ``above``
    other lines.
    """
    height = pane.scrollable_content_region.height
    if not pane.is_mounted or height <= 0:
        return
    row = next((row for sign in signs if (row := pane.view.row_of(sign)) is not None), None)
    top = pane.scroll_offset.y
    if row is not None and not top <= row < top + height:
        wanted = max(0, row - (height // 2 if above is None else above))
        # Forced: lines that have only just been laid out have no scrollbar yet.
        pane.scroll_to(y=wanted, animate=False, immediate=True, force=True)
