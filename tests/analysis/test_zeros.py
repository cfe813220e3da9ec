"""Reasons for a zero gradient: each by exact cases, numbers and tensors."""

from pathlib import Path

import numpy as np
import pytest

import bpstep
from bpstep.analysis.zeros import zero_gradient, zero_reasons
from bpstep.engine.graph import Graph
from bpstep.engine.reverse import reverse
from bpstep.scenario import load, loads

SCENARIOS = sorted(Path(__file__).parents[2].glob("scenarios/*.yaml"))


def ledger(params, graph, **more):
    """The last pass of a scenario given by its parts."""
    lines = [f"params: {params}", f"graph: {graph}", *(f"{k}: {v}" for k, v in more.items())]
    return loads("\n".join(["bpstep: 1", "title: t", *lines, ""])).run().passes[-1].ledger


def reasons(params, graph, target, **more):
    return zero_reasons(ledger(params, graph, **more), target)


def causes(params, graph, target, **more):
    found = ledger(params, graph, **more)
    return zero_gradient(found, found.graph.find(target)).causes


ALONE = [
    ("{x: 1, w: 2}", "{i: argmax(x), y: w * i}", "no-path"),
    ("{x: 1, w: 2}", "{i: x * 2, y: w * 3}", "no-path"),
    ("{x: 1, w: 2}", "{y: 'where(x > 0, w, 3)'}", "no-path"),
    ("{x: 1, w: 2}", "{y: w * detach(x)}", "detached"),
    ("{x: 1, w: 2}", "{y: w * detach(2 * x) + detach(x)}", "detached"),
    ("{x: {value: 1, grad: false}, w: 2}", "{y: w * x}", "frozen"),
    ("{x: {value: 1, grad: false}, w: 2}", "{y: w * detach(x)}", "frozen"),
    ("{x: -1}", "{y: relu(x)}", "blocked"),
    ("{x: -1}", "{y: 'leaky_relu(x, slope=0)'}", "blocked"),
    ("{x: 3}", "{y: 'clamp(x, min=0, max=2)'}", "blocked"),
    ("{x: 3}", "{y: sign(x)}", "blocked"),
    ("{x: 0}", "{y: sign(x)}", "blocked"),
    ("{x: 2}", "{y: floor(x)}", "blocked"),
    ("{x: 2.5}", "{y: round(x)}", "blocked"),
    ("{x: 1}", "{y: 'maximum(x, 2)'}", "blocked"),
    ("{x: 3}", "{y: 'minimum(2, x)'}", "blocked"),
    ("{x: 1, c: 0}", "{y: 'where(c, x, 2)'}", "blocked"),
    ("{x: 0}", "{y: relu(x)}", "kink"),
    ("{x: 0}", "{y: abs(x)}", "kink"),
    ("{x: 0}", "{y: norm(x)}", "kink"),
    ("{x: 0, k: 0}", "{y: x ** k}", "kink"),
    ("{x: 0, b: 0}", "{y: 'atan2(x, b)'}", "kink"),
    ("{x: 2}", "{y: 0 * x}", "zero-factor"),
    ("{x: 2, v: 0}", "{y: x * v}", "zero-factor"),
    ("{x: 0}", "{y: x * x}", "zero-factor"),
    ("{x: 2, a: 0}", "{y: a / x}", "zero-factor"),
    ("{x: 2, k: 0}", "{y: x ** k}", "zero-factor"),
    ("{x: 2, a: 1}", "{y: a ** x}", "zero-factor"),
    ("{x: 2, b: 0}", "{y: 'atan2(x, b)'}", "zero-factor"),
    ("{x: 0}", "{y: x ** 2}", "stationary"),
    ("{x: 0}", "{y: x ** 2.5}", "stationary"),
    ("{x: 0}", "{y: square(x)}", "stationary"),
    ("{x: 0}", "{y: cos(x)}", "stationary"),
    ("{x: 40}", "{y: sigmoid(x)}", "saturated"),
    ("{x: -800}", "{y: sigmoid(x)}", "saturated"),
    ("{x: 20}", "{y: tanh(x)}", "saturated"),
    ("{x: 30}", "{y: erf(x)}", "saturated"),
    ("{x: -800}", "{y: exp(x)}", "saturated"),
    ("{x: -800}", "{y: softplus(x)}", "saturated"),
    ("{x: -900}", "{y: silu(x)}", "saturated"),
    ("{x: -50}", "{y: gelu(x)}", "saturated"),
    ("{x: 1e200}", "{y: reciprocal(x)}", "saturated"),
    ("{x: 1e200, a: 1}", "{y: a / x}", "saturated"),
    ("{x: .inf}", "{y: log(x)}", "saturated"),
    ("{x: 2}", "{y: 3 * x - 3 * x}", "cancelled"),
    ("{x: 2, v: 1, u: -1}", "{y: v * x + u * x}", "cancelled"),
    ("{x: 2}", "{y: 1e-200 * (1e-200 * x)}", "underflow"),
]


