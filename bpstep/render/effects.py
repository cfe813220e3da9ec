"""What a statement of a program did, in rows of two: what, and how."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from bpstep.render.numbers import value_text

if TYPE_CHECKING:
    from bpstep.engine.run import Effect

SHOWN = 100
"""Changes beyond so many are counted; the trace has every one."""


def effect_rows(effect: Effect) -> Iterator[tuple[str, str]]:
    """("w", "1 → 0.8"), ("norm", "5, times 0.2"), ("cleared", "w, b")."""
    if effect.norm is not None:
        scaled = "" if effect.factor == 1.0 else f", times {value_text(effect.factor)}"
        yield "norm", f"{value_text(effect.norm)}{scaled or ': not clipped'}"
    if effect.cleared is not None:
        yield "cleared", ", ".join(effect.cleared) or "nothing"
    if effect.changes is not None:
        for change in effect.changes[:SHOWN]:
            yield change.name, f"{value_text(change.before)} → {value_text(change.after)}"
        if not effect.changes:
            yield "changed", "nothing"
        if len(effect.changes) > SHOWN:
            yield "…", f"and {len(effect.changes) - SHOWN} more"
