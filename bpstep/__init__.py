"""A debugger for gradients: record a computation, step through its reverse pass.

Importing this package is cheap: the engine, the loader and the app are imported when first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bpstep.engine.errors import BpstepError as BpstepError
    from bpstep.engine.errors import GraphError as GraphError
    from bpstep.engine.errors import RunError as RunError
    from bpstep.engine.graph import Graph as Graph
    from bpstep.engine.graph import Node as Node
    from bpstep.engine.ledger import Contribution as Contribution
    from bpstep.engine.ledger import Ledger as Ledger
    from bpstep.engine.reverse import backward as backward
    from bpstep.interface import check as check
    from bpstep.interface import debug as debug
    from bpstep.interface import why as why
    from bpstep.scenario import Scenario as Scenario
    from bpstep.scenario import ScenarioError as ScenarioError
    from bpstep.scenario import load as load

__version__ = "0.1.0"

_HOMES = {
    "BpstepError": "bpstep.engine.errors",
    "GraphError": "bpstep.engine.errors",
    "RunError": "bpstep.engine.errors",
    "Graph": "bpstep.engine.graph",
    "Node": "bpstep.engine.graph",
    "Ledger": "bpstep.engine.ledger",
    "Contribution": "bpstep.engine.ledger",
    "backward": "bpstep.engine.reverse",
    "check": "bpstep.interface",
    "debug": "bpstep.interface",
    "why": "bpstep.interface",
    "load": "bpstep.scenario",
    "Scenario": "bpstep.scenario",
    "ScenarioError": "bpstep.scenario",
}


def __getattr__(name: str) -> Any:
    """Import a public name when it is first asked for."""
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    if not name.startswith("_"):
        functions = import_module("bpstep.engine.functions")
        if name in functions.__all__:
            return getattr(functions, name)
    raise AttributeError(f"module 'bpstep' has no attribute {name!r}")


def __dir__() -> list[str]:
    """All public names."""
    functions = import_module("bpstep.engine.functions")
    return sorted([*_HOMES, *functions.__all__, "__version__"])