@pytest.mark.parametrize(("params", "graph", "reason"), ALONE)
def test_a_reason_alone(params, graph, reason):
    assert reasons(params, graph, "x") == (reason,)


@pytest.mark.parametrize(("params", "graph", "reason"), ALONE)
def test_it_holds_for_what_lies_behind_it_as_well(params, graph, reason):
    """The value of x made from another leaf: the reasons are the same, whatever comes after."""
    if "grad: false" in params:
        return
    value = params.split("x: ")[1].split(",")[0].strip("}")
    params = params.replace(f"x: {value}", f"x0: {value}")
    graph = graph.replace("{", "{x: x0 + 0, ", 1)
    assert reasons(params, graph, "x0") == (reason,)


def test_a_tie_is_a_kink_where_the_convention_gives_it_away():
    tied = "{y: 'maximum(x, b)'}"
    assert reasons("{x: 1, b: 1}", tied, "b", conventions="tensorflow") == ("kink",)
    assert reasons("{x: 1, b: 1}", tied, "b") is None


def test_float32_underflows_sooner():
    graph = "{y: 1e-30 * (1e-30 * x)}"
    assert reasons("{x: 1}", graph, "x", dtype="float32") == ("underflow",)
    assert reasons("{x: 1}", graph, "x") is None


def test_a_gradient_that_is_not_zero_has_no_reason():
    assert reasons("{x: 1}", "{y: 2 * x}", "x") is None
    assert reasons("{x: 1}", "{y: 2 * x}", "y") is None


@pytest.mark.parametrize(
    ("graph", "expected"),
    [
        # As near as one another: in the order of the pass, which goes backwards.
        ("{y: relu(x) + 0 * sin(x)}", ("zero-factor", "blocked")),
        ("{y: 0 * sin(x) + relu(x)}", ("blocked", "zero-factor")),
        ("{y: 0 * x + sin(relu(x))}", ("zero-factor", "blocked")),
        ("{y: sin(relu(x)) + 0 * x}", ("zero-factor", "blocked")),
        ("{y: relu(x) + relu(x) * 2 + floor(x)}", ("blocked",)),
        ("{y: relu(x) + detach(x) * 2}", ("blocked", "detached")),
        ("{y: detach(x) + sin(sin(relu(x)))}", ("detached", "blocked")),
        ("{y: relu(x) + 0 * detach(x)}", ("blocked",)),
        ("{y: x - x + relu(x)}", ("blocked", "cancelled")),
    ],
)
def test_several_reasons_nearest_the_output_first(graph, expected):
    assert reasons("{x: -1}", graph, "x") == expected


def test_only_the_first_reason_of_a_path_counts():
    assert reasons("{x: -1}", "{y: 0 * sin(relu(x))}", "x") == ("zero-factor",)
    assert reasons("{x: -1, e: 0}", "{y: (e + relu(x)) ** 2}", "x") == ("stationary",)
    assert reasons("{x: 1}", "{h: x ** 2, y: relu(h - h - 1)}", "x") == ("blocked",)


def test_a_zero_that_another_path_repairs_is_no_reason():
    # relu's path is dead, but what arrives at p is not zero: only the factor 0 is to blame.
    graph = "{p: k * x, y: p + relu(-p)}"
    assert reasons("{x: 1, k: 0}", "{p: 0 * x, y: p + relu(p - 1)}", "x") == ("zero-factor",)
    assert reasons("{x: 1, k: 2}", graph, "x") is None


