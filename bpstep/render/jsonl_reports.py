"""What commands report, as lines of the trace: one event a result, named after its command."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from bpstep.render.jsonl import Fields, convention_fields, line
from bpstep.render.jsonl_check import check_fields
from bpstep.render.jsonl_element import element_fields
from bpstep.render.jsonl_findings import compare_fields, flow_fields, paths_fields, update_fields
from bpstep.render.jsonl_why import why_fields
from bpstep.session import reports, standing

if TYPE_CHECKING:
    from bpstep.session.breakpoints import Breakpoint
    from bpstep.session.card import Card, CardRow, LocalDerivative
    from bpstep.session.listing import NodeRow


def report_lines(report: reports.Report, dtype: str) -> Iterator[str]:
    """The lines of one report, without their ends."""
    name, fields = _REPORTS[type(report)]
    for made in fields(report):
        yield line(name, made, dtype)


def place_fields(place: standing.Place) -> Fields:
    """Where a session stands, and what comes next."""
    fields = {
        "position": place.position,
        "total": place.total,
        "pass": place.pass_number,
        "node": place.node,
        "grad": place.grad,
        "arrived": place.arrived,
        "expected": place.expected,
        "complete": place.complete,
        "next": _upcoming(place.upcoming),
    }
    return fields if place.after is None else {**fields, "after": place.after}


def _upcoming(upcoming: standing.Upcoming | None) -> Fields | None:
    if upcoming is None:
        return None
    return {
        "step": upcoming.step,
        "node": upcoming.node,
        "from": upcoming.source,
        "operand": upcoming.operand,
    }


def _stop(stop: reports.Stop) -> Iterator[Fields]:
    yield {
        "before": stop.before,
        **place_fields(stop.place),
        "reason": stop.reason,
        "breakpoints": _breakpoints(stop.hits),
        "watches": _watches(stop.watches),
    }


def _breakpoints(breakpoints: Iterable[Breakpoint]) -> list[Fields]:
    return [{"number": one.number, "text": one.text} for one in breakpoints]


def _watches(watches: Iterable[standing.Watched]) -> list[Fields]:
    return [_watched(watched) for watched in watches]


def _watched(watched: standing.Watched) -> Fields:
    fields = {"number": watched.number, **_printed_fields(watched.printed)}
    return fields if watched.fault is None else {**fields, "fault": watched.fault}


def _printed_fields(printed: standing.Printed) -> Fields:
    fields: Fields = {"expr": printed.text, "value": printed.value}
    return fields if printed.missing is None else {**fields, "missing": printed.missing}


def _printed(printed: standing.Printed) -> Iterator[Fields]:
    yield _printed_fields(printed)


def _asserted(asserted: reports.Asserted) -> Iterator[Fields]:
    sides = [_side(side) for side in asserted.sides]
    yield {"expr": asserted.text, "held": asserted.held, "sides": sides}


def _side(side: reports.Side) -> Fields:
    fields: Fields = {"expr": side.text, "op": side.symbol, "left": side.left, "right": side.right}
    fields["held"] = side.held
    return {**fields, "failing": side.failing} if side.failing else fields


def _where(where: reports.Where) -> Iterator[Fields]:
    yield {**place_fields(where.place), "row": None if where.row is None else _row(where.row)}


def _row(row: NodeRow) -> Fields:
    return {
        "node": row.name,
        "role": row.role,
        "expr": row.expression,
        "value": row.value,
        "grad": row.grad,
        "arrived": row.arrived,
        "expected": row.expected,
        "status": row.status,
        "current": row.current,
        "breakpoint": row.breakpoint,
    }


def _node_list(nodes: reports.NodeList) -> Iterator[Fields]:
    yield {
        "position": nodes.place.position,
        "before": nodes.before,
        "after": nodes.after,
        "nodes": [_row(row) for row in nodes.rows],
    }


def _grads(table: reports.GradTable) -> Iterator[Fields]:
    yield {
        "position": table.place.position,
        "grads": {row.name: row.grad for row in table.rows},
    }


def _values(table: reports.ValueTable) -> Iterator[Fields]:
    yield {
        "position": table.place.position,
        "values": {row.name: row.value for row in table.rows},
    }


def _info(report: reports.CardReport) -> Iterator[Fields]:
    card: Card = report.card
    yield {
        **_row(card.row),
        "shape": card.shape,
        "locals": [_local(local) for local in card.locals],
        "seed": card.seed,
        "buffer": card.buffer,
        "contributions": [_card_row(row) for row in card.rows],
        "ghosts": [{"through": ghost.through, "value": ghost.value} for ghost in card.ghosts],
        "note": card.note,
    }


def _local(local: LocalDerivative) -> Fields:
    fields: Fields = {
        "operand": local.operand,
        "position": local.position,
        "rule": local.rule,
        "value": local.value,
    }
    if local.convention is not None:
        fields["convention"] = convention_fields(local.convention)
    return fields


def _card_row(row: CardRow) -> Fields:
    return {
        "step": row.step,
        "from": row.source,
        "operand": row.operand,
        "upstream": row.upstream,
        "local": row.local,
        "rule": row.rule,
        "value": row.value,
        "running": row.running,
        "arrived": row.arrived,
    }


def _element(report: reports.ElementReport) -> Iterator[Fields]:
    yield element_fields(report.element)


def _paths(report: reports.PathsReport) -> Iterator[Fields]:
    yield paths_fields(report.paths)


def _why(report: reports.WhyReport) -> Iterator[Fields]:
    yield why_fields(report.why)


def _checks(report: reports.CheckReport) -> Iterator[Fields]:
    for result in report.results:
        yield check_fields(result)


def _updates(report: reports.UpdateReport) -> Iterator[Fields]:
    for result in report.results:
        yield update_fields(result)


def _flow(report: reports.FlowReport) -> Iterator[Fields]:
    yield flow_fields(report)


def _compare(report: reports.CompareReport) -> Iterator[Fields]:
    yield compare_fields(report)


def _break(report: reports.BreakpointSet) -> Iterator[Fields]:
    yield from _breakpoints([report.breakpoint])


def _breakpoint_list(
    report: reports.BreakpointList | reports.BreakpointDeleted,
) -> Iterator[Fields]:
    yield {"breakpoints": _breakpoints(report.breakpoints)}


def _watch_list(report: reports.WatchList) -> Iterator[Fields]:
    yield {"watches": _watches(report.watches)}


def _watch_deleted(report: reports.WatchDeleted) -> Iterator[Fields]:
    yield {"watches": [{"number": one.number, "expr": one.text} for one in report.watches]}


def _set(report: reports.SetReport) -> Iterator[Fields]:
    yield {
        "name": report.name,
        "before": report.before,
        "after": report.after,
        "loss": report.loss,
        "loss_before": report.loss_before,
        "loss_after": report.loss_after,
        "same_step": report.same_step,
        "position": report.place.position,
    }


def _restart(report: reports.Restarted) -> Iterator[Fields]:
    yield place_fields(report.place)


def _source(report: reports.Sourced) -> Iterator[Fields]:
    yield {"path": str(report.path), "commands": report.commands}


def _help(report: reports.HelpReport) -> Iterator[Fields]:
    commands = [
        {
            "name": command.name,
            "alias": command.alias,
            "usage": command.usage,
            "summary": command.summary,
        }
        for command in report.commands
    ]
    yield {"commands": commands}


_REPORTS: Mapping[type, tuple[str, Callable[[Any], Iterator[Fields]]]] = {
    reports.Stop: ("stop", _stop),
    reports.Where: ("where", _where),
    reports.NodeList: ("list", _node_list),
    reports.GradTable: ("grads", _grads),
    reports.ValueTable: ("values", _values),
    reports.CardReport: ("info", _info),
    reports.ElementReport: ("info", _element),
    reports.PathsReport: ("paths", _paths),
    reports.WhyReport: ("why", _why),
    reports.CheckReport: ("check", _checks),
    reports.UpdateReport: ("update", _updates),
    reports.FlowReport: ("flow", _flow),
    reports.CompareReport: ("compare", _compare),
    standing.Printed: ("print", _printed),
    reports.Asserted: ("assert", _asserted),
    reports.BreakpointSet: ("break", _break),
    reports.BreakpointList: ("breakpoints", _breakpoint_list),
    reports.BreakpointDeleted: ("delete", _breakpoint_list),
    reports.WatchList: ("watch", _watch_list),
    reports.WatchDeleted: ("unwatch", _watch_deleted),
    reports.SetReport: ("set", _set),
    reports.Restarted: ("restart", _restart),
    reports.Sourced: ("source", _source),
    reports.HelpReport: ("help", _help),
}
