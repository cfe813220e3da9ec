"""Evaluation order and cycles, against the rule as it is written."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bpstep.scenario.order import evaluation_order

graphs = st.integers(0, 8).flatmap(
    lambda count: st.lists(
        st.sets(st.integers(0, max(0, count - 1)), max_size=3), min_size=count, max_size=count
    )
)


@given(graphs)
def test_repeatedly_the_first_entry_whose_operands_are_ready(needs):
    expected = []
    while True:
        ready = [e for e in range(len(needs)) if e not in expected and needs[e] <= set(expected)]
        if not ready:
            break
        expected.append(ready[0])
    assert evaluation_order(needs)[0] == expected


@given(graphs)
def test_what_is_left_is_on_a_cycle_or_behind_one(needs):
    order, cycles = evaluation_order(needs)
    assert bool(cycles) == (len(order) < len(needs))
    for cycle in cycles:
        for entry, following in zip(cycle, [*cycle[1:], cycle[0]], strict=True):
            assert following in needs[entry]
    on_cycles = [entry for cycle in cycles for entry in cycle]
    assert len(on_cycles) == len(set(on_cycles))


def test_a_long_chain_needs_no_recursion():
    count = 50_000
    order, _ = evaluation_order([{e + 1} for e in range(count)] + [set()])
    assert order == list(range(count, -1, -1))
    _, (cycle,) = evaluation_order([{(e + 1) % count} for e in range(count)])
    assert len(cycle) == count
