"""A node's card as lines of text: value, local derivatives, contributions and their running sum."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from rich.text import Text

from bpstep.render import lines as ui
from bpstep.render.equation import equation
from bpstep.render.lines import Cell, cut, line
from bpstep.render.numbers import not_finite, shape_text, short, value_text
from bpstep.render.steps import convention_text
from bpstep.render.values import Entry, entry, value_table

if TYPE_CHECKING:
    from bpstep.session.card import Card, CardRow, LocalDerivative, Summary
    from bpstep.session.listing import NodeRow

AWAITED = "·"
"""Stands where a number has not arrived yet: never 0, which would be a finding."""


def card_lines(card: Card) -> Iterator[Text]:
    """The whole card."""
    row = card.row
    yield line((equation(row.name, row.expression), ui.HEADING), (f"  {row.role}", ui.FAINT))
    yield line("  value ", *_number(row.value), *_shape(card.shape))
    yield line(f"  {gradient_head(row)} ", *_number(row.grad), _count(card))
    yield from _summaries(card)
    yield from _locals(card)
    yield from _contributions(card)
    for ghost in card.ghosts:
        yield line(f"  {ui.CUT} cut by {ghost.through}: ", *_number(ghost.value), " never arrives")
    if card.note is not None:
        yield line(f"  note: {card.note}")


def gradient_head(row: NodeRow) -> str:
    """What a node's gradient is called: ``gradient so far`` until all has arrived."""
    return "gradient" if row.status == "complete" else "gradient so far"


def _number(value: Any) -> tuple[Cell]:
    if value is None:
        return ((AWAITED, ui.FAINT),)
    return ((value_text(value), ui.BAD if not_finite(value) else ui.NUMBER),)


def _shape(shape: tuple[int, ...]) -> tuple[Cell, ...]:
    return ((f"  shape {shape_text(shape)}", ui.FAINT),) if shape else ()


def _count(card: Card) -> Cell:
    row = card.row
    if row.status == "unrecorded":
        return (f"  {ui.UNRECORDED} nothing is recorded for it", ui.FAINT)
    if not row.receives:
        return ("  nothing arrives in this pass", ui.FAINT)
    sign = ui.SIGNS[row.status]
    return (f"  {sign} {row.arrived} of {row.expected} arrived", ui.SIGN_STYLES[sign])


def _summaries(card: Card) -> Iterator[Text]:
    for name, summary in (("value", card.value_summary), ("gradient", card.grad_summary)):
        if summary is not None:
            yield line(f"  {name}: ", summary_text(summary))


def summary_text(summary: Summary) -> str:
    """A tensor's elements in a few numbers: "min -1  max 2  mean 0.5  norm 2.3"."""
    named = {"min": summary.minimum, "max": summary.maximum, "mean": summary.mean}
    parts = [f"{name} {short(value)}" for name, value in named.items() if value is not None]
    parts.append(f"norm {short(summary.norm)}")
    parts += [f"{ui.NOT_FINITE} {summary.nonfinite} not finite"] if summary.nonfinite else []
    return "  ".join(parts)


def _locals(card: Card) -> Iterator[Text]:
    for local in card.locals:
        yield line("  ", derivative_text(card.row.name, local), *_convention(local))


def derivative_text(node: str, local: LocalDerivative) -> str:
    """A local derivative as rule and number: "∂q/∂h = v = 3". A detach has neither."""
    number = value_text(local.value)
    parts = [part for part in (local.rule, number) if part]
    said = " = ".join(dict.fromkeys(parts)) or "none: nothing is sent through it"
    remark = "" if local.requires_grad else "  (not recorded)"
    return f"∂{node}/∂{local.operand} = {said}{remark}"


def _convention(found: LocalDerivative | CardRow) -> tuple[Cell, ...]:
    if found.convention is None:
        return ()
    return ("  ", (convention_text(found.convention), ui.KINK))


def _contributions(card: Card) -> Iterator[Text]:
    if card.seed is not None:
        yield line("  seed ", *_number(card.seed))
    if card.buffer is not None:
        yield line("  buffer ", *_number(card.buffer), " before this pass")
    if not card.rows:
        return
    heads = ("", "from", "operand", "upstream", "local", "contribution", "running", "")
    yield from value_table(heads, [_row(row) for row in card.rows], right=(2, 3, 4, 5, 6))
    if card.awaited and len(card.awaited) < len(card.rows):
        names = ", ".join(dict.fromkeys(row.source for row in card.awaited))
        yield line((f"  waiting for {names}", ui.OPEN))


def _row(row: CardRow) -> list[Entry]:
    return [
        (ui.HERE, ui.HEADING) if row.current else "",
        cut(equation(row.source, row.expression), ui.EXPRESSION_WIDTH),
        str(row.operand),
        _arrived(row.upstream),
        row.rule if row.local is None else entry(row.local),
        _arrived(row.value),
        _arrived(row.running),
        *_convention(row)[1:],
    ]


def _arrived(value: Any) -> Entry:
    return (AWAITED, ui.FAINT) if value is None else entry(value, ui.NUMBER)
