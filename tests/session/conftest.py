"""Sessions for the tests of this folder."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from bpstep.scenario import loads
from bpstep.session.commands import execute
from bpstep.session.session import Session

FULL = """\
bpstep: 1
title: Every path into p counts
inputs: {x: 2}
params: {w: 1, b: -1, v: 3}
constants: {target: 1}
graph:
  p: w * x
  z: p + b
  h: relu(z)
  q: v * h
  y: q + p
  e: y - target
  loss: 0.5 * e ** 2
notes: {p: "Two consumers: wait for both."}
"""

TWO_LOSSES = """\
bpstep: 1
title: Two passes into one buffer
inputs: {x: 2}
graph: {loss1: x ** 2, loss2: 3 * x, loss: loss1 + loss2}
program: [forward, backward loss1, backward loss2]
buffers: accumulate
"""

MATRIX = """\
bpstep: 1
title: A layer
inputs: {X: [[1, 2], [3, 4]]}
params: {W: [[1, -1], [2, 0.5]]}
graph: {Z: X @ W, H: relu(Z), loss: sum(H)}
"""


@pytest.fixture
def opened() -> Callable[[str], Session]:
    """Open a scenario from its text."""
    return lambda text: Session.open(loads(text))


@pytest.fixture
def full() -> Session:
    return Session.open(loads(FULL))


@pytest.fixture
def two_losses() -> Session:
    return Session.open(loads(TWO_LOSSES))


@pytest.fixture
def matrix() -> Session:
    return Session.open(loads(MATRIX))


@pytest.fixture
def after() -> Callable[..., Session]:
    """The session after some command lines."""

    def run(session: Session, *lines: str) -> Session:
        for line in lines:
            session = execute(session, line).session
        return session

    return run
