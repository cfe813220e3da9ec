"""Why a gradient is what it is, as lines: reasons for a zero, origins of inf and nan, factors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from rich.text import Text

from bpstep.render import lines as ui
from bpstep.render.lines import Cell, columns, line
from bpstep.render.numbers import count_text, short, value_text

if TYPE_CHECKING:
    from bpstep.analysis.causes import Cause
    from bpstep.analysis.origins import Origins, ReverseOrigin
    from bpstep.analysis.why import Magnitude, Why
    from bpstep.analysis.zeros import ZeroGradient

SHOWN = 8
"""So many places are told one by one; the others are counted."""

KINDS: Mapping[str, str] = {
    "zero": "",
    "nonfinite": ", not finite",
    "small": ", very small",
    "large": ", very large",
    "ordinary": "",
}

REASONS: Mapping[str, str] = {
    "no-path": "nothing on the way from the output reads it",
    "detached": "{node} detaches {receiver}: the copy passes no gradient on",
    "frozen": "it is a constant or frozen: nothing is recorded for it",
    "blocked": "{operation} is flat at {factor}, so {node} passes nothing on",
    "kink": "{operation} has no derivative at {factor}; the convention {convention}",
    "zero-factor": "{node} multiplies the gradient by {factor}",
    "stationary": "the derivative of {operation} is 0 just here, at {factor}",
    "saturated": "the derivative of {operation} rounds to 0 at {factor}",
    "cancelled": "what arrives at {node} is not zero, and sums to 0",
    "underflow": "what {node} sends to {receiver} is too small for a number of this type",
}
"""One sentence part a reason. ``{factor}`` is the value that makes it so, with its name."""

BLOCKED: Mapping[str, str] = {
    "relu": "relu is inactive at {factor}, so {node} passes nothing on",
    "clamp": "{factor} is outside the bounds of clamp, so {node} passes nothing on",
    "where": "{node} did not select {receiver}",
    "maximum": "{receiver} is not the larger operand of {node}",
    "minimum": "{receiver} is not the smaller operand of {node}",
    "max": "it is not the largest element, which is all that {node} reads",
    "min": "it is not the smallest element, which is all that {node} reads",
}


def why_lines(found: Why) -> Iterator[Text]:
    """The gradient and its kind, then everything that made it so."""
    gradient = "none" if found.gradient is None else value_text(found.gradient)
    style = ui.BAD if found.kind == "nonfinite" else ui.NUMBER
    yield line(
        (f"why {found.text}", ui.HEADING), ": gradient ", (gradient + KINDS[found.kind], style)
    )
    if found.origins is not None:
        yield from _origins(found.origins)
    if found.magnitude is not None:
        yield from _magnitude(found.magnitude)
    if found.zero is not None:
        yield from _zeros(found.zero)


# ---- zeros ----


def _zeros(zero: ZeroGradient) -> Iterator[Text]:
    if zero.zeros < zero.size:
        verb = "is" if zero.zeros == 1 else "are"
        yield line(f"  {zero.zeros} of {zero.size} elements {verb} 0")
    if not zero.causes:
        yield line(("  no reason is found in the computation: check the reverse pass", ui.BAD))
    rows = [_cause(cause, zero.size > 1) for cause in zero.causes[:SHOWN]]
    yield from columns(rows)
    left = len(zero.causes) - SHOWN
    if left > 0:
        yield line((f"  … and {left} more places", ui.FAINT))
    if len(zero.reasons) > 1 and len(zero.elements) > 1:
        yield from columns(
            [(f"{list(index)}", (", ".join(reasons), ui.KINK)) for index, reasons in zero.elements],
            indent=4,
        )


def _cause(cause: Cause, several: bool) -> list[Cell]:
    words = BLOCKED.get(cause.operation or "") if cause.reason == "blocked" else None
    said = (words or REASONS[cause.reason]).format(
        node=cause.node,
        receiver=cause.receiver,
        operation=cause.operation,
        factor=_factor(cause),
        convention=_convention(cause),
    )
    of = f" ({cause.elements} element{'' if cause.elements == 1 else 's'})" if several else ""
    where = "" if cause.step is None else f"step {cause.step}"
    return [(cause.reason, ui.KINK), said + of, (where, ui.FAINT)]


def _factor(cause: Cause) -> str:
    """The value that makes a derivative zero, with its name, unless it is a number itself."""
    if cause.factor is None or cause.value is None:
        return "these values"
    if isinstance(cause.value, np.ndarray):
        zeros = cause.reason == "zero-factor"
        return f"zeros in {cause.factor}" if zeros else f"elements of {cause.factor}"
    value = value_text(cause.value)
    return value if cause.factor == value else f"{cause.factor} = {value}"


def _convention(cause: Cause) -> str:
    """What a convention takes, of which values."""
    use = cause.convention
    if use is None or use.interval is None:
        return "takes 0"
    low, high = map(value_text, use.interval)
    return f"takes {value_text(use.used)}, where {low} … {high} is legal"


# ---- not finite ----


def _origins(origins: Origins) -> Iterator[Text]:
    for origin in origins.forward[:SHOWN]:
        at = _at(origin.index, origin.elements)
        yield line(
            "  ",
            (ui.NOT_FINITE, ui.BAD),
            f" the value of {origin.node}{at} is ",
            _bad(origin.value),
        )
    for arising in origins.reverse[:SHOWN]:
        yield _arising(arising)
    left = len(origins.forward[SHOWN:]) + len(origins.reverse[SHOWN:])
    if left:
        yield line((f"  … and {left} more places", ui.FAINT))
    if origins.reverse and origins.only_reverse:
        yield line("  every value that was used is finite: it arises in the reverse pass only")
    elif origins.hidden:
        yield line("  the output is finite: the forward pass hides it")


def _arising(origin: ReverseOrigin) -> Text:
    at = _at(origin.index, origin.elements)
    head: Sequence[Cell] = ("  ", (ui.NOT_FINITE, ui.BAD), " ", _bad(origin.value))
    if origin.node is None:
        return line(*head, f" arises where what arrives at {origin.receiver}{at} is summed")
    sent = "it"
    if origin.upstream is not None and origin.local is not None:
        sent = f"{value_text(origin.upstream)} × {value_text(origin.local)}"
    step = (
        f" arises at step {origin.step}, where {origin.node} sends {sent} to {origin.receiver}{at}"
    )
    branch = (
        "" if origin.unselected is None else f"; {origin.unselected} did not select this branch"
    )
    return line(*head, step + branch)


def _bad(value: float) -> Cell:
    return (value_text(value), ui.BAD)


def _at(index: tuple[int, ...], elements: int) -> str:
    """The first element of several, and how many more there are."""
    if not index:
        return ""
    more = f" and {elements - 1} more" if elements > 1 else ""
    return f" at {list(index)}{more}"


# ---- very small, very large ----


def _magnitude(found: Magnitude) -> Iterator[Text]:
    if found.path is None:
        return
    paths = f"{count_text(found.count)} path" + ("" if found.count == 1 else "s, the heaviest")
    share = value_text(found.path.product)
    yield line(
        f"  {paths}: ", (" → ".join(_shortened(found.path.nodes)), ui.FAINT), f" brings {share}"
    )
    if found.decisive:
        yield _decisive(found)
    if found.paths_cancel:
        yield line("  the paths nearly cancel")
    if found.paths_add_up:
        yield line("  no path is so large: they add up")


def _decisive(found: Magnitude) -> Text:
    """The factors that make a gradient small or large, the strongest first."""
    count = len(found.decisive)
    factors = [f"{it.source} → {it.target} {short(it.size)}" for it in found.decisive[:SHOWN]]
    more = f" and {count - SHOWN} more" if count > SHOWN else ""
    makes = "1 factor makes" if count == 1 else f"{count} factors make"
    return line(f"  {makes} it so: ", (", ".join(factors) + more, ui.NUMBER))


def _shortened(nodes: Sequence[str]) -> Sequence[str]:
    """A long path by its two ends."""
    return nodes if len(nodes) <= 2 * SHOWN else (*nodes[:SHOWN], "…", *nodes[-SHOWN:])