def test_a_cause_names_its_place_and_the_value():
    (cause,) = causes("{w: 1, b: -3}", "{z: w + b, h: relu(z), y: 2 * h}", "w")
    assert (cause.reason, cause.node, cause.receiver, cause.operation) == (
        "blocked",
        "h",
        "z",
        "relu",
    )
    assert (cause.factor, cause.value, cause.step, cause.distance) == ("z", -2.0, 3, 2)
    (factor,) = causes("{x: 2, v: 0}", "{y: v * x}", "x")
    assert (factor.factor, factor.value, factor.culprit) == ("v", 0.0, 0)
    (cut,) = causes("{x: 2, v: 1}", "{s: x * 2, c: detach(s), y: v * c}", "x")
    assert (cut.node, cut.receiver) == ("c", "s")


def test_a_kink_carries_its_convention():
    (cause,) = causes("{x: 0}", "{y: 3 * abs(x)}", "x")
    assert cause.convention is not None
    assert (cause.convention.key, cause.convention.used, cause.convention.interval) == (
        "abs",
        0.0,
        (-1.0, 1.0),
    )


def test_what_stands_on_a_detached_value_is_detached_too():
    text = ("{x: 1, w: 2}", "{c: detach(x), k: 3 * c, y: w * k}")
    assert [reasons(*text, name) for name in ("c", "k", "x")] == [("detached",)] * 3


def test_what_stands_on_constants_is_frozen():
    graph = "{k: 3 * c, y: w * k}"
    assert reasons("{w: 2}", graph, "k", constants="{c: 1}") == ("frozen",)
    assert reasons("{w: 2}", graph, "c", constants="{c: 1}") == ("frozen",)


def test_a_buffer_that_the_pass_brings_to_zero():
    graph, program = "{l1: 3 * x, l2: -3 * x, y: l1 + l2}", "[forward, backward l1, backward l2]"
    assert reasons("{x: 2}", graph, "x", program=program, buffers="accumulate") == ("cancelled",)
    assert reasons("{x: 2}", graph, "x", program=program) is None


def test_a_fault_is_no_reason():
    found = ledger("{x: 2}", "{h: sin(x), y: 2 * h}", fault="{kind: rule, node: h, value: 0}")
    zero = zero_gradient(found, found.graph.find("x"))
    assert zero is not None
    assert zero.reasons == ()
    lost = ledger("{x: 2}", "{h: sin(x), y: 2 * h}", fault="{kind: drop, node: x, from: h}")
    assert zero_reasons(lost, "x") == ()


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_the_lessons(path):
    scenario = load(str(path))
    run = scenario.run()
    for name, expected in scenario.expect.zero.items():
        assert zero_reasons(run.passes[-1].ledger, name) == tuple(expected), name


# ---- tensors ----


def test_each_element_by_itself():
    found = ledger("{x: [-1, 0, 2, 3], v: [1, 1, 0, 1]}", "{h: relu(x), y: sum(v * h)}")
    zero = zero_gradient(found, found.graph.find("x"))
    assert zero is not None
    assert (zero.zeros, zero.size) == (3, 4)
    assert zero.elements == (((0,), ("blocked",)), ((1,), ("kink",)), ((2,), ("zero-factor",)))
    assert zero.reasons == ("zero-factor", "kink", "blocked")
    assert zero_reasons(found, "x[1]") == ("kink",)
    assert zero_reasons(found, "x[3]") is None


def test_many_zeros_are_explained_together():
    found = ledger("{x: {init: ones, shape: [6, 6]}}", "{y: sum(relu(-x))}")
    zero = zero_gradient(found, found.graph.find("x"))
    assert zero is not None
    assert (zero.zeros, zero.elements, zero.reasons) == (36, (), ("blocked",))
    assert zero.causes[0].elements == 36


