"""Tensors written as nested lists in `set`."""

from __future__ import annotations

import numpy as np
import pytest

from bpstep.scenario import load
from bpstep.session.commands import execute
from bpstep.session.errors import CommandError
from bpstep.session.session import Session


def opened(name: str) -> Session:
    return Session.open(load(name))


def test_a_tensor_is_set_to_a_nested_list_of_expressions() -> None:
    line = "set W = [[1, -2, 2 * 3], [1e-3, W[0, 0], 0.5]]"
    session = execute(opened("matrix-layer"), line).session
    assert np.array_equal(session.leaf_value("W"), [[1, -2, 6], [1e-3, 1, 0.5]])
    graph = session.run.graph
    assert graph is not None
    assert np.array_equal(graph.values[graph.find("W")], session.leaf_value("W"))


MISTAKES = [
    ("[1, 2", "a list ends with ']'", 8),
    ("[[1], 2]", "the rows of a tensor are all of one shape", 8),
    ("[1, [2]]", "the rows of a tensor are all of one shape", 8),
    ("[]", "an empty expression", 9),
    ("[1, ww]", "no node is called 'ww'", 12),
    ("[1]", "b has shape (2,), not (1,)", 8),
    ("[" * 40 + "]" * 40, "a list ends with ']'", 8 + 33),
]


@pytest.mark.parametrize(("text", "said", "start"), MISTAKES)
def test_a_mistake_in_a_list_is_told_at_its_place(text: str, said: str, start: int) -> None:
    session = opened("matrix-layer")
    with pytest.raises(CommandError) as raised:
        execute(session, f"set b = {text}")
    assert said in str(raised.value)
    assert raised.value.start == start
