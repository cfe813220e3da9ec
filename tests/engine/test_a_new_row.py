"""Adding an operation is adding one row: two that are not in the table, in a fresh process.

The process puts them into the table before anything else has read it, as an edit of ``ops.py``
would, and then records, differentiates, parses, documents and tests them.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent

ROWS = """
from types import MappingProxyType

import numpy as np

from bpstep.engine import arithmetic as m
from bpstep.engine import ops
from bpstep.engine.operation import Kink, Operation, local

CUBE = Operation("cube", 1, lambda a: a * a * a, (local("3*{a}**2", lambda a: 3.0 * (a * a)),))
POINT = Kink("norm", at=lambda y: y == 0, interval=lambda: (-1.0, 1.0))
RADIUS = Operation(
    "radius",
    2,
    lambda a, b: m.sqrt(a * a + b * b),
    (
        local("{a}/{y}", lambda a, y: m.quotient(a, y), POINT),
        local("{b}/{y}", lambda b, y: m.quotient(b, y), POINT),
    ),
)
ops.TABLE += (CUBE, RADIUS)
ops.OPERATIONS = MappingProxyType({row.name: row for row in ops.TABLE})
ops.CODES = MappingProxyType({row.name: code for code, row in enumerate(ops.TABLE)})
ops.RESERVED |= {"cube", "radius"}
"""

USE = """
import bpstep

g = bpstep.Graph()
x, y = g.param("x", 3.0), g.param("y", 4.0)
length = g.name("length", bpstep.radius(x, y))
volume = bpstep.cube(length)
assert (volume.value, volume.name) == (125.0, "(cube(length))")
assert g.expression(length.index) == "radius(x, y)"
ledger = bpstep.backward(volume)
assert (ledger.grad("length"), ledger.grad("x"), ledger.grad("y")) == (75.0, 45.0, 60.0)
assert [c.rule for c in ledger.contributions("x")] == ["x/length"]

g = bpstep.Graph()
sides = g.param("sides", [[3.0, 0.0], [6.0, 8.0]])
ledger = bpstep.backward(bpstep.sum(bpstep.radius(sides, [4.0, 0.0])))
assert ledger.grad("sides").tolist() == [[0.6, 0.0], [6.0 / 52.0**0.5, 1.0]]
assert ledger.contributions("sides")[0].convention.interval == (-1.0, 1.0)

assert "3*a**2" in bpstep.cube.__doc__
from bpstep.scenario import loads

text = "bpstep: 1\\ntitle: A new operation\\nparams: {x: 2}\\ngraph: {y: 2 * cube(x)}\\n"
assert loads(text).run().grad("x") == 24.0
"""

TEST = """
import sys

import pytest

quiet = ["-q", "-n0", "-p", "no:cacheprovider", "-k", "cube or radius"]
sys.exit(pytest.main([*quiet, *sys.argv[1:]]))
"""


def python(program: str, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments],
        cwd=HERE.parents[1],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_it_is_recorded_differentiated_named_documented_and_parsed() -> None:
    python(ROWS + USE)


def test_it_is_tested_without_another_line() -> None:
    output = python(ROWS + TEST, str(HERE / "test_rules.py"), str(HERE / "test_sweeps.py"))
    found = re.search(r"(\d+) passed", output)
    assert found is not None, output
    # For each: two signs, float32, what it reads, what it saves, its value; three presets.
    assert int(found[1]) == 2 * 9, output
