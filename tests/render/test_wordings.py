"""A sentence for every operation's local derivative, be it a number or a tensor."""

from __future__ import annotations

import numpy as np
import pytest

import bpstep
from bpstep.engine.ops import OPERATIONS
from bpstep.render.explain import explain
from bpstep.render.wordings import WORDINGS, Wording

SAID = Wording("usual", one="one", zero="zero")


@pytest.mark.parametrize(
    ("local", "part"),
    [(1.0, "one"), (0.0, "zero"), (2.0, "usual"), (np.array([1.0, 0.0]), "usual")],
)
def test_one_and_zero_are_said_of_numbers_alone(local: object, part: str) -> None:
    assert SAID.at(local) == part


@pytest.mark.parametrize("name", [name for name in WORDINGS if OPERATIONS[name].arity == 1])
@pytest.mark.parametrize("value", [0.5, [0.5, -0.5, 2.0], [[0.5, -1.0], [2.0, 0.25]]])
def test_a_step_through_every_operation_is_explained(name: str, value: object) -> None:
    operation = OPERATIONS[name]
    needed = {"clamp": {"min": 0.0}, "reshape": {"shape": np.shape(value)}}
    graph = bpstep.Graph()
    x = graph.input("x", np.array(value) if isinstance(value, list) else value)
    if name == "index":
        if not isinstance(value, list):
            pytest.skip("a number has no elements")
        needed[name] = {"index": (0,)}
    y = graph.apply(name, x, **needed.get(name, {}))
    loss = y if not np.shape(y.value) else graph.apply("sum", y)
    if operation.records:
        ledger = bpstep.backward(loss)
        assert "x receives" in explain(ledger, len(ledger))
