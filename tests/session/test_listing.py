"""Lines of nodes are kept from one look to the next: they must be what a first look would make."""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np
import pytest
from random_graphs import random_computation

from bpstep.scenario import load
from bpstep.session import listing
from bpstep.session.recorded import Recorded
from bpstep.session.session import Session

SCENARIOS = sorted((Path(__file__).parents[2] / "scenarios").glob("*.yaml"))


def told(session: Session) -> list[str]:
    """Everything that the lines say; as text, in which nan is nan and -0.0 is not 0.0."""
    if session.graph is None:
        return []
    return [repr(row) for row in listing.rows(session, session.graph.visible())]


def first_look(session: Session) -> list[str]:
    listing._look.cache_clear()
    listing._KEPT.clear()
    return told(session)


def walk(session: Session, draw: Random, length: int) -> list[Session]:
    """Some of the places, the first two often, with breakpoints that come and go."""
    names = [] if session.graph is None else list(map(session.graph.label, session.graph.visible()))
    found = []
    for _ in range(length):
        place = draw.choice([0, 1, 2, draw.randint(0, session.total)])
        now = session.at(min(place, session.total))
        stop = bool(names) and draw.random() < 0.3
        found.append(now.add_breakpoint(draw.choice(names)) if stop else now)
    return found


def hold(session: Session, seed: int) -> None:
    places = walk(session, Random(seed), 12)
    wanted = [first_look(place) for place in places]
    listing._KEPT.clear()
    assert [told(place.at(place.position)) for place in places] == wanted


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_lines_of_a_lesson(path: Path) -> None:
    hold(Session.open(load(str(path))), 5)


@pytest.mark.parametrize("seed", range(20))
def test_lines_of_random_graphs(seed: int) -> None:
    draw = np.random.default_rng(seed)
    graph, nodes = random_computation(draw, 12, tensors=bool(seed % 2)).record()
    while not graph.requires_grad(len(graph) - 1):
        graph, nodes = random_computation(draw, 12, tensors=bool(seed % 2)).record()
    hold(Session.open(Recorded(nodes[-1])), seed)


def test_the_seed_is_seen_before_and_after_a_look_at_the_start() -> None:
    session = Session.open(load("full"))
    (loss,) = [session.graph.find("loss")] if session.graph is not None else []
    found = [listing.row(session.at(step), loss).grad for step in (0, 1, 0, 2, 1)]
    assert found == [None, 1.0, None, 1.0, 1.0]
