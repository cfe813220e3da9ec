"""Why a gradient is what it is, as fields of the trace's event ``why``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bpstep.render.jsonl import Fields, convention_fields

if TYPE_CHECKING:
    from bpstep.analysis.causes import Cause
    from bpstep.analysis.forward_origins import ForwardOrigin
    from bpstep.analysis.origins import Origins, ReverseOrigin
    from bpstep.analysis.why import Magnitude, Why
    from bpstep.analysis.zeros import ZeroGradient


def why_fields(found: Why) -> Fields:
    """A finding; what it does not have (no zero, everything finite) is not among its fields."""
    fields: Fields = {
        "node": found.text,
        "kind": found.kind,
        "gradient": found.gradient,
        "reasons": found.reasons,
    }
    if found.zero is not None:
        fields |= _zero(found.zero)
    if found.origins is not None:
        fields["origins"] = origins_fields(found.origins)
    if found.magnitude is not None:
        fields["magnitude"] = _magnitude(found.magnitude)
    return fields


def _zero(zero: ZeroGradient) -> Fields:
    return {
        "zeros": zero.zeros,
        "size": zero.size,
        "causes": [_cause(cause) for cause in zero.causes],
        "elements": [{"element": index, "reasons": reasons} for index, reasons in zero.elements],
    }


def _cause(cause: Cause) -> Fields:
    fields: Fields = {
        "reason": cause.reason,
        "node": cause.node,
        "receiver": cause.receiver,
        "op": cause.operation,
        "step": cause.step,
        "operand": cause.operand,
        "factor": cause.factor,
        "value": cause.value,
        "elements": cause.elements,
        "distance": cause.distance,
    }
    if cause.convention is not None:
        fields["convention"] = convention_fields(cause.convention)
    return fields


def origins_fields(origins: Origins) -> Fields:
    """Where what is not finite first arises, in both passes."""
    return {
        "first": origins.first,
        "only_reverse": origins.only_reverse,
        "hidden": origins.hidden,
        "forward": [_forward(origin) for origin in origins.forward],
        "reverse": [_reverse(origin) for origin in origins.reverse],
    }


def _forward(origin: ForwardOrigin) -> Fields:
    return {
        "node": origin.node,
        "value": origin.value,
        "element": origin.index,
        "elements": origin.elements,
    }


def _reverse(origin: ReverseOrigin) -> Fields:
    return {
        "kind": origin.kind,
        "step": origin.step,
        "node": origin.receiver,
        "from": origin.node,
        "operand": origin.operand,
        "upstream": origin.upstream,
        "local": origin.local,
        "value": origin.value,
        "element": origin.index,
        "elements": origin.elements,
        "unselected": origin.unselected,
    }


def _magnitude(found: Magnitude) -> Fields:
    path = found.path
    return {
        "size": found.size,
        "count": found.count,
        "path": None
        if path is None
        else {"nodes": path.nodes, "factors": path.factors, "product": path.product},
        "decisive": [
            {"from": it.source, "node": it.target, "factor": it.size} for it in found.decisive
        ],
        "paths_cancel": found.paths_cancel,
        "paths_add_up": found.paths_add_up,
    }
