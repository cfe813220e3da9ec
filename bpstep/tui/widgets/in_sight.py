"""Keeps a marked line of a pane in sight."""

from __future__ import annotations

from bpstep.tui.widgets.lines_pane import LinesPane


def keep_in_sight(pane: LinesPane, *signs: str) -> None:
    """Scroll to the first line that begins with a sign, the first of these that any begins with.

    Where it is in sight already, nothing moves.
    """
    height = pane.scrollable_content_region.height
    if not pane.is_mounted or height <= 0:
        return
    row = next((row for sign in signs if (row := pane.view.row_of(sign)) is not None), None)
    top = pane.scroll_offset.y
    if row is not None and not top <= row < top + height:
        pane.scroll_to(y=max(0, row - height // 2), animate=False, immediate=True)
