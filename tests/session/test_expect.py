"""Everything under ``expect`` held against a run, one judgement a number."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpstep.scenario import ScenarioError, loads
from bpstep.session.closeness import close
from bpstep.session.expect import judge

NETWORK = """\
bpstep: 1
title: the network
inputs: {x: 2}
params: {w: 1, b: -1, v: 3}
constants: {target: 1}
graph: {p: w * x, z: p + b, h: relu(z), q: v * h, y: q + p, e: y - target, loss: 0.5 * e ** 2}
"""
KINK = NETWORK.replace("b: -1", "b: -2")
DETACHED = NETWORK.replace("y: q + p", "skip: detach(p), y: q + skip")


def judged(text, expect, **more):
    """Each judgement by what it is about."""
    lines = [f"{key}: {value}" for key, value in more.items()]
    scenario = loads("\n".join([text, *lines, f"expect: {expect}", ""]))
    return {each.what: each for each in judge(scenario)}


def verdicts(text, expect, **more):
    return {what: each.ok for what, each in judged(text, expect, **more).items()}


def test_values_and_gradients_of_the_end():
    found = judged(NETWORK, "{values: {p: 2, loss: 8}, grads: {w: 32, p: 16, target: none}}")
    assert list(found) == ["values.p", "values.loss", "grads.w", "grads.p", "grads.target"]
    assert all(each.ok for each in found.values())


def test_a_failure_has_both_sides():
    failure = judged(NETWORK, "{grads: {w: 24}}")["grads.w"]
    assert (failure.expected, failure.found, failure.ok) == (24, 32.0, False)


@pytest.mark.parametrize(("expected", "ok"), [("none", False), ("0", False), ("16", True)])
def test_none_is_no_zero(expected, ok):
    assert verdicts(NETWORK, f"{{grads: {{x: {expected}}}}}") == {"grads.x": ok}
    assert verdicts(NETWORK, "{grads: {target: 0}}") == {"grads.target": False}


@pytest.mark.parametrize(
    ("expected", "ok"), [("[4, 12]", True), ("[12, 4]", False), ("[4]", False), ("[]", False)]
)
def test_contributions_come_in_the_order_of_arrival(expected, ok):
    assert verdicts(NETWORK, f"{{contributions: {{p: {expected}}}}}") == {"contributions.p": ok}


def test_contributions_are_of_the_last_pass():
    program = "[forward, backward, backward q]"
    assert verdicts(NETWORK, "{contributions: {p: [3]}}", program=program)["contributions.p"]


def test_limits_and_verdicts_are_judged():
    expect = "{checks: {w: {verdict: kink, left: 2, right: 8, central: 5}, b: {central: 0}}}"
    assert verdicts(KINK, expect) == {
        "checks.w.verdict": True,
        "checks.w.left": True,
        "checks.w.right": True,
        "checks.w.central": True,
        "checks.b.central": False,
    }
    found = judged(KINK, "{checks: {w: {verdict: agrees}, all: {verdict: kink}}}")
    assert (found["checks.w.verdict"].found, found["checks.w.verdict"].ok) == ("kink", False)
    assert (found["checks.all.verdict"].found, found["checks.all.verdict"].ok) == ("agrees", False)


def test_the_wrong_node_and_its_cause_are_judged():
    fault = "{kind: drop, from: y, node: p}"
    expect = "{{checks: {{w: {{verdict: mismatch, node: {}, cause: y}}}}}}"
    assert all(verdicts(NETWORK, expect.format("p"), fault=fault).values())
    assert verdicts(NETWORK, expect.format("w"), fault=fault) == {
        "checks.w.verdict": True,
        "checks.w.node": False,
        "checks.w.cause": True,
    }


def test_without_an_expected_verdict_only_a_wrong_gradient_and_one_not_finite_fail():
    fault = "{kind: drop, from: y, node: p}"
    found = judged(NETWORK, "{}", fault=fault, checks="[{wrt: w}, {wrt: b}]")
    assert set(found) == {"checks.w.verdict"}
    assert (found["checks.w.verdict"].found, found["checks.w.verdict"].ok) == ("mismatch", False)
    assert judged(KINK, "{}", checks="[{wrt: all}]") == {}
    nan = "bpstep: 1\ntitle: t\nparams: {x: 0}\ngraph: {r: sqrt(x*x)}\n"
    assert judged(nan, "{}", checks="[{wrt: x}]")["checks.x.verdict"].found == "nonfinite"


def test_steps_of_a_check_are_kept_to():
    text = "bpstep: 1\ntitle: t\nparams: {x: 1}\ngraph: {y: exp(x) + 1e6}\n"
    expect = "{checks: {x: {verdict: rounding}}}"
    assert not verdicts(text, expect)["checks.x.verdict"]
    assert verdicts(text, expect, checks="[{wrt: x, steps: [1e-12]}]")["checks.x.verdict"]


def test_a_pass_that_did_not_end_is_not_checked():
    expect = "{error: graph-freed, checks: {w: {verdict: agrees}}}"
    program = {"program": "[forward, backward, backward]", "retain_graph": "false"}
    assert all(verdicts(NETWORK, expect, checks="[{wrt: w}, {wrt: b}]", **program).values())
    stale = {"program": "[forward, mutate v = 5, backward]", "checks": "[{wrt: w}]"}
    assert verdicts(NETWORK, "{error: stale-value}", **stale) == {"error": True}


def test_a_limit_is_held_to_a_millionth():
    expect = "{{checks: {{w: {{central: {}}}}}}}"
    assert verdicts(NETWORK, expect.format(32.00002))["checks.w.central"]
    assert not verdicts(NETWORK, expect.format(32.0001))["checks.w.central"]


def test_a_small_limit_is_held_to_a_millionth_too():
    text = "bpstep: 1\ntitle: t\nparams: {x: 1}\ngraph: {y: 1e-8 * exp(x)}\n"
    expect = "{{checks: {{x: {{central: {}}}}}}}"
    assert verdicts(text, expect.format(1e-8 * math.e))["checks.x.central"]
    assert not verdicts(text, expect.format(1.001e-8 * math.e))["checks.x.central"]


def test_limits_are_those_of_the_function_with_detached_values_rebuilt():
    found = judged(DETACHED, "{grads: {w: 24}, checks: {w: {central: 32}}}")
    assert all(each.ok for each in found.values())


def test_an_element_and_a_whole_tensor():
    text = "bpstep: 1\ntitle: t\nparams: {W: [[1, 2], [3, 4]]}\ngraph: {y: sum(W * W)}\n"
    expect = '{checks: {"W[0, 1]": {central: 4}, W: {central: 2}}}'
    found = judged(text, expect)
    assert found["checks.W[0, 1].central"].ok
    assert not found["checks.W.central"].ok
    assert found["checks.W.central"].found == pytest.approx(4)


def test_limits_of_a_tensor_are_those_of_an_element_with_its_verdict():
    text = "bpstep: 1\ntitle: t\nparams: {x: [1, 0]}\ngraph: {y: sum(abs(x))}\n"
    expect = "{{checks: {{x: {{verdict: kink, left: {}, right: 1, central: 0}}}}}}"
    assert all(verdicts(text, expect.format(-1)).values())
    wrong = judged(text, expect.format(1))["checks.x.left"]
    assert (wrong.found, wrong.ok) == (-1, False)


def test_limits_in_float32_are_held_to_its_rounding():
    text = "bpstep: 1\ntitle: t\ndtype: float32\nparams: {x: 1.1}\ngraph: {y: x * x}\n"
    assert all(verdicts(text, "{checks: {x: {left: 2.2, right: 2.2, central: 2.2}}}").values())
    assert not any(verdicts(text, "{checks: {x: {left: 2.21, central: 2.201}}}").values())


def test_a_limit_of_zero_is_held_to_the_absolute_tolerance():
    text = "bpstep: 1\ntitle: t\nparams: {x: 0}\ngraph: {y: relu(x)}\n"
    assert verdicts(text, "{checks: {x: {left: 1e-14}}}") == {"checks.x.left": True}


def test_all_is_every_leaf_with_a_gradient():
    text = "bpstep: 1\ntitle: t\nparams: {x: 1, y: 2}\ngraph: {z: 3 * x + 3 * y}\n"
    assert verdicts(text, "{checks: {all: {central: 3}}}") == {"checks.all.central": True}
    assert verdicts(text, "{checks: {all: {central: 4}}}") == {"checks.all.central": False}


def test_updates_number_their_expectations():
    expect = (
        "{updates: [{rate: 0.01, loss: 0.57287808, params: {w: 0.68, v: 2.96}, crossed: []},"
        " {rate: 0.1, loss: 14.58, crossed: [h]}, {rate: 0.1, loss: 8, crossed: []}]}"
    )
    assert verdicts(NETWORK, expect) == {
        "updates[0].loss": True,
        "updates[0].params.w": True,
        "updates[0].params.v": True,
        "updates[0].crossed": True,
        "updates[1].loss": True,
        "updates[1].crossed": True,
        "updates[2].loss": False,
        "updates[2].crossed": False,
    }


def test_an_update_may_expect_its_changes():
    text = "bpstep: 1\ntitle: a parabola\nparams: {w: 3}\ngraph: {loss: w ** 2}\n"
    expect = (
        "{updates: [{rate: 0.5, predicted: -18, actual: -9}, {rate: 1, predicted: -36, actual: 1}]}"
    )
    assert verdicts(text, expect) == {
        "updates[0].predicted": True,
        "updates[0].actual": True,
        "updates[1].predicted": True,
        "updates[1].actual": False,
    }


def test_updates_move_the_parameters_that_the_scenario_names():
    expect = "{updates: [{rate: 0.01, loss: 7.3728}]}"
    found = judged(NETWORK, expect, updates="{rates: [0.01], params: [v]}")["updates[0].loss"]
    assert found.found == pytest.approx(0.5 * (2.96 + 2 - 1) ** 2)


def test_reasons_for_a_zero_are_all_given_and_in_order():
    assert verdicts(KINK, "{zero: {b: kink, v: zero-factor, w: kink}}") == {
        "zero.b": True,
        "zero.v": True,
        "zero.w": False,
    }
    both = "bpstep: 1\ntitle: t\nparams: {x: -1}\ngraph: {y: relu(x) + 0 * x * 2}\n"
    assert verdicts(both, "{zero: {x: [blocked, zero-factor]}}") == {"zero.x": True}
    assert verdicts(both, "{zero: {x: [zero-factor, blocked]}}") == {"zero.x": False}
    assert verdicts(both, "{zero: {x: blocked}}") == {"zero.x": False}


@pytest.mark.parametrize(
    ("expected", "ok"),
    [("[8, 24]", True), ("[24, 8]", True), ("[8, 8]", False), ("[32]", False), ("[24]", False)],
)
def test_paths_come_in_any_order(expected, ok):
    assert verdicts(NETWORK, f"{{paths: {{w: {expected}}}}}") == {"paths.w": ok}


def test_a_ghost_is_a_number_and_several_are_a_list():
    assert verdicts(DETACHED, "{ghosts: {p: 4}}") == {"ghosts.p": True}
    assert verdicts(DETACHED, "{ghosts: {p: 5}}") == {"ghosts.p": False}
    assert verdicts(NETWORK, "{ghosts: {p: 4}}") == {"ghosts.p": False}
    two = "bpstep: 1\ntitle: t\nparams: {x: 2}\ngraph: {y: x * detach(x) + 3 * detach(x)}\n"
    assert verdicts(two, "{ghosts: {x: [3, 2]}}") == {"ghosts.x": True}
    assert verdicts(two, "{ghosts: {x: 3}}") == {"ghosts.x": False}


STALE = "[forward, mutate v = 5, backward]"


def test_an_expected_error_holds_and_an_unexpected_one_fails():
    assert verdicts(NETWORK, "{error: stale-value}", program=STALE) == {"error": True}
    assert verdicts(NETWORK, "{error: graph-freed}", program=STALE) == {"error": False}
    failure = judged(NETWORK, "{values: {p: 2}}", program=STALE)
    assert failure["values.p"].ok
    assert (failure["error"].expected, failure["error"].found) == (None, "stale-value")
    assert failure["error"].ok is False


def test_an_error_that_does_not_come_fails():
    failure = judged(NETWORK, "{error: stale-value}")["error"]
    assert (failure.found, failure.ok) == (None, False)


def test_the_tolerance_is_the_scenarios():
    expect = "{grads: {w: 32.1}}"
    assert not verdicts(NETWORK, expect)["grads.w"]
    assert verdicts(NETWORK, expect, tolerance="{rel: 0.01}")["grads.w"]
    assert verdicts(NETWORK, expect, tolerance="{abs: 0.2}")["grads.w"]


def test_the_reverse_pass_of_a_fault_is_judged_as_it_runs():
    found = verdicts(NETWORK, "{values: {p: 2}, grads: {w: 24, p: 16}}", fault="{kind: overwrite}")
    assert found == {"values.p": True, "grads.w": True, "grads.p": False}


def test_float32_numbers_in_their_shortest_form():
    text = "bpstep: 1\ntitle: t\ndtype: float32\nparams: {x: 0.1}\ngraph: {y: x * x}\n"
    assert verdicts(text, "{values: {x: 0.1, y: 0.01}, grads: {x: 0.2}}") == {
        "values.x": True,
        "values.y": False,
        "grads.x": True,
    }


@pytest.mark.parametrize(
    ("expected", "found", "ok"),
    [
        (math.nan, math.nan, True),
        (math.nan, 0.0, False),
        (math.inf, math.inf, True),
        (math.inf, -math.inf, False),
        (math.inf, 1e308, False),
        (1e308, math.inf, False),
        ([1.0, math.nan], np.array([1.0, math.nan]), True),
        ([1.0, 1.0], 1.0, False),
        (1.0, np.array([1.0]), False),
        ([[1.0]], np.array([1.0]), False),
        (1, 1.0, True),
        (0.0, 1e-12, True),
        (0.0, 1e-11, False),
        (1e6, 1e6 + 1e-4, True),
        (1e6, 1e6 + 1e-2, False),
        (None, None, True),
        (None, 0.0, False),
        (0.0, None, False),
    ],
)
def test_closeness(expected, found, ok):
    assert close(expected, found, rel=1e-9, abs_=1e-12) is ok


@given(st.floats(allow_nan=True, allow_infinity=True))
def test_every_number_is_close_to_itself(x):
    assert close(x, x, rel=0.0, abs_=0.0)


NOTHING = "bpstep: 1\ntitle: nothing learns\nparams: {w: 3}\ngraph: {d: detach(w), loss: d ** 2}\n"


@pytest.mark.parametrize("program", ["[forward, backward]", "[forward, backward d, forward]"])
def test_a_run_may_be_expected_to_have_no_gradient(program):
    found = verdicts(NOTHING, "{error: no-gradient, values: {loss: 9}}", program=program)
    assert found == {"error": True, "values.loss": True}
    with pytest.raises(ScenarioError, match="no-gradient"):
        loads(f"{NOTHING}program: {program}\n")


def test_an_expected_no_gradient_that_does_not_come_is_a_failure():
    assert verdicts(NETWORK, "{error: no-gradient}") == {"error": False}


def test_a_reason_for_one_element():
    text = "bpstep: 1\ntitle: one zero\nparams: {x: [2, 0, 3]}\ngraph: {p: prod(x), loss: 2 * p}\n"
    expect = '{zero: {"x[0]": zero-factor, "x[-1]": [zero-factor], "x[1]": blocked}}'
    assert verdicts(text, expect) == {"zero.x[0]": True, "zero.x[-1]": True, "zero.x[1]": False}
