"""Questions to a learner: where they are asked, what is right, what a wrong answer comes from."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from bpstep.render.asking import hint_line, judgement_lines, mode_text, result_text
from bpstep.render.numbers import exact_text
from bpstep.scenario import library, load, loads, short_name
from bpstep.session.answers import parse_answer, right_answer
from bpstep.session.errors import CommandError
from bpstep.session.misconceptions import TABLE
from bpstep.session.predicting import Dealt, Judgement, Lesson, Prediction, judge
from bpstep.session.session import Session

SHIPPED = [short_name(path) for path in library()]


@cache
def opened(name: str) -> Session:
    return Session.open(load(name))


def scenario(text: str) -> Session:
    return Session.open(loads(f"bpstep: 1\ntitle: A question\n{text}"))


def asked(session: Session, node: str) -> Prediction:
    """The question at a node."""
    (found,) = (each for each in Lesson.of(session).predictions if each.question.at == node)
    return found


def eve(session: Session, prediction: Prediction) -> Session:
    return session.at(prediction.position - 1)


def judged(name: str | Session, node: str, answer: str) -> Judgement:
    session = opened(name) if isinstance(name, str) else name
    prediction = asked(session, node)
    return judge(prediction, answer, eve(session, prediction))


def names(name: str | Session, node: str, answer: str) -> list[str]:
    found = judged(name, node, answer)
    assert not found.right
    return [each.name for each in found.named]


# The scenarios that come with the program.


@pytest.mark.parametrize("name", SHIPPED)
def test_the_answers_of_the_shipped_scenarios_are_right(name: str) -> None:
    session = opened(name)
    lesson = Lesson.of(session)
    assert lesson.predictions
    for prediction in lesson.predictions:
        answer = exact_text(prediction.answer)
        assert judge(prediction, answer, eve(session, prediction)) == Judgement(right=True), answer


@pytest.mark.parametrize("name", SHIPPED)
def test_a_question_is_answered_by_the_step_it_is_asked_before(name: str) -> None:
    session = opened(name)
    others = {("update-rates", "w")}
    for prediction in Lesson.of(session).predictions:
        after = session.at(prediction.position)
        found = after.state.grad(prediction.question.at)
        if (name, prediction.question.at) in others:
            assert not prediction.of_gradient
        else:
            assert prediction.of_gradient
            wanted = np.asarray(prediction.answer, dtype=float)
            np.testing.assert_allclose(found, wanted, rtol=1e-6)
        assert after.receiver == after.graph.find(prediction.question.at)


@pytest.mark.parametrize("name", SHIPPED)
def test_the_right_answer_comes_from_no_misconception_whatever_else_it_equals(name: str) -> None:
    session = opened(name)
    for prediction in Lesson.of(session).predictions:
        found = judge(prediction, exact_text(prediction.answer), eve(session, prediction))
        assert found.named == ()


def test_questions_are_placed_where_full_answers_them() -> None:
    lesson = Lesson.of(opened("full"))
    placed = [(each.question.at, each.position) for each in lesson.predictions]
    assert placed == [("h", 8), ("p", 10), ("w", 12)]


# Misconceptions.

NAMED = {
    ("full", "p", "12"): ["overwrote", "one path only"],
    ("full", "p", "4"): ["one path only"],
    ("full", "p", "8"): ["averaged"],
    ("full", "p", "2"): ["forgot the upstream factor", "value instead of gradient"],
    ("full", "p", "-16"): ["sign"],
    ("full", "h", "3"): ["forgot the upstream factor"],
    ("full", "h", "4"): ["forgot the local derivative", "used its own value"],
    ("full", "h", "1"): ["value instead of gradient"],
    ("full", "w", "8"): ["one path only"],
    ("full", "w", "24"): ["one path only"],
    ("full", "w", "16"): ["forgot the local derivative", "used its own value"],
    ("full", "w", "2"): ["forgot the upstream factor"],
    ("zero-output-weight", "v", "0"): ["used its own value", "value instead of gradient"],
    ("detached-skip", "p", "16"): ["counts the detach"],
    ("detached-skip", "w", "32"): ["counts the detach"],
    ("overwrite-bug", "p", "16"): ["forgets the fault"],
    ("dropped-operand", "r", "6"): ["forgets the fault"],
    ("two-losses", "x", "3"): ["forgets the buffer"],
    ("full-second-backward", "w", "64"): ["adds to an old buffer"],
    ("update-rates", "w", "4.2"): ["step up the gradient"],
    ("update-rates", "w", "2.2"): ["sign"],
    ("update-rates", "w", "-31"): ["forgot the rate"],
    ("update-rates", "w", "3.2"): ["only the change"],
    ("update-rates", "w", "-3.2"): ["only the change"],
    ("update-rates", "w", "32"): ["gradient instead"],
    ("update-rates", "w", "1"): ["old value"],
    ("transposed-square", "X", "[[1, -1], [2, 5.5]]"): ["forgets the fault"],
}


@pytest.mark.parametrize("case", NAMED, ids=" ".join)
def test_a_wrong_answer_is_traced_to_what_it_comes_from(case: tuple[str, str, str]) -> None:
    found = names(*case)
    assert [name for name in NAMED[case] if name in found] == NAMED[case], found


@pytest.mark.parametrize(
    ("name", "node", "answer"),
    [("full", "p", "5"), ("full", "h", "none"), ("full", "p", "nan"), ("full", "w", "[1, 2]")],
)
def test_any_other_wrong_answer_has_no_name(name: str, node: str, answer: str) -> None:
    assert names(name, node, answer) == []


def test_a_transposed_gradient_is_named() -> None:
    session = scenario(
        "inputs: {x: [[1, 2]]}\nparams: {W: [[1, 0], [2, 3]]}\n"
        "graph: {y: x @ W, loss: sum(y * y)}\n"
        "predict: [{at: W, ask: And W?, answer: [[10, 12], [20, 24]]}]\n"
    )
    assert judged(session, "W", "[[10, 12], [20, 24]]").right
    assert names(session, "W", "[[10, 20], [12, 24]]") == ["transposed"]


def test_of_three_uses_one_may_be_left_out() -> None:
    session = scenario(
        "params: {x: 5}\ngraph: {a: 2 * x, b: 3 * x, c: 7 * x, loss: a + b + c}\n"
        "predict: [{at: x, ask: And x?, answer: 12}]\n"
    )
    assert judged(session, "x", "12").right
    for answer in ("5", "9", "10"):
        assert "one left out" in names(session, "x", answer)
    for answer in ("2", "3", "7"):
        assert "one path only" in names(session, "x", answer)


def test_every_row_of_the_table_is_recognised_somewhere_above() -> None:
    seen = {name for found in NAMED.values() for name in found} | {"transposed", "one left out"}
    assert seen == {row.name for row in TABLE}


@given(
    st.lists(st.integers(-50, 50).filter(bool), min_size=2, max_size=5),
    st.integers(-9, 9).filter(bool),
)
def test_whatever_the_factors_sums_are_right_and_their_parts_are_named(
    factors: list[int], value: int
) -> None:
    total = sum(factors)
    assume(total not in factors and total != 0)
    graph = ", ".join(f"a{i}: {factor} * x" for i, factor in enumerate(factors))
    parts = " + ".join(f"a{i}" for i in range(len(factors)))
    session = scenario(
        f"params: {{x: {value}}}\ngraph: {{{graph}, loss: {parts}}}\n"
        f"predict: [{{at: x, ask: And x?, answer: {total}}}]\n"
    )
    assert judged(session, "x", str(total)).right
    for factor in factors:
        assert "one path only" in names(session, "x", str(factor))
    # Arrivals come from the last entry to the first.
    assert names(session, "x", str(factors[0]))[0] == "overwrote"
    assert "sign" in names(session, "x", str(-total))


# Answers as people type them.


RIGHT = ["12", " 12.0 ", "1.2e1", "4*3", "24/2", "v * 4", "grad(q) * v", "local(q, h) * 4"]
RIGHT += ["−−12", "4 × 3", "abs(-12)", "12."]


@pytest.mark.parametrize("answer", RIGHT)
def test_an_answer_is_an_expression_of_what_is_known(answer: str) -> None:
    assert judged("full", "h", answer).right


ROUNDED = {"4.848": True, "4.85": True, "48.5e-1": True, "4.84800000001": True}
ROUNDED |= {"4.84": False, "4.8": False, "5": False}


@pytest.mark.parametrize(("answer", "right"), ROUNDED.items())
def test_a_decimal_of_three_digits_may_be_rounded(answer: str, right: bool) -> None:
    assert judged("two-layer", "w1", answer).right is right


@pytest.mark.parametrize("answer", ["[3, -0.5]", "[ 6/2 , -1/2 ]", "[3.00, -0.500]"])
def test_an_answer_may_be_a_list(answer: str) -> None:
    assert judged("matrix-layer", "b", answer).right


@pytest.mark.parametrize("answer", ["inf", ".inf", "1/0", "2 * inf"])
def test_infinity_is_said_as_people_say_it(answer: str) -> None:
    assert judged("sqrt-at-zero", "s", answer).right
    assert judged("sqrt-at-zero", "x", "nan").right


WRONG = ["", "  ", "pp", "1 +", "[1, 2", "[1, 2] * 2", "[]", "[1, [2, 3]]", "[1, none]", "'a'"]
WRONG += ["grad(w)", "1 2", "[" * 40, "(" * 500, "x[", "[1,,2]", "\x1b[31m", "9" * 5000, "none + 1"]


@pytest.mark.parametrize("answer", WRONG)
def test_what_is_no_answer_is_said_and_not_judged(answer: str) -> None:
    with pytest.raises(CommandError):
        judged("full", "p", answer)


@given(st.text(max_size=30))
def test_whatever_is_typed_is_judged_or_refused(answer: str) -> None:
    try:
        found = judged("full", "p", answer)
    except CommandError:
        return
    lines = list(judgement_lines(found, asked(opened("full"), "p"), answer))
    assert all(text.plain.isprintable() for text in lines)


def test_nothing_arrives_is_an_answer() -> None:
    session = scenario(
        "inputs: {x: 2}\nparams: {w: {value: 3, grad: false}}\ngraph: {loss: w * x}\n"
        "predict: [{at: w, ask: And w?, answer: none}]\n"
    )
    prediction = asked(session, "w")
    assert prediction.position == session.total, "nothing before the end shows it"
    assert judged(session, "w", "none").right
    assert not judged(session, "w", "2").right


def test_an_answer_may_be_a_text() -> None:
    session = scenario(
        "params: {w: 3}\ngraph: {loss: w * w}\n"
        "predict: [{at: w, ask: Up or down?, answer: Goes down}]\n"
    )
    assert judged(session, "w", " goes  DOWN ").right
    assert not judged(session, "w", "up").right
    assert judged(session, "w", "up").named == ()


@pytest.mark.parametrize(
    ("given_", "read"),
    [(16, 16), ("1/3", 1 / 3), ("none", None), ("up", "up"), ("inf", np.inf), ("1 +", "1 +")],
)
def test_a_files_answer_is_read(given_: Any, read: Any) -> None:
    assert right_answer(given_) == read


def test_a_files_list_is_read() -> None:
    np.testing.assert_array_equal(right_answer([[1, "1/2"], [3, 4]]), [[1, 0.5], [3, 4]])
    assert right_answer([1, [2]]) == "[1, [2]]"


def test_in_float32_the_shortest_number_is_right() -> None:
    session = scenario(
        "dtype: float32\nparams: {w: 0.1}\ngraph: {loss: 0.3 * w}\n"
        "predict: [{at: w, ask: And w?, answer: 0.3}]\n"
    )
    assert asked(session, "w").of_gradient
    assert judged(session, "w", "0.3").right


# When questions are asked.


def test_a_question_is_due_when_a_motion_reaches_its_step_or_passes_it() -> None:
    session = opened("full")
    lesson = Lesson.of(session)

    def due(here: int, there: int) -> str | None:
        found = lesson.due(session.at(here), there)
        return found.question.at if found else None

    assert (due(0, 7), due(0, 8), due(7, 8), due(0, 13)) == (None, "h", "h", "h")
    assert (due(8, 9), due(8, 10), due(10, 13), due(12, 13)) == (None, "p", "w", None)
    assert due(9, 3) is None, "going back answers nothing"


def test_a_question_that_was_dealt_with_is_not_due_again() -> None:
    session = opened("full")
    lesson = Lesson.of(session)
    first = lesson.predictions[0]
    after = lesson.after(first, Dealt(wrong=2))
    assert after.due(session, 13) is lesson.predictions[1]
    assert lesson.due(session, 13) is first, "the earlier lesson is as it was"


def test_several_questions_at_one_node_are_asked_in_file_order() -> None:
    session = scenario(
        "params: {w: 3}\ngraph: {a: 2 * w, loss: a * a}\npredict:\n"
        "  - {at: w, ask: Second?, answer: 24}\n"
        "  - {at: a, ask: First?, answer: 12}\n"
        "  - {at: w, ask: Third?, answer: 24}\n"
    )
    lesson = Lesson.of(session)
    assert [each.question.ask for each in lesson.predictions] == ["First?", "Second?", "Third?"]
    for expected in ("First?", "Second?", "Third?"):
        due = lesson.due(session, session.total)
        assert due is not None
        assert due.question.ask == expected
        lesson = lesson.after(due, Dealt(wrong=0))
    assert lesson.over


def test_with_a_leaf_changed_nothing_is_asked() -> None:
    session = opened("full")
    assert Lesson.of(session).due(session.with_leaves({"w": 2.0}), 13) is None


def test_a_reloaded_file_asks_what_is_new_in_it() -> None:
    text = "params: {w: 3}\ngraph: {loss: w * w}\npredict: [{at: w, ask: And w?, answer: 6}%s]\n"
    session = scenario(text % "")
    lesson = Lesson.of(session)
    lesson = lesson.after(lesson.predictions[0], Dealt(wrong=0))
    assert lesson.renewed(session) is lesson
    reloaded = session.reload(scenario(text % ", {at: w, ask: Again?, answer: 6}").scenario)
    renewed = lesson.renewed(reloaded)
    due = renewed.due(reloaded, reloaded.total)
    assert due is not None
    assert due.question.ask == "Again?"
    assert not renewed.over


def test_a_node_of_which_all_never_arrives_is_asked_about_at_its_last_arrival() -> None:
    session = opened("dropped-operand")
    assert asked(session, "r").position == session.total


def test_a_run_without_passes_places_no_question_before_its_end() -> None:
    session = scenario(
        "params: {w: 3}\ngraph: {loss: w * w}\nprogram: [forward]\n"
        "predict: [{at: w, ask: And w?, answer: 6}]\n"
    )
    (prediction,) = Lesson.of(session).predictions
    assert (prediction.position, prediction.at) == (0, None)
    assert Lesson.of(session).due(session, 0) is None


# What is said.


def said(lines: Iterator[Any]) -> str:
    return "\n".join(text.plain for text in lines)


def test_what_is_said_to_an_answer() -> None:
    prediction = asked(opened("full"), "p")
    found = judged("full", "p", "12")
    assert said(judgement_lines(found, prediction, " 12")) == (
        "✗ 12 is not it.\n"
        "Overwrote. 12 is what arrives last at p. Contributions are added, not written over.\n"
        "or: one path only. 12 is what one path brings. p gets the sum over all paths."
    )
    assert said(judgement_lines(Judgement(right=True), prediction, "16")) == "✓ 16 is right."


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.name)
def test_everything_that_can_be_said_is_filled_in(row: Any) -> None:
    wrong = Judgement(right=False, named=(row,))
    text = said(judgement_lines(wrong, asked(opened("overwrite-bug"), "p"), "12"))
    assert "{" not in text
    assert row.name[1:] in text


def test_without_a_hint_in_the_file_the_consumers_are_named() -> None:
    session = scenario(
        "params: {w: 3}\ngraph: {a: 2 * w, loss: a * w}\n"
        "predict: [{at: w, ask: And w?, answer: 12}]\n"
    )
    hint = hint_line(asked(session, "w")).plain
    assert hint == "hint w receives from loss = a * w, a = 2 * w."
    assert "the direct path" in hint_line(asked(opened("full"), "p")).plain


def test_how_it_went() -> None:
    lesson = Lesson.of(opened("full"))
    assert mode_text(lesson) == "question 1 of 3"
    first, second, third = lesson.predictions
    lesson = lesson.after(first, Dealt(wrong=0)).after(second, Dealt(wrong=1))
    assert (mode_text(lesson), lesson.over) == ("question 3 of 3", False)
    skipped = lesson.after(third, Dealt(wrong=0, skipped=True))
    assert result_text(skipped) == "1 of 3 right at the first try, 1 skipped."
    done = lesson.after(third, Dealt(wrong=0))
    assert result_text(done) == "2 of 3 right at the first try."
    assert (mode_text(done), done.over, done.skipped) == ("2 of 3 right at once", True, 0)


def test_an_answer_is_parsed_at_the_position_it_is_given_at() -> None:
    session = opened("full").at(6)
    assert parse_answer("grad(p)", session).value == 4.0
    with pytest.raises(CommandError, match="is not there yet"):
        parse_answer("grad(v)", session)
