"""Scenario files: from YAML to a graph and a program, with errors that say where and what.

Importing this package is cheap: the engine and the loader are imported when they are first used, so
that a name can be looked up in the library, and the app be on the screen, before.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from bpstep.scenario.library import find_scenario, library, short_name
from bpstep.scenario.problems import Problem, ScenarioError

if TYPE_CHECKING:
    from bpstep.scenario.loader import load, loads
    from bpstep.scenario.model import Scenario

__all__ = [
    "Problem",
    "Scenario",
    "ScenarioError",
    "find_scenario",
    "library",
    "load",
    "loads",
    "short_name",
]

_HOMES = {
    "Scenario": "bpstep.scenario.model",
    "load": "bpstep.scenario.loader",
    "loads": "bpstep.scenario.loader",
}


def __getattr__(name: str) -> Any:
    """Import a public name when it is first asked for."""
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'bpstep.scenario' has no attribute {name!r}")
