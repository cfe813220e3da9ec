"""Long analyses tell how far they are, can be called off anywhere, and cost nothing unheard."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from networks import network

import bpstep
from bpstep.analysis.compare import compare
from bpstep.analysis.differences import check_all
from bpstep.analysis.flow import flow
from bpstep.analysis.paths import paths
from bpstep.analysis.progress import (
    Cancelled,
    advance,
    breath,
    breathe,
    breathing,
    counted,
    reporting,
)
from bpstep.analysis.updates import update
from bpstep.analysis.why import why
from bpstep.engine.errors import BpstepError
from bpstep.scenario import loads

News = list[tuple[int, int, str]]


def told(work: Callable[[], Any]) -> News:
    news: News = []
    with reporting(lambda *each: news.append(each)):
        work()
    return news


def square(size: int) -> tuple[bpstep.Graph, bpstep.Node]:
    g = bpstep.Graph()
    x = g.param("x", np.random.default_rng(0).normal(size=size))
    return g, g.name("loss", bpstep.sum(x * x))


def chain(length: int) -> bpstep.Node:
    g = bpstep.Graph()
    node = g.param("x", 1.0)
    for _ in range(length):
        node = node * 1.0001
    return g.name("loss", node)


def test_without_a_listener_nothing_is_told() -> None:
    advance(1, 2)
    breathe()
    assert breath() is None
    assert list(breathing(range(5), 2)) == list(counted(range(5), 5, "turns")) == [*range(5)]


def test_a_listener_hears_news_and_breaths() -> None:
    def work() -> None:
        breathe()
        advance(1, 3, "turns")
        breathe()
        list(counted(range(5), 5, "more", 2))

    assert told(work) == [
        (0, 0, ""),
        (1, 3, "turns"),
        (1, 3, "turns"),
        (2, 5, "more"),
        (4, 5, "more"),
        (5, 5, "more"),
    ]


def test_the_innermost_listener_hears_and_the_outer_one_again_after_it() -> None:
    inner: News = []

    def work() -> None:
        with reporting(lambda *each: inner.append(each)):
            advance(1, 2)
        advance(2, 2)

    assert told(work) == [(2, 2, "")]
    assert inner == [(1, 2, "")]


def test_cancelled_is_no_fault_of_a_user() -> None:
    assert not issubclass(Cancelled, BpstepError)


def test_a_check_tells_how_many_elements_are_done() -> None:
    graph, loss = square(30)
    news = told(lambda: check_all(graph, loss.index))
    parts: dict[str, list[tuple[int, int]]] = {}
    for done, total, what in news:
        parts.setdefault(what, []).append((done, total))
    assert parts["differences"][0] == (0, 30)
    assert parts["verdicts"][-1] == (30, 30)
    for part in parts.values():
        assert part == sorted(part)


WORK: dict[str, Callable[[], Any]] = {
    "check": lambda: check_all(square(3)[0], square(3)[1].index),
    "check of a kink": lambda: check_all(*_at_kink()),
    "flow": lambda: flow(bpstep.backward(chain(3000)), 0.1),
    "paths": lambda: paths(bpstep.backward(chain(3000)), "x"),
    "why": lambda: why(bpstep.backward(chain(3000)), "x"),
    "update": lambda: update(loads(KINKED).run(), [4.0]),
    "compare": lambda: compare(loads(KINKED).run(), loads(KINKED).run()),
}

KINKED = "bpstep: 1\ntitle: t\nparams: {x: 1}\ngraph: {h: relu(x), loss: h * h + x}\n"


def _at_kink() -> tuple[bpstep.Graph, int]:
    graph, loss = network(b=-2.0)
    return graph, loss.index


@pytest.mark.parametrize("name", WORK)
def test_every_long_analysis_can_be_called_off(name: str) -> None:
    moments = len(told(WORK[name]))
    assert moments > 0
    for moment in {1, moments // 2 + 1, moments}:
        heard = iter(range(moment - 1))

        def leave(*news: Any, heard: Iterator[int] = heard) -> None:
            if next(heard, None) is None:
                raise Cancelled

        with reporting(leave), pytest.raises(Cancelled):
            WORK[name]()
    assert breath() is None


def test_what_was_called_off_can_be_begun_again() -> None:
    graph, loss = network(b=-2.0)
    ledger = bpstep.backward(loss)

    def leave(*news: Any) -> None:
        raise Cancelled

    with reporting(leave), pytest.raises(Cancelled):
        check_all(graph, loss.index, ledger=ledger)
    again = [each.verdict for each in check_all(graph, loss.index, ledger=ledger)]
    assert again == ["kink", "kink", "kink", "agrees"]


def test_all_leaves_are_moved_in_one_sweep() -> None:
    """What they share is made once: the work of a check does not grow with its square."""
    g = bpstep.Graph()
    leaves = [g.param(f"w{k}", float(k)) for k in range(20)]
    total = leaves[0]
    for leaf in leaves[1:]:
        total = total + leaf * leaf
    loss = g.name("loss", total * 1.0)
    news = told(lambda: check_all(g, loss.index))
    changes = [new for new, old in zip(news, [None, *news], strict=False) if new != old]
    assert changes.count((0, 20, "differences")) == 1


def test_a_large_check_listens_often() -> None:
    """One breath an operation: however long the whole takes, it is left soon."""
    graph, loss = square(2000)
    assert len(told(lambda: check_all(graph, loss.index))) > 2000
