"""The trace: events in the order in which things happen, in one piece or in many."""

from __future__ import annotations

from pathlib import Path

import pytest

from bpstep.scenario import library, load
from bpstep.session import trace
from bpstep.session.session import Session
from bpstep.session.trace import (
    CompleteEvent,
    ContributionEvent,
    ErrorEvent,
    ForwardEvent,
    GhostEvent,
    LeafEvent,
    ResultEvent,
    ScenarioEvent,
    SeedEvent,
    StatementEvent,
    events,
)


def kinds(found):
    return [type(event) for event in found]


def fields(event):
    return {name: getattr(event, name) for name in type(event).__slots__}


def test_the_whole_of_full(full):
    found = list(events(full))
    assert kinds(found) == [
        ScenarioEvent,
        StatementEvent,
        *[LeafEvent] * 5,
        *[ForwardEvent] * 8,
        StatementEvent,
        *[SeedEvent, CompleteEvent],
        *[ContributionEvent, CompleteEvent] * 4,
        ContributionEvent,
        *[ContributionEvent, CompleteEvent] * 7,
        ResultEvent,
    ]
    assert [event.text for event in found if isinstance(event, StatementEvent)] == [
        "forward",
        "backward",
    ]


def test_the_lines_of_the_contract(full):
    found = [fields(event) for event in events(full)]
    assert {"run": 1, "node": "w", "role": "param", "value": 1.0, "requires_grad": True} in found
    assert {
        "run": 1,
        "node": "p",
        "op": "mul",
        "expr": "w * x",
        "operands": ("w", "x"),
        "value": 2.0,
        "requires_grad": True,
    } in found
    assert {"run": 1, "pass_number": 1, "step": 10, "node": "p", "grad": 16.0} in found
    second = next(each for each in found if each.get("step") == 10 and "source" in each)
    assert second == {
        "run": 1,
        "pass_number": 1,
        "step": 10,
        "node": "p",
        "source": "z",
        "operand": 0,
        "upstream": 12.0,
        "local": 1.0,
        "rule": "1",
        "value": 12.0,
        "running": 16.0,
        "arrived": 2,
        "expected": 2,
        "buffer": None,
        "convention": None,
        "op": "add",
        "expr": "p + b",
    }


def test_a_literal_operand_is_a_number(full):
    (loss,) = [event for event in events(full) if getattr(event, "expr", "") == "0.5 * (e**2)"][:1]
    assert loss.operands == (0.5, "(e**2)")


def test_the_result_has_every_node_and_none_where_nothing_arrived(full):
    *_, result = events(full)
    assert result.loss == 8.0
    assert list(result.values) == list(result.grads)
    assert (result.grads["p"], result.grads["target"]) == (16.0, None)


def test_statements_stand_where_they_happen(opened):
    session = opened(
        "{bpstep: 1, title: t, params: {w: 2}, graph: {loss: w * w}, buffers: accumulate,"
        " program: [forward, backward, step 0.25, zero_grad, forward, backward, clip_norm 1]}"
    )
    shown = [
        event.text if isinstance(event, StatementEvent) else event.step
        for event in events(session)
        if isinstance(event, StatementEvent | SeedEvent | ContributionEvent)
    ]
    assert shown == [
        *["forward", "backward", 1, 2, 3],
        *["step 0.25", "zero_grad", "forward", "backward", 4, 5, 6],
        "clip_norm 1",
    ]
    runs = [event.run for event in events(session) if isinstance(event, StatementEvent)]
    assert runs == [1, 1, 1, 1, 2, 2, 2]


def test_a_buffer_is_told(two_losses):
    found = [event for event in events(two_losses) if isinstance(event, ContributionEvent)]
    assert [(event.step, event.buffer, event.running) for event in found] == [
        (2, None, 4.0),
        (4, 4.0, 7.0),
    ]


def test_ghosts_end_their_pass(opened):
    session = opened(
        "{bpstep: 1, title: t, params: {w: 3}, graph: {p: w * w, d: detach(p), loss: p * d}}"
    )
    *_, ghost, result = events(session)
    assert fields(ghost) == {
        "run": 1,
        "pass_number": 1,
        "node": "p",
        "through": "d",
        "value": 9.0,
    }
    assert isinstance(result, ResultEvent)
    assert isinstance(list(events(session, session.total - 1, session.total))[-1], GhostEvent)


def test_an_error_stands_in_place_of_the_result(opened):
    session = opened(
        "{bpstep: 1, title: freed, params: {w: 2}, graph: {loss: w * w}, retain_graph: false,"
        " program: [forward, backward, backward]}"
    )
    *_, last = events(session)
    assert isinstance(last, ErrorEvent)
    assert last.code == "graph-freed"


def test_a_forward_event_has_the_value_before_it_was_mutated(opened):
    session = opened(
        "{bpstep: 1, title: t, params: {w: 3}, graph: {p: w * w, loss: p * p}, versions: ignore,"
        " program: [forward, mutate p = 0, backward]}"
    )
    (p,) = [event for event in events(session) if isinstance(event, ForwardEvent)][:1]
    assert p.value == 9.0
    assert session.at(2).graph.values[session.graph.find("p")] == 0.0


def test_without_a_reverse_pass_all_belongs_to_position_0(opened):
    session = opened(
        "{bpstep: 1, title: t, params: {w: 3}, graph: {loss: w * w}, program: [forward]}"
    )
    assert session.total == 0
    assert kinds(events(session, None, 0))[-1] is ForwardEvent
    assert kinds(events(session, 0)) == [ResultEvent]


FILES = [path.stem for path in map(Path, library())]


@pytest.mark.parametrize("name", FILES)
def test_pieces_make_the_whole(name):
    session = Session.open(load(name))
    whole = kinds(events(session))
    pieces = kinds(events(session, None, 0))
    for position in range(session.total):
        pieces += kinds(events(session, position, position + 1))
    assert pieces + kinds(events(session, session.total)) == whole
    steps = [
        event.step for event in events(session) if isinstance(event, SeedEvent | ContributionEvent)
    ]
    assert steps == list(range(1, session.total + 1))


def test_every_event_is_in_the_union():
    classes = {
        value
        for value in vars(trace).values()
        if isinstance(value, type) and value.__name__.endswith("Event")
    }
    assert classes == set(trace.Event.__args__)
