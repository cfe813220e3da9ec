"""Graphs as lists: repeats, what is substituted, and what is refused."""

from __future__ import annotations

import pytest

from bpstep.scenario import ScenarioError, loads

HEAD = "bpstep: 1\ntitle: t\nparams: {x: 0.5, w: 1}\ngraph:\n"


def names(graph):
    recorded = loads(HEAD + graph).graph()
    return [recorded.label(node) for node in recorded.visible()][2:]


def test_both_ends_are_included_and_offsets_are_added():
    assert names(
        """
  - a0: x
  - repeat: {i: [1, 3]}
    do:
      - "z{i}": w * a{i-1}
      - "a{i}": sigmoid(z{i})
  - loss: a3
"""
    ) == ["a0", "z1", "a1", "z2", "a2", "z3", "a3", "loss"]


def test_repeats_nest_and_numbers_may_be_values():
    assert names(
        """
  - repeat: {i: [0, 1]}
    do:
      - repeat: {j: [2, 3]}
        do: {"a{i}_{j+10}": "x * {i} + {j-4}"}
  - loss: a0_12 + a1_13
"""
    ) == ["(x*0)", "a0_12", "(x*0)#2", "a0_13", "(x*1)", "a1_12", "(x*1)#2", "a1_13", "loss"]


def test_a_negative_number_is_one_number():
    loaded = loads(HEAD + "  - repeat: {i: [1, 1]}\n    do: ['a{i}': 'w * {i-3}**2']\n")
    assert loaded.run().value("a1") == 4.0


def test_inner_operations_that_come_again_are_numbered_through_all_rounds():
    assert names("  - repeat: {i: [1, 3]}\n    do: ['a{i}': 'x * w + 1']\n") == [
        "(x*w)",
        "a1",
        "(x*w)#2",
        "a2",
        "(x*w)#3",
        "a3",
    ]


@pytest.mark.parametrize(
    ("graph", "line", "column", "message"),
    [
        ("  - repeat: {i: [1, 1000000000]}\n    do: ['a{i}': x]\n", 5, 3, "1000000000 entries"),
        ("  - repeat: {i: [1, 1000000000]}\n    do: []\n", 5, 3, "1000000000 entries"),
        ("  - repeat: {i: [1, 9]}\n    do: ['a': x]\n", 6, 11, "a second time"),
        ("  - repeat: {i: [3, 1]}\n    do: ['a{i}': x]\n", 5, 13, "empty"),
        ("  - repeat: {i: [1]}\n    do: ['a{i}': x]\n", 5, 13, "no range"),
        ("  - repeat: {i: [1, 2.5]}\n    do: ['a{i}': x]\n", 5, 13, "no range"),
        ("  - repeat: {i: [1, 2], j: [1, 2]}\n    do: ['a{i}': x]\n", 5, 13, "no range"),
        ("  - repeat: {i: [1, 2]}\n    dO: ['a{i}': x]\n", 5, 5, "without do"),
        ("  - repeat: {i: [1, 2]}\n    do: ['a{i}': x * {j}]\n", 6, 19, "unknown"),
        ("  - repeat: {i: [1, 2]}\n    do: ['a{i}': 'x * {j}']\n", 6, 23, "nothing repeats 'j'"),
        ("  - repeat: {i: [1, 2]}\n    do: ['a{i}': 'x * {i*2}']\n", 6, 23, "no substitution"),
        ("  - repeat: {i: [0, 2]}\n    do: ['a{i}': 'x * a{i-1}']\n", 6, 24, "negative here"),
        ("  - repeat: {i: [1, 2]}\n    do: ['a{i}': 'x * a{i+7} + w']\n", 6, 23, "no node 'a8'"),
        ("  - 'a': 'x * {i}'\n", 5, 15, "nothing repeats 'i'"),
        ("  - x\n", 5, 5, "no entry"),
        ("  'a{i}': x\n", 5, 5, "nothing repeats 'i'"),
    ],
)
def test_mistakes(graph, line, column, message):
    with pytest.raises(ScenarioError) as caught:
        loads(HEAD + graph)
    if message != "unknown":  # braces outside quotes are a mapping for YAML
        assert message in str(caught.value)
        assert (caught.value.line, caught.value.column) == (line, column)
    assert len(caught.value.problems) <= 3


def test_a_caret_stands_under_the_fault_in_a_repeated_text():
    with pytest.raises(ScenarioError) as caught:
        loads(HEAD + "  - repeat: {i: [10, 11]}\n    do: ['a{i}': 'x{i} * w{i-9} + w * q{i}']\n")
    assert [(p.column, p.message) for p in caught.value.problems] == [
        (19, "there is no node 'x10'"),
        (26, "there is no node 'w1'"),
        (39, "there is no node 'q10'"),
    ]
