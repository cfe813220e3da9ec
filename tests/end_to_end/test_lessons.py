"""The lessons: every number that they say must come out does."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

from bpstep.engine.run import Run
from bpstep.render.replay import whole
from bpstep.render.writers import WRITERS
from bpstep.scenario import Scenario, library, load
from bpstep.session.expect import judge
from bpstep.session.session import Session

LESSONS = library()
# Answers about what a step of gradient descent would do, which is no gradient of the run.
ABOUT_UPDATES = {("update-rates", "w")}


def short(path: Path) -> str:
    """A lesson's name without its number."""
    return re.sub(r"^\d+-", "", path.stem)


@pytest.mark.parametrize("path", LESSONS, ids=short)
def test_what_must_come_out_does(path: Path) -> None:
    judged = judge(load(path))
    assert judged
    assert [item for item in judged if item.ok is False] == []


@pytest.mark.parametrize("path", LESSONS, ids=short)
def test_a_lesson_says_what_to_look_for(path: Path) -> None:
    lesson = load(path)
    assert lesson.about
    assert lesson.notes
    assert lesson.predict
    assert lesson.expect.values
    assert lesson.expect.error or lesson.expect.grads


@pytest.mark.parametrize("path", LESSONS, ids=short)
def test_the_answer_to_a_question_is_a_gradient_of_the_run(path: Path) -> None:
    lesson = load(path)
    run = lesson.run()
    for question in lesson.predict:
        if (short(path), question.at) not in ABOUT_UPDATES:
            found = gradients(run, question.at)
            assert any(same(question.answer, grad) for grad in found), (question.ask, found)


def gradients(run: Run, name: str) -> list[object]:
    """What a node holds after each reverse pass."""
    grads = [part.ledger.grad(name) for part in run.passes if part.ledger is not None]
    return [grad for grad in grads if grad is not None]


def same(left: object, right: object) -> bool:
    """Whether two numbers or tensors are equal, nan to itself."""
    return bool(np.shape(left) == np.shape(right)) and np.allclose(
        np.asarray(left, dtype=float), np.asarray(right, dtype=float), equal_nan=True
    )


def test_the_names_are_in_teaching_order_and_unlike() -> None:
    numbers = [int(path.name[:2]) for path in LESSONS]
    assert numbers == sorted(numbers)
    assert len({short(path) for path in LESSONS}) == len(LESSONS)
    assert [short(path) for path in LESSONS[:2]] == ["full", "full-second-backward"]


def test_the_titles_are_unlike() -> None:
    titles = [load(path).title for path in LESSONS]
    assert len(set(titles)) == len(titles)


def test_the_cost_that_the_lesson_names_is_the_cost() -> None:
    lesson: Scenario = load("cost")
    graph = lesson.graph()
    operations = sum(1 for node in graph.visible() if graph.role(node) == "op")
    steps = lesson.run().steps
    parameters = len(graph.params())
    assert (operations, parameters, steps) == (23, 13, 36)
    for said in (operations, parameters, steps - 1, steps, 2 * parameters * operations):
        assert re.search(rf"\b{said}\b", lesson.about)


@pytest.mark.parametrize("form", sorted(WRITERS))
@pytest.mark.parametrize("path", LESSONS, ids=short)
def test_a_lesson_can_be_replayed_in_every_format(path: Path, form: str) -> None:
    lesson = load(path)
    lines = [str(line) for line in whole(Session.open(lesson), WRITERS[form]())]
    assert len(lines) > lesson.run().steps


def traced(name: str, kind: str) -> list[dict[str, object]]:
    """The events of one kind in the trace of a lesson."""
    lines = whole(Session.open(load(name)), WRITERS["jsonl"]())
    events = [json.loads(str(line)) for line in lines]
    return [event for event in events if event["event"] == kind]


def test_a_replay_without_commands_makes_the_checks_that_are_asked_for() -> None:
    w = next(event for event in traced("kink", "check") if event["wrt"] == "w")
    smallest = w["steps"][-1]
    assert [smallest[side] for side in ("left", "right", "central")] == pytest.approx(
        [2, 8, 5], rel=1e-5
    )
    assert not traced("freed-graph", "check")


def test_a_replay_without_commands_makes_the_updates_that_are_asked_for() -> None:
    updates = traced("update-rates", "update")
    assert [event["loss"] for event in updates] == pytest.approx([0.57287808, 14.58], rel=1e-12)
    assert [event["crossed"] for event in updates] == [[], ["h"]]


def test_a_replay_checks_what_the_last_pass_produced() -> None:
    (check,) = traced("two-losses", "check")
    assert check["analytic"] == 3.0
    assert [event["grads"]["x"] for event in traced("two-losses", "result")] == [7.0]
