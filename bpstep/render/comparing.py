"""Two runs side by side as a table; what differs has a sign, and the first such step is named."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rich.text import Text

from bpstep.engine.arithmetic import Value
from bpstep.render import lines as ui
from bpstep.render.lines import Cell, line, table
from bpstep.render.numbers import exact, value_text

if TYPE_CHECKING:
    from bpstep.analysis.compare import GhostPair, Pair, Sent
    from bpstep.session.reports import CompareReport

DIFFERENT, NOWHERE = "≠", "–"
WHOLE = 100
"""Of more nodes than this only those that differ are listed, and at most ten times as many."""

HEADS = ("", "node", "value", "", "gradient", "", "contributions", "")


def compare_lines(report: CompareReport) -> Iterator[Text]:
    """What differs between two runs: the first step at which they part, then node by node."""
    found = report.comparison
    differing = [pair for pair in found.pairs if _differs(pair)]
    said = "the same" if found.same else f"{len(differing)} of {len(found.pairs)} nodes differ"
    yield line(("compare", ui.HEADING), f" {report.left} with {report.right}: {said}")
    if found.parting is not None:
        yield from _parting(*found.parting)
    if found.first_value is not None:
        yield line(f"  first value that differs: {found.first_value}")
    shown = found.pairs if len(found.pairs) <= WHOLE else differing[: 10 * WHOLE]
    yield from table(HEADS, [_row(pair) for pair in shown], right=(2, 3, 4, 5))
    if len(shown) < len(found.pairs):
        yield line((f"  … and {len(found.pairs) - len(shown)} more", ui.FAINT))
    yield from map(_ghosts, found.ghosts)


def _differs(pair: Pair) -> bool:
    return not (pair.same_value and pair.same_grad and pair.same_arrivals)


def _parting(left: Sent | None, right: Sent | None) -> Iterator[Text]:
    step = next(sent.step for sent in (left, right) if sent is not None)
    yield line((f"  {DIFFERENT} they part at step {step}", ui.OPEN), f": {_sent(left)}")
    yield line(f"    there: {_sent(right)}")


def _sent(sent: Sent | None) -> str:
    """A step in words."""
    if sent is None:
        return "no more steps"
    if sent.source is None:
        return f"{sent.target} is seeded in pass {sent.pass_number}"
    amount = exact(sent.value) if isinstance(sent.value, float) else value_text(sent.value)
    return f"{sent.source} sends {amount} to {sent.target}, its operand {sent.operand}"


def _row(pair: Pair) -> list[Cell]:
    """Each of the three things here and, where it differs, there."""
    arrivals = _arrived(pair.left_arrivals), _arrived(pair.right_arrivals)
    return [
        (DIFFERENT, ui.OPEN) if _differs(pair) else "",
        pair.node,
        *_both(_text(pair.left_value), _text(pair.right_value), pair.same_value),
        *_both(_text(pair.left_grad), _text(pair.right_grad), pair.same_grad),
        *_both(*arrivals, pair.same_arrivals),
    ]


def _both(left: str, right: str, same: bool) -> tuple[Cell, Cell]:
    return (left, "") if same else ((left, ui.NUMBER), (f"{DIFFERENT} {right}", ui.OPEN))


def _text(value: Value | None) -> str:
    return NOWHERE if value is None else value_text(value)


def _arrived(arrivals: Sequence[Sent]) -> str:
    """Who sent what, in order."""
    told = [f"{sent.source} {value_text(sent.value)}" for sent in arrivals[:6]]
    told += ["…"] if len(arrivals) > 6 else []
    return ", ".join(told) or NOWHERE


def _ghosts(pair: GhostPair) -> Text:
    here, there = (
        ", ".join(f"{value_text(value)} through {through}" for through, value in side) or NOWHERE
        for side in (pair.left, pair.right)
    )
    shown = here if here == there else f"{here} {DIFFERENT} {there}"
    return line((f"  {ui.CUT} kept from {pair.node}: {shown}", ui.FAINT))
