"""What commands report, as lines of text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.text import Text

from bpstep.render import lines as ui
from bpstep.render.card import AWAITED, card_lines
from bpstep.render.checks import check_lines
from bpstep.render.comparing import compare_lines
from bpstep.render.explain import explain_at, upcoming
from bpstep.render.flow import flow_lines
from bpstep.render.lines import Cell, columns, cut, line, wrapped
from bpstep.render.moments import end_text
from bpstep.render.numbers import exact_text, not_finite, value_text
from bpstep.render.paths import paths_lines
from bpstep.render.scalar_terms import element_lines
from bpstep.render.updates import update_lines
from bpstep.render.values import Entry, entry, value_table, written
from bpstep.render.why import why_lines
from bpstep.session import reports, standing

if TYPE_CHECKING:
    from bpstep.session.breakpoints import Breakpoint
    from bpstep.session.listing import NodeRow


LISTED_EXPRESSION = 22
"""Expressions in lists, which have many columns, are cut to so many."""


def report_lines(report: reports.Report, dtype: str) -> Iterator[Text]:
    """The lines of one report; values that were asked for by name are exact in `dtype`."""
    yield from _REPORTS[type(report)](report, dtype)


def place_text(place: standing.Place) -> str:
    """Where a session stands: "step 6 of 13 · pass 1 · ◐ p has 1 of 2"."""
    if place.passes == 0:
        return "the program runs no reverse pass"
    parts = [f"step {place.position} of {place.total}"]
    parts += [f"pass {place.pass_number}"] if place.passes > 1 else []
    if place.kind == "start":
        return " · ".join([*parts, "nothing is sent yet"])
    if place.complete:
        return " · ".join([*parts, f"{ui.COMPLETE} {place.node} is complete"])
    return " · ".join(
        [*parts, f"{ui.PARTIAL} {place.node} has {place.arrived} of {place.expected}"]
    )


def _stop(stop: reports.Stop, dtype: str) -> Iterator[Text]:
    place = stop.place
    for hit in stop.hits:
        yield line((f"{ui.BREAKPOINT} breakpoint {hit.number}: {hit.text}", ui.OPEN))
    yield line((f"{ui.HERE} {place_text(place)}", ui.HEADING), *_grad(place))
    yield from wrapped(explain_at(stop.session.run, place.position))
    note = stop.session.scenario.notes.get(place.node or "")
    if note and place.position:
        yield from wrapped(f"note: {note}")
    yield from _end(place)
    if place.position and place.after is None:
        yield line((f"  {upcoming(stop.session.run, place.position)}", ui.FAINT))
    yield from _watches(stop.watches, dtype)


def _grad(place: standing.Place) -> tuple[Cell, ...]:
    if place.grad is None:
        return ()
    return (": ", (value_text(place.grad), ui.BAD if not_finite(place.grad) else ui.NUMBER))


def _end(place: standing.Place) -> Iterator[Text]:
    """Says that values and gradients are those of the end of the program, where they changed."""
    if place.after is not None:
        yield line((f"  {end_text(place)}", ui.OPEN))


def _moment(place: standing.Place) -> str:
    return f"the {end_text(place)}" if place.after is not None else place_text(place)


def _watches(watches: Iterable[standing.Watched], dtype: str) -> Iterator[Text]:
    for watched in watches:
        said = watched.fault or _said(watched.printed, dtype)
        yield line(f"  watch {watched.number}: {watched.printed.text} = ", said)


def _said(printed: standing.Printed, dtype: str) -> str:
    if printed.value is not None:
        return exact_text(printed.value, dtype)
    missing = "" if printed.missing is None else f": {printed.missing} has not arrived yet"
    return f"none{missing}"


def _printed(printed: standing.Printed, dtype: str) -> Iterator[Text]:
    yield line(f"{printed.text} = ", (_said(printed, dtype), ui.NUMBER))


def _asserted(asserted: reports.Asserted, dtype: str) -> Iterator[Text]:
    if asserted.held:
        yield line((f"✓ assert {asserted.text}", ui.GOOD))
        return
    yield line((f"✗ assert {asserted.text}", ui.BAD))
    for side in asserted.sides:
        if not side.held:
            yield line(f"    {side.text} does not hold{_both(side, dtype)}")


def _both(side: reports.Side, dtype: str) -> str:
    """Both sides of a comparison that fails; of tensors, of the first element that does."""
    left, right, place = side.left, side.right, ""
    if side.failing:
        first = side.failing[0]
        whole = np.broadcast_arrays(np.asarray(left), np.asarray(right))
        left, right = (each[first] for each in whole)
        count = len(side.failing)
        more = f", nor for {count - 1} more of {whole[0].size}" if count > 1 else ""
        place = f" at {list(first)}{more}"
    return f"{place}: {exact_text(left, dtype)} {side.symbol} {exact_text(right, dtype)}"


def _where(where: reports.Where, dtype: str) -> Iterator[Text]:
    yield line((f"{ui.HERE} {place_text(where.place)}", ui.HEADING), *_grad(where.place))
    yield from _end(where.place)
    if where.row is not None:
        yield from columns([[written(one) for one in _node(where.row)[2:]]])


def _node_list(nodes: reports.NodeList, dtype: str) -> Iterator[Text]:
    yield line((place_text(nodes.place), ui.HEADING))
    yield from _end(nodes.place)
    if nodes.before:
        yield line((f"  … {nodes.before} before these", ui.FAINT))
    heads = ("", "", "", "node", "expression", "value", "gradient", "arrived")
    yield from value_table(heads, [_node(row) for row in nodes.rows], right=(5, 6), indent=0)
    if nodes.after:
        yield line((f"  … {nodes.after} after these", ui.FAINT))


def _how(row: NodeRow, width: int) -> Cell:
    return (cut(row.expression or row.role, width), ui.FAINT)


def _node(row: NodeRow) -> list[Entry]:
    sign = ui.SIGNS[row.status]
    marks = (ui.CUT if row.cut else "") + (ui.AT_KINK if row.kink else "")
    marks += ui.NOT_FINITE if row.nonfinite else ""
    arrived = f"{row.arrived} of {row.expected}" if row.expected > 1 else ""
    return [
        (ui.HERE if row.current else "", ui.HEADING),
        (ui.BREAKPOINT if row.breakpoint else "", ui.OPEN),
        (sign, ui.SIGN_STYLES[sign]),
        cut(row.name, ui.NAME_WIDTH),
        _how(row, LISTED_EXPRESSION),
        entry(row.value),
        _gradient(row),
        f"{arrived} {marks}".strip(),
    ]


def _gradient(row: NodeRow) -> Entry:
    if row.grad is None:
        return (AWAITED if row.receives else "none", ui.FAINT)
    return entry(row.grad, ui.NUMBER)


def _grads(found: reports.GradTable, dtype: str) -> Iterator[Text]:
    yield line((f"gradients at {_moment(found.place)}", ui.HEADING))
    rows: list[list[Entry]] = []
    for row in found.rows:
        sign = ui.SIGNS[row.status]
        name = cut(row.name, ui.NAME_WIDTH)
        rows.append([(sign, ui.SIGN_STYLES[sign]), name, _gradient(row)])
    yield from value_table(("", "node", "gradient"), rows)


def _values(found: reports.ValueTable, dtype: str) -> Iterator[Text]:
    yield line((f"values at {_moment(found.place)}", ui.HEADING))
    rows = [
        [cut(row.name, ui.NAME_WIDTH), _how(row, ui.EXPRESSION_WIDTH), entry(row.value, ui.NUMBER)]
        for row in found.rows
    ]
    yield from value_table(("node", "expression", "value"), rows)


def _card(report: reports.CardReport, dtype: str) -> Iterator[Text]:
    yield from card_lines(report.card)


def _element(report: reports.ElementReport, dtype: str) -> Iterator[Text]:
    yield from element_lines(report.element)


def _paths(report: reports.PathsReport, dtype: str) -> Iterator[Text]:
    yield from paths_lines(report.paths)


def _why(report: reports.WhyReport, dtype: str) -> Iterator[Text]:
    yield from why_lines(report.why)


def _checks(report: reports.CheckReport, dtype: str) -> Iterator[Text]:
    for result in report.results:
        yield from check_lines(result)


def _updates(report: reports.UpdateReport, dtype: str) -> Iterator[Text]:
    yield from update_lines(report.results)


def _flow(report: reports.FlowReport, dtype: str) -> Iterator[Text]:
    yield from flow_lines(report)


def _compare(report: reports.CompareReport, dtype: str) -> Iterator[Text]:
    yield from compare_lines(report)


def _breakpoint(one: Breakpoint) -> Text:
    return line(f"{ui.BREAKPOINT} breakpoint {one.number}: {one.text}")


def _break(report: reports.BreakpointSet, dtype: str) -> Iterator[Text]:
    yield _breakpoint(report.breakpoint)


def _breakpoints(report: reports.BreakpointList, dtype: str) -> Iterator[Text]:
    if not report.breakpoints:
        yield line("no breakpoints")
    yield from (_breakpoint(one) for one in report.breakpoints)


def _deleted(report: reports.BreakpointDeleted, dtype: str) -> Iterator[Text]:
    if not report.breakpoints:
        yield line("no breakpoints to delete")
    for one in report.breakpoints:
        yield line(f"deleted breakpoint {one.number}: {one.text}")


def _watch_list(report: reports.WatchList, dtype: str) -> Iterator[Text]:
    if not report.watches:
        yield line("no watches")
    yield from _watches(report.watches, dtype)


def _unwatched(report: reports.WatchDeleted, dtype: str) -> Iterator[Text]:
    if not report.watches:
        yield line("no watches to delete")
    for one in report.watches:
        yield line(f"deleted watch {one.number}: {one.text}")


def _set(report: reports.SetReport, dtype: str) -> Iterator[Text]:
    before, after = (exact_text(value, dtype) for value in (report.before, report.after))
    yield line(f"{report.name}: {before} → ", (after, ui.NUMBER))
    losses = (exact_text(value, dtype) for value in (report.loss_before, report.loss_after))
    yield line(f"{report.loss}: {' → '.join(losses)}")
    stay = "still at" if report.same_step else "that step is gone; now at"
    yield line((f"{stay} {place_text(report.place)}", ui.FAINT), *_grad(report.place))


def _restart(report: reports.Restarted, dtype: str) -> Iterator[Text]:
    yield line(f"back at the start: {place_text(report.place)}")


def _source(report: reports.Sourced, dtype: str) -> Iterator[Text]:
    plural = "" if report.commands == 1 else "s"
    yield line((f"{report.path}: {report.commands} command{plural}", ui.FAINT))


def _help(report: reports.HelpReport, dtype: str) -> Iterator[Text]:
    if report.details:
        for command in report.commands:
            alias = f" (alias {command.alias})" if command.alias else ""
            yield line((" · ".join(command.usage), ui.HEADING), alias)
            yield line(f"  {command.summary}")
            yield from (line(f"  {part}") for part in command.details.splitlines())
        return
    rows: list[list[Cell]] = [
        [command.usage[0], command.alias or "", (command.summary, "")]
        for command in report.commands
    ]
    yield from columns(rows)


_REPORTS: Mapping[type, Callable[[Any, str], Iterator[Text]]] = {
    reports.Stop: _stop,
    reports.Where: _where,
    reports.NodeList: _node_list,
    reports.GradTable: _grads,
    reports.ValueTable: _values,
    reports.CardReport: _card,
    reports.ElementReport: _element,
    reports.PathsReport: _paths,
    reports.WhyReport: _why,
    reports.CheckReport: _checks,
    reports.UpdateReport: _updates,
    reports.FlowReport: _flow,
    reports.CompareReport: _compare,
    standing.Printed: _printed,
    reports.Asserted: _asserted,
    reports.BreakpointSet: _break,
    reports.BreakpointList: _breakpoints,
    reports.BreakpointDeleted: _deleted,
    reports.WatchList: _watch_list,
    reports.WatchDeleted: _unwatched,
    reports.SetReport: _set,
    reports.Restarted: _restart,
    reports.Sourced: _source,
    reports.HelpReport: _help,
}
