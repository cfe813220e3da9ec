"""Runs aligned as whole columns, against the same thing done step by step and node by node."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise, zip_longest

import numpy as np
import pytest
from random_graphs import random_computation

from bpstep.analysis.aligned_nodes import NOWHERE, align_nodes
from bpstep.analysis.aligned_steps import align_steps, parting
from bpstep.analysis.compare import compare, sent
from bpstep.analysis.differing import differing_rows
from bpstep.analysis.equality import equal
from bpstep.engine.run import Pass, Run
from bpstep.scenario import library, load
from bpstep.session.recorded import Recorded
from bpstep.session.relocation import relocate

PAIRS = [(a.stem, b.stem) for a, b in pairwise(library())] + [
    ("full", "detached-skip"),
    ("full", "kink"),
    ("full", "revisit-bug"),
    ("revisit-bug", "full"),
    ("micro-batches-mean", "micro-batches-mean-whole"),
    ("matrix-layer", "transposed-square"),
    ("forgot-zero-grad", "forgot-zero-grad-cleared"),
]


def runs(names: tuple[str, str]) -> tuple[Run, Run]:
    left, right = (load(name).run() for name in names)
    return left, right


def steps(run: Run):
    for pass_ in run.passes:
        for step in range(1, len(pass_.ledger) + 1):
            yield sent(pass_, step)


def keyed(run: Run) -> dict[tuple, object]:
    """Every step by pass, consumer, operand, target (the seed's left open) and turn."""
    found, turns = {}, Counter()
    for step in steps(run):
        target = None if step.source is None else step.target
        key = (step.pass_number, step.source, step.operand)
        turns[key] += 1
        found[(*key, target, turns[key])] = step
    return found


@pytest.mark.parametrize("names", PAIRS, ids=" ".join)
def test_the_steps_of_two_runs_are_aligned_as_they_are_one_by_one(names: tuple[str, str]) -> None:
    left, right = runs(names)
    found, ours, theirs = align_steps(left, right), keyed(left), keyed(right)
    assert found.there.tolist() == [
        0,
        *(theirs[key].step if key in theirs else NOWHERE for key in ours),
    ]
    assert found.differ.tolist() == [
        step.step for key, step in ours.items() if key not in theirs or not step.same(theirs[key])
    ]
    assert found.differ_there.tolist() == [
        step.step for key, step in theirs.items() if key not in ours or not step.same(ours[key])
    ]
    first = next(
        (
            number
            for number, (a, b) in enumerate(zip_longest(steps(left), steps(right)), start=1)
            if a is None or b is None or not a.same(b)
        ),
        None,
    )
    assert found.parting == first == parting(left, right)


@pytest.mark.parametrize("names", [pair for pair in PAIRS if "revisit" not in "".join(pair)])
def test_an_aligned_step_is_where_a_session_would_be_relocated(names: tuple[str, str]) -> None:
    left, right = runs(names)
    there = align_steps(left, right).there.tolist()
    located = [relocate(left, position, right) for position in range(left.steps + 1)]
    assert there == [place.position if place.same else NOWHERE for place in located]


@pytest.mark.parametrize("names", PAIRS, ids=" ".join)
def test_every_node_has_a_row_and_both_orders_are_kept(names: tuple[str, str]) -> None:
    left, right = runs(names)
    if left.graph is None or right.graph is None:
        return
    nodes = align_nodes(left.graph, right.graph)
    rows = list(zip(nodes.left.tolist(), nodes.right.tolist(), strict=True))
    assert [a for a, _ in rows if a != NOWHERE] == left.graph.visible()
    assert sorted(b for _, b in rows if b != NOWHERE) == right.graph.visible()
    for a, b in rows:
        if NOWHERE not in (a, b):
            assert left.graph.label(a) == right.graph.label(b)
        elif a == NOWHERE:
            assert not left.graph.has(right.graph.label(b))
        else:
            assert not right.graph.has(left.graph.label(a))
    assert [nodes.row_of_left(a) for a, _ in rows if a != NOWHERE] == [
        row for row, (a, _) in enumerate(rows) if a != NOWHERE
    ]


@pytest.mark.parametrize("names", PAIRS, ids=" ".join)
def test_the_rows_that_differ_are_those_of_the_comparison(names: tuple[str, str]) -> None:
    left, right = runs(names)
    if not (left.passes and right.passes):
        return
    one, other = left.passes[-1], right.passes[-1]
    nodes = align_nodes(one.graph, other.graph)
    assert differing_rows(one, other).tolist() == [
        _differs(one, a, other, b)
        for a, b in zip(nodes.left.tolist(), nodes.right.tolist(), strict=True)
    ]


def _differs(one: Pass, a: int, other: Pass, b: int) -> bool:
    if NOWHERE in (a, b) or not equal(one.graph.values[a], other.graph.values[b]):
        return True
    ours, theirs = (
        Counter(
            (each.source, each.operand, each.turn, each.value) for each in _arrivals(pass_, node)
        )
        for pass_, node in ((one, a), (other, b))
    )
    return ours != theirs


class _Arrival:
    def __init__(self, source: object, operand: object, turn: int, value: object) -> None:
        self.source, self.operand, self.turn = source, operand, turn
        self.value = repr((np.asarray(value) + 0.0).tolist())  # −0 is 0


def _arrivals(pass_: Pass, node: int) -> list[_Arrival]:
    turns, found = Counter(), []
    for step in range(1, len(pass_.ledger) + 1):
        each = sent(pass_, step)
        turns[each.source, each.operand] += 1
        if pass_.ledger.receiver(step) == node:
            turn = turns[each.source, each.operand]
            found.append(_Arrival(each.source, each.operand, turn, each.value))
    return found


@pytest.mark.parametrize("tensors", [False, True])
@pytest.mark.parametrize("seed", range(5))
def test_a_random_run_is_aligned_with_itself(seed: int, tensors: bool) -> None:
    made = random_computation(np.random.default_rng(seed), 12, tensors=tensors)
    left, right = (Recorded(made.record()[1][-1]).run() for _ in range(2))
    found = align_steps(left, right)
    assert found.there.tolist() == list(range(left.steps + 1))
    assert len(found.differ) == len(found.differ_there) == 0
    assert found.parting is None
    assert compare(left, right).same


def test_without_the_same_step_the_right_run_stands_at_the_last_common_one() -> None:
    found = align_steps(*runs(("full", "detached-skip")))
    # Step 6, y to p, is cut by the detach: v, h, z come one step sooner there.
    assert found.there.tolist()[4:9] == [4, 5, NOWHERE, 6, 7]
    assert [found.standing(k) for k in (4, 6, 7, 13)] == [4, 5, 6, 12]


def test_motions_lead_from_difference_to_difference() -> None:
    found = align_steps(*runs(("full", "kink")))
    differ = found.differ.tolist()
    assert found.parting == differ[0] == 3
    assert [found.next_difference(k) for k in (0, differ[0], differ[-1])] == [3, differ[1], None]
    assert [found.previous_difference(k) for k in (0, 3, differ[1])] == [None, None, 3]
