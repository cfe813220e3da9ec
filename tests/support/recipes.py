"""Recipes for programs, made of a function that records."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import bpstep
from bpstep.engine.arithmetic import Value
from bpstep.engine.program import Run, Set, Settings, execute


@dataclass
class Made:
    """``record`` gets the graph and its leaves by name, and returns the nodes to name."""

    leaf_values: Mapping[str, Value]
    nodes: Callable[..., Mapping[str, bpstep.Node]]
    loss: str = "loss"
    dtype: str = "float64"
    inputs: tuple[str, ...] = ()
    frozen: tuple[str, ...] = ()
    recorded: int = field(default=0)

    def record(self, leaves: Mapping[str, Value]) -> bpstep.Graph:
        self.recorded += 1
        graph = bpstep.Graph(self.dtype)
        made = {}
        for name, value in leaves.items():
            kind = graph.input if name in self.inputs else graph.param
            made[name] = kind(name, value, grad=name not in self.frozen)
        for name, node in self.nodes(**made).items():
            graph.name(name, node)
        return graph


def assign(name: str, value: Any, kind: Any = Set) -> Any:
    """``set name = …``: a number, or a function of the environment."""
    return kind(name, "…", value if callable(value) else lambda _: value)


def run(recipe: Made, *statements: Any, **settings: Any) -> Run:
    return execute(recipe, statements, Settings(**settings))
