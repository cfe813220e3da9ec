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


NUMBER, VECTOR, MATRIX = 0.5, [0.5, -0.5, 2.0], [[0.5, -1.0], [2.0, 0.25]]
KEYWORDS = {
    "clamp": {"min": 0.0},
    "index": {"index": (0,)},
    "reshape": {"shape": (1, -1)},
}
CASES = [
    (name, value)
    for name in WORDINGS
    for value in (NUMBER, VECTOR, MATRIX)
    if OPERATIONS[name].arity == 1 and OPERATIONS[name].records
    if (name, value) != ("index", NUMBER)  # a number has no elements
]


@pytest.mark.parametrize(("name", "value"), CASES)
def test_a_step_through_every_operation_is_explained(name: str, value: object) -> None:
    graph = bpstep.Graph()
    x = graph.input("x", np.array(value) if isinstance(value, list) else value)
    y = graph.apply(name, x, **KEYWORDS.get(name, {}))
    loss = y if not np.shape(y.value) else graph.apply("sum", y)
    ledger = bpstep.backward(loss)
    assert "x receives" in explain(ledger, len(ledger))
