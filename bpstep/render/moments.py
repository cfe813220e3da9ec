"""Of when numbers are: where the end of a program shows values and gradients of different runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bpstep.session.standing import Place
    from bpstep.session.trace import Moments


def moments_text(moments: Moments) -> str:
    """What is of when: "gradients of pass 2, values of forward 3, leaves after step 0.1"."""
    parts = [f"values of forward {moments.run}"]
    if moments.pass_run != moments.run:
        parts.insert(0, f"gradients of pass {moments.pass_number}")
    if moments.leaves_after is not None:
        parts.append(f"leaves after {moments.leaves_after}")
    return ", ".join(parts)


def end_text(place: Place) -> str:
    """Where statements ran after the last pass: "end of the program, after forward"."""
    return "" if place.after is None else f"end of the program, after {place.after}"
