"""The lessons: every number that they say must come out does."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from bpstep.engine.run import Run
from bpstep.scenario import Scenario, library, load
from bpstep.session.expect import judge

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
