from __future__ import annotations

import bpstep
from bpstep.session.card import card
from bpstep.session.recorded import Recorded
from bpstep.session.session import Session


def wide_session() -> tuple[Session, int]:
    graph = bpstep.Graph()
    w = graph.param("w", 1.0)
    total = w * 1.0
    for factor in range(2, 101):
        total = total + w * float(factor)
    graph.name("loss", total)
    return Session.open(Recorded(total)), w.index


def test_all_contributions_are_given_without_a_limit() -> None:
    session, w = wide_session()
    shown = card(session.at(session.total), w)
    assert len(shown.rows) == 100
    assert shown.omitted == (0, 0)


def test_a_limit_keeps_those_around_the_latest_arrival() -> None:
    session, w = wide_session()
    half = next(
        s for s in range(session.total) if (st := session.at(s).state) and st.arrived(w) == 50
    )
    shown = card(session.at(half), w, limit=10)
    assert [row.arrived for row in shown.rows] == [True] * 5 + [False] * 5
    assert shown.rows[4].current
    assert shown.omitted == (45, 45)


def test_at_both_ends_the_limit_is_used_up() -> None:
    session, w = wide_session()
    start, end = card(session, w, limit=10), card(session.at(session.total), w, limit=10)
    assert (len(start.rows), start.omitted) == (10, (0, 90))
    assert (len(end.rows), end.omitted) == (10, (90, 0))
    assert end.rows[-1].running == 5050.0
