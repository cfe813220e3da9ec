"""Scenario files: from YAML to a graph and a program, with errors that say where and what."""

from bpstep.scenario.library import find_scenario, library, short_name
from bpstep.scenario.load import load, loads
from bpstep.scenario.model import Scenario
from bpstep.scenario.problems import Problem, ScenarioError

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
