"""What analyses found, as fields of the trace: paths, updates, flow, two runs side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from bpstep.render.jsonl import Fields

if TYPE_CHECKING:
    from bpstep.analysis.compare import GhostPair, Pair, Sent
    from bpstep.analysis.flow import FlowRow, Spread
    from bpstep.analysis.paths import Path, PathsResult
    from bpstep.analysis.updates import UpdateResult
    from bpstep.session.reports import CompareReport, FlowReport

LONGEST = 1_000
"""Of a path with more edges, so many are given in all, half at each end."""


def paths_fields(found: PathsResult) -> Fields:
    """The largest paths, how many there are, what they sum to, and those through a detach."""
    return {
        "node": found.node,
        "count": found.count,
        "total": found.total,
        "paths": [_path(path) for path in found.paths],
        "gradient": found.gradient,
        "agree": found.agree,
        "complete": found.complete,
        "ghosts": [_path(path) for path in found.ghosts],
        "ghost_count": found.ghost_count,
    }


def _path(path: Path) -> Fields:
    """A path; ``omitted`` edges in its middle, where it is too long."""
    omitted = max(0, path.length - LONGEST)
    if not omitted:
        nodes, edges = list(path.nodes), [path.edge(place) for place in range(path.length)]
    else:
        half = LONGEST // 2
        places = [*range(half), *range(path.length - half, path.length)]
        edges = [path.edge(place) for place in places]
        nodes = [edge.source for edge in edges] + [edges[-1].target]
    fields: Fields = {
        "nodes": nodes,
        "factors": [edge.factor for edge in edges],
        "product": path.product,
    }
    if any(edge.factor is None for edge in edges):
        fields["rules"] = [edge.rule for edge in edges]
    return {**fields, "omitted": omitted} if omitted else fields


def update_fields(result: UpdateResult) -> Fields:
    """One gradient step: the parameters and the loss after it, and the branches it crosses."""
    return {
        "rate": result.rate,
        "params": result.params,
        "loss": result.loss,
        "predicted": result.predicted,
        "actual": result.actual,
        "crossed": result.crossed,
        "ratio": result.ratio,
        "crossings": [{"node": each.node, "rate": each.rate} for each in result.crossings],
    }


def flow_fields(report: FlowReport) -> Fields:
    """The figures of every node; ``rate`` is that of the update ratios."""
    flow = report.flow
    return {
        "rate": flow.rate,
        "nodes": [_flow_row(row) for row in flow.rows],
        "first_nonfinite_value": flow.first_value,
        "first_nonfinite_contribution": None if report.first is None else _sent(report.first),
    }


def _flow_row(row: FlowRow) -> Fields:
    return {
        "node": row.node,
        "role": row.role,
        "shape": row.shape,
        "value": _spread(row.value),
        "grad": None if row.gradient is None else _spread(row.gradient),
        "saturated": row.saturated,
        "update_to_weight": row.ratio,
    }


def _spread(spread: Spread) -> Fields:
    return {
        "mean": spread.mean,
        "std": spread.deviation,
        "zeros": spread.zeros,
        "norm": spread.norm,
    }


def compare_fields(report: CompareReport) -> Fields:
    """Two runs side by side; ``parting`` is the first step at which they differ."""
    found = report.comparison
    parting = None if found.parting is None else _sides(*found.parting)
    return {
        "left": report.left,
        "right": report.right,
        "same": found.same,
        "first_value": found.first_value,
        "parting": parting,
        "nodes": [_pair(pair) for pair in found.pairs],
        "ghosts": [_ghosts(pair) for pair in found.ghosts],
    }


def _sides(left: Sent | None, right: Sent | None) -> Fields:
    shown = (None if sent is None else _sent(sent) for sent in (left, right))
    return dict(zip(("left", "right"), shown, strict=True))


def _sent(sent: Sent) -> Fields:
    return {
        "step": sent.step,
        "pass": sent.pass_number,
        "node": sent.target,
        "from": sent.source,
        "operand": sent.operand,
        "value": sent.value,
    }


def _pair(pair: Pair) -> Fields:
    return {
        "node": pair.node,
        "same": pair.same_value and pair.same_grad and pair.same_arrivals,
        "values": [pair.left_value, pair.right_value],
        "grads": [pair.left_grad, pair.right_grad],
        "contributions": [_arrivals(pair.left_arrivals), _arrivals(pair.right_arrivals)],
    }


def _arrivals(arrivals: Sequence[Sent]) -> list[Fields]:
    return [
        {"step": sent.step, "from": sent.source, "operand": sent.operand, "value": sent.value}
        for sent in arrivals
    ]


def _ghosts(pair: GhostPair) -> Fields:
    sides = (
        [{"through": through, "value": value} for through, value in side]
        for side in (pair.left, pair.right)
    )
    return {"node": pair.node, **dict(zip(("left", "right"), sides, strict=True))}
