"""The trace: one JSON object a line. Names and their order are a contract with its readers.

Events of the run come first in this file, then what commands report. Values keep all their digits
(of float32 in a float32 scenario); what is not finite is a string; tensors are nested lists.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from bpstep.render.faults import fault_fields
from bpstep.render.numbers import json_value
from bpstep.session import trace

if TYPE_CHECKING:
    from bpstep.engine.arithmetic import Value
    from bpstep.engine.ledger import ConventionUse
    from bpstep.engine.run import Effect

FORMAT = 1
"""The version of the trace."""

Fields = dict[str, Any]


def line(event: str, fields: Mapping[str, Any], dtype: str) -> str:
    """One line of the trace, without its end.

    Text is written in ASCII with JSON's escapes, so that any pipe and terminal can take it.
    """
    made = {"event": event, **json_value(fields, dtype)}
    return json.dumps(made, allow_nan=False, separators=(",", ":"))


def event_line(event: trace.Event, dtype: str) -> str:
    """The line of an event of a run."""
    name, fields = _EVENTS[type(event)]
    return line(name, fields(event), dtype)


def convention_fields(use: ConventionUse) -> Fields:
    """A convention that was used: its key, what it gave, and the interval of legal values."""
    return {"key": use.key, "used": use.used, "interval": use.interval}


def _scenario(event: trace.ScenarioEvent) -> Fields:
    fields = {
        "format": FORMAT,
        "title": event.title,
        "file": event.file,
        "dtype": event.dtype,
        "loss": event.loss,
    }
    return fields if event.fault is None else {**fields, "fault": fault_fields(event.fault)}


def _statement(event: trace.StatementEvent) -> Fields:
    fields: Fields = {"run": event.run, "text": event.text}
    return fields if event.effect is None else {**fields, **_effect(event.effect)}


def _effect(effect: Effect) -> Fields:
    """What a statement did, without what it does not do."""
    fields: Fields = {"norm": effect.norm, "factor": effect.factor, "cleared": effect.cleared}
    if effect.changes is not None:
        fields["changes"] = [
            {"name": it.name, "before": it.before, "after": it.after} for it in effect.changes
        ]
    return {name: value for name, value in fields.items() if value is not None}


def _leaf(event: trace.LeafEvent) -> Fields:
    return {
        "run": event.run,
        "node": event.node,
        "role": event.role,
        "value": event.value,
        "requires_grad": event.requires_grad,
    }


def _forward(event: trace.ForwardEvent) -> Fields:
    return {
        "run": event.run,
        "node": event.node,
        "op": event.op,
        "expr": event.expr,
        "operands": event.operands,
        "value": event.value,
        "requires_grad": event.requires_grad,
    }


def _received(event: trace.SeedEvent | trace.CompleteEvent) -> Fields:
    return {**_step(event), "node": event.node, "grad": event.grad}


def _step(event: trace.SeedEvent | trace.ContributionEvent | trace.CompleteEvent) -> Fields:
    return {"run": event.run, "pass": event.pass_number, "step": event.step}


def _contribution(event: trace.ContributionEvent) -> Fields:
    fields = {
        **_step(event),
        "node": event.node,
        "from": event.source,
        "operand": event.operand,
        "upstream": event.upstream,
        "local": _whole(event.local, event.upstream),
        "value": event.value,
        "running": event.running,
        "arrived": event.arrived,
        "expected": event.expected,
    }
    if event.local is None:
        fields["rule"] = event.rule
    if event.buffer is not None:
        fields["buffer"] = event.buffer
    if event.convention is not None:
        fields["convention"] = convention_fields(event.convention)
    return fields


def _whole(local: Value | None, upstream: Value) -> Value | None:
    """The local derivative of an elementwise operation on tensors as a tensor of its result.

    The engine keeps a constant one, such as an addition's 1, as a number that broadcasts.
    """
    if local is None or not isinstance(upstream, np.ndarray):
        return local
    return np.broadcast_to(local, upstream.shape)


def _ghost(event: trace.GhostEvent) -> Fields:
    return {
        "run": event.run,
        "pass": event.pass_number,
        "node": event.node,
        "through": event.through,
        "value": event.value,
    }


def _result(event: trace.ResultEvent) -> Fields:
    return {"loss": event.loss, "values": event.values, "grads": event.grads}


def _error(event: trace.ErrorEvent) -> Fields:
    return {"code": event.code, "message": event.message}


_EVENTS: Mapping[type, tuple[str, Callable[[Any], Fields]]] = {
    trace.ScenarioEvent: ("scenario", _scenario),
    trace.StatementEvent: ("statement", _statement),
    trace.LeafEvent: ("leaf", _leaf),
    trace.ForwardEvent: ("forward", _forward),
    trace.SeedEvent: ("seed", _received),
    trace.ContributionEvent: ("contribution", _contribution),
    trace.CompleteEvent: ("complete", _received),
    trace.GhostEvent: ("ghost", _ghost),
    trace.ResultEvent: ("result", _result),
    trace.ErrorEvent: ("error", _error),
}