@pytest.mark.parametrize(
    ("params", "graph", "expected"),
    [
        ("{x: [1, 2]}", "{y: 'x[0]'}", {(1,): "no-path"}),
        ("{x: [[1, 2], [3, 4]]}", "{y: 'sum(x[1])'}", {(0, 0): "no-path", (0, 1): "no-path"}),
        ("{x: [1, 3]}", "{y: max(x)}", {(0,): "blocked"}),
        ("{x: [1, 3]}", "{y: min(x)}", {(1,): "blocked"}),
        (
            "{x: [[1, 3], [4, 2]]}",
            "{y: 'sum(max(x, axis=1))'}",
            {(0, 0): "blocked", (1, 1): "blocked"},
        ),
        ("{x: [0, 2]}", "{y: norm(x)}", {(0,): "stationary"}),
        ("{x: [0, 2]}", "{y: prod(x)}", {(1,): "zero-factor"}),
        ("{x: [1, 2], a: [0, 1]}", "{y: 'dot(a, x)'}", {(0,): "zero-factor"}),
        ("{x: [-800, 0]}", "{y: logsumexp(x)}", {(0,): "saturated"}),
        ("{x: [0, 800]}", "{p: softmax(x), y: 'p[1]'}", {(0,): "saturated", (1,): "saturated"}),
        ("{x: [0, 800]}", "{p: log_softmax(x), y: 'p[1]'}", {(0,): "saturated", (1,): "saturated"}),
        ("{x: [1, 2]}", "{y: sum(softmax(x) * 0)}", {(0,): "zero-factor", (1,): "zero-factor"}),
        ("{x: [3]}", "{y: sum(softmax(x))}", {(0,): "blocked"}),
        ("{x: [[1, 2]]}", "{y: sum(x @ [[0, 0], [1, 0]])}", {}),
        ("{x: [-1, 2]}", "{y: 'sum(reshape(transpose(relu(x)), (2, 1)))'}", {(0,): "blocked"}),
        ("{x: [1, 2]}", "{y: 'sum(concat(0 * x, x[0] * x))'}", {}),
        ("{x: [1, 2]}", "{a: 'concat(x, x)', y: 'a[2]'}", {(1,): "no-path"}),
    ],
)
def test_reductions_and_rearrangements(params, graph, expected):
    if "@" in graph:
        graph = graph.replace("[[0, 0], [1, 0]]", "M")
        found = ledger(params, graph, constants="{M: [[0, 0], [1, 0]]}")
        expected = {(0, 0): "zero-factor"}
    else:
        found = ledger(params, graph)
    zero = zero_gradient(found, found.graph.find("x"))
    if not expected:
        assert zero is None
        return
    assert zero is not None
    assert zero.elements == tuple((index, (reason,)) for index, reason in expected.items())


def test_a_matrix_product_has_reasons_for_each_sample():
    """dW sums over samples: one has x = 0, for the other the unit is dead."""
    found = ledger(
        "{w: [[1], [-3]]}",
        "{z: X @ w, h: relu(z), y: sum(h)}",
        constants="{X: [[0, -1], [1, 1]]}",
    )
    assert np.array_equal(found.grad("z"), [[1.0], [0.0]])
    assert zero_reasons(found, "w[0, 0]") == ("blocked", "zero-factor")
    assert zero_reasons(found, "w[1, 0]") is None


def test_a_factor_of_zero_hides_what_lies_beyond_it_for_its_sample_only():
    found = ledger("{w: 1}", "{h: relu(w * x - 1), y: sum(h)}", constants="{x: [0, 0.5]}")
    assert zero_reasons(found, "w") == ("blocked",)
    found = ledger(
        "{w: 1}", "{h: relu(w * x + c), y: sum(h)}", constants="{x: [0, 0.5], c: [1, -1]}"
    )
    assert zero_reasons(found, "w") == ("blocked", "zero-factor")


def test_broadcast_elements_can_cancel():
    found = ledger("{b: 1}", "{y: sum(b * c)}", constants="{c: [1, -1, 0]}")
    assert zero_reasons(found, "b") == ("zero-factor", "cancelled")


def test_an_empty_tensor_has_no_zeros():
    graph = Graph()
    x = graph.param("x", np.zeros((0, 2)))
    loss = graph.apply("sum", x)
    assert zero_gradient(reverse(graph, loss.index), x.index) is None


# ---- size ----


def test_a_hundred_thousand_zeros_in_a_row():
    graph = Graph()
    x = node = graph.param("x", -1.0)
    node = bpstep.relu(node)
    for _ in range(100_000):
        node = -node
    found = zero_gradient(reverse(graph, node.index), x.index)
    assert found is not None
    assert found.reasons == ("blocked",)
    dead = bpstep.relu(node - 1.0)
    found = zero_gradient(reverse(graph, dead.index), x.index)
    assert found is not None
    (cause,) = found.causes
    assert (cause.reason, cause.distance) == ("blocked", 1)


def test_exponentially_many_paths_are_not_listed():
    graph = Graph()
    x = node = graph.param("x", 1.0)
    for _ in range(300):
        node = graph.apply("add", node, node)
    loss = graph.name("loss", 0.0 * node)
    found = zero_gradient(reverse(graph, loss.index), x.index)
    assert found is not None
    assert [(cause.reason, cause.node) for cause in found.causes] == [("zero-factor", "loss")]
