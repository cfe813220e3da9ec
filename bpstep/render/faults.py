"""A fault in words: what is wrong on purpose, in one line."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from bpstep.render.numbers import value_text

if TYPE_CHECKING:
    from bpstep.engine.faults import Fault


def fault_fields(fault: Fault) -> dict[str, Any]:
    """A fault by the keys of a scenario file, those that it has."""
    fields = {
        "kind": fault.kind,
        "node": fault.node,
        "from": fault.source,
        "op": fault.op,
        "operand": fault.operand,
        "value": fault.value,
    }
    return {key: value for key, value in fields.items() if value is not None}


def fault_text(fault: Fault) -> str:
    """What a fault breaks: "overwrite: a contribution to p replaces what has arrived"."""
    return f"{fault.kind}: {_WORDS[fault.kind](fault)}"


def _overwrite(fault: Fault) -> str:
    at = "" if fault.node is None else f" to {fault.node}"
    return f"a contribution{at} replaces what has arrived, where it should be added"


def _drop(fault: Fault) -> str:
    return f"what {fault.source} sends to {fault.node}{_position(fault)} is lost"


def _single_operand(fault: Fault) -> str:
    what = "an operand" if fault.node is None else fault.node
    return f"{what} that stands twice in an operation gets one contribution"


def _revisit(fault: Fault) -> str:
    return "a shared node is sent on once for every path, from its sum so far"


def _early(fault: Fault) -> str:
    return "a node sends on only its first contribution"


def _rule(fault: Fault) -> str:
    assert fault.value is not None, "a fault of kind rule has a value"
    return (
        f"the local derivative of {fault.node or fault.op}{_position(fault)}"
        f" is replaced by {value_text(fault.value)}"
    )


def _transpose(fault: Fault) -> str:
    which = "a matmul" if fault.node is None else fault.node
    return f"what {which} sends to its operand {fault.operand} is made with the untransposed factor"


def _position(fault: Fault) -> str:
    return "" if fault.operand is None else f" at operand {fault.operand}"


_WORDS: Mapping[str, Callable[[Fault], str]] = {
    "overwrite": _overwrite,
    "drop": _drop,
    "single_operand": _single_operand,
    "revisit": _revisit,
    "early": _early,
    "rule": _rule,
    "transpose": _transpose,
}
