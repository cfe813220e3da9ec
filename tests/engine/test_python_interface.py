"""The Python interface as the documentation of the command line gives it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import bpstep
from bpstep.engine.ops import OPERATIONS


def test_the_documented_session() -> None:
    g = bpstep.Graph()
    x, w, b, v = g.input("x", 2.0), g.param("w", 1.0), g.param("b", -1.0), g.param("v", 3.0)
    target = g.constant("target", 1.0)
    p = g.name("p", w * x)
    h = g.name("h", bpstep.relu(p + b))
    y = g.name("y", v * h + p)
    loss = g.name("loss", 0.5 * (y - target) ** 2)

    ledger = bpstep.backward(loss)
    assert ledger.grad("w") == 32.0
    assert ledger.grad(w) == 32.0
    assert ledger.grad("target") is None
    found = [
        (c.source, c.operand, c.upstream, c.local, c.value, c.running)
        for c in ledger.contributions("p")
    ]
    assert found == [("y", 1, 4.0, 1.0, 4.0, 4.0), ("(p+b)", 0, 12.0, 1.0, 12.0, 16.0)]
    assert ledger.at(step=6).grad("p") == 4.0
    assert len(ledger) == 13
    assert list(ledger.arrays()) == [
        "source", "target", "operand", "upstream", "local", "value", "running",
    ]  # fmt: skip
    assert (type(p.value), type(ledger.grad("w"))) == (float, float)


def test_a_tensor_has_no_flat_arrays() -> None:
    g = bpstep.Graph()
    ledger = bpstep.backward(bpstep.sum(g.param("w", [1.0, 2.0])))
    with pytest.raises(bpstep.GraphError, match="this tape holds tensors"):
        ledger.arrays()
    assert isinstance(ledger.grad("w"), np.ndarray)


@pytest.mark.parametrize(
    "row", [r for r in OPERATIONS.values() if r.callable], ids=lambda r: r.name
)
def test_every_operation_is_a_function_with_its_rule_in_its_help(row: object) -> None:
    function = getattr(bpstep, row.name)  # type: ignore[attr-defined]
    assert function.__doc__.startswith(f"Record {row.name}(")  # type: ignore[attr-defined]
    assert row.name in dir(bpstep)  # type: ignore[attr-defined]


def test_keyword_arguments_may_follow_by_position() -> None:
    g = bpstep.Graph()
    m = g.param("m", [[1.0, -2.0], [3.0, 4.0]])
    assert bpstep.sum(m, 0).value.tolist() == [4.0, 2.0]
    assert bpstep.sum(m, 1, True).value.tolist() == [[-1.0], [7.0]]
    assert bpstep.clamp(m, 0, 2).value.tolist() == [[1.0, 0.0], [2.0, 2.0]]
    assert bpstep.reshape(m, (4,)).shape == (4,)
    assert bpstep.concat(m, m, m, axis=1).shape == (2, 6)


def test_names_that_do_not_exist() -> None:
    with pytest.raises(AttributeError, match="no attribute 'relux'"):
        _ = bpstep.relux


def test_steps_beyond_the_pass() -> None:
    g = bpstep.Graph()
    ledger = bpstep.backward(g.param("x", 1.0) * 2)
    assert ledger.at(2).grad("x") == 2.0
    with pytest.raises(IndexError, match="they are 2 to 2"):
        ledger.contribution(3)
    for step in (-1, 3):
        with pytest.raises(IndexError, match="this pass has 2"):
            ledger.at(step)


def test_the_engine_needs_nothing_but_numpy() -> None:
    program = (
        "import sys, bpstep\n"
        "assert 'numpy' not in sys.modules\n"
        "g = bpstep.Graph()\n"
        "bpstep.backward(bpstep.exp(g.param('x', 1.0)))\n"
        "heavy = {'click', 'pydantic', 'rich', 'textual', 'torch', 'yaml'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
    )
    root = Path(__file__).parents[2]
    subprocess.run([sys.executable, "-c", program], cwd=root, check=True)


def test_what_is_no_node_or_name_is_told() -> None:
    g, other = bpstep.Graph(), bpstep.Graph()
    loss = g.name("loss", g.param("w", 2.0) * 3)
    stranger = other.param("w", 5.0)
    ledger = bpstep.backward(loss)
    for wrong in (None, 1.5, ["w"]):
        for ask in (
            ledger.grad,
            lambda it: bpstep.check(loss, it),
            lambda it: bpstep.why(loss, it),
        ):
            with pytest.raises(bpstep.GraphError, match="a node or its name is meant"):
                ask(wrong)  # type: ignore[arg-type]
    for call in (bpstep.backward, bpstep.debug, lambda it: bpstep.check(it, "w")):
        with pytest.raises(bpstep.GraphError, match="a recorded node is meant"):
            call("loss")  # type: ignore[arg-type]
    with pytest.raises(bpstep.GraphError, match="another graph"):
        bpstep.check(loss, stranger)
    with pytest.raises(TypeError):
        ledger.at(1.5)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", [3, "a\x1b[31m", "two\nlines", "\u202ew"])
def test_a_name_is_printable_text(name: object) -> None:
    g = bpstep.Graph()
    with pytest.raises(bpstep.GraphError, match="a name is printable text"):
        g.param(name, 1.0)  # type: ignore[arg-type]


def test_step_sizes_are_numbers() -> None:
    g = bpstep.Graph()
    loss = g.param("w", 2.0) * 3
    assert bpstep.check(loss, "w", np.array([1e-2, 1e-4])).verdict == "agrees"
    for wrong in ("abc", [None], [0]):
        with pytest.raises(bpstep.GraphError, match="positive number"):
            bpstep.check(loss, "w", wrong)  # type: ignore[arg-type]


def test_conventions_are_a_name_or_a_mapping() -> None:
    with pytest.raises(bpstep.GraphError, match="a preset's name or a mapping"):
        bpstep.Graph(conventions=3)  # type: ignore[arg-type]
