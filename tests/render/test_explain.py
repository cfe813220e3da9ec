import numpy as np
import pytest

from bpstep.engine import functions as f
from bpstep.engine.graph import Graph
from bpstep.engine.ops import OPERATIONS
from bpstep.render.explain import explain_at, upcoming
from bpstep.render.wordings import GENERIC, MAPPED, WORDINGS, wording


def sentences(session):
    return [explain_at(session.run, step) for step in range(session.total + 1)]


def test_the_network_step_by_step(full):
    said = sentences(full)
    assert said[0] == "Nothing has been sent yet. Next: the seed of pass 1, 1 at loss."
    assert said[1] == "The pass starts at loss, the end of the computation: dloss/dloss is 1."
    assert said[3] == (
        "(e**2): the local derivative ∂(e**2)/∂e is 2*e**(2-1) = 8, so e receives 0.5 × 8 = 4."
    )
    assert said[6] == (
        "y = q + p: addition passes its gradient through unchanged, so p receives 4 × 1 = 4 "
        "by the direct path. 1 of 2 has arrived; p waits for the one through z."
    )
    assert said[8] == (
        "q = v * h: a factor gets the gradient times the other factor, v = 3, "
        "so h receives 4 × 3 = 12."
    )
    assert said[9] == (
        "h = relu(z): relu is active here and passes its gradient through, "
        "so z receives 12 × 1 = 12."
    )
    assert said[10] == (
        "z = p + b: addition passes its gradient through unchanged, so p receives 12 × 1 = 12. "
        "Everything has arrived at p: 4 + 12 = 16."
    )


def test_what_comes_next(full):
    assert upcoming(full.run, 5) == "Next: y sends to p."
    assert upcoming(full.run, 13) == "That was the last step."


def test_a_convention_is_said_with_what_else_would_be_legal(kink):
    assert sentences(kink)[9] == (
        "h = relu(z): there is no derivative at this point, and the convention relu = 0 was used "
        "(anything from 0 to 1 is as right), so z receives 3 × 0 = 0."
    )


def test_an_inactive_relu(open_made):
    def build(g, leaves):
        g.name("loss", f.relu(g.input("x", leaves["x"])))

    assert (
        "relu is inactive here and lets nothing through"
        in sentences(open_made(build, {"x": -1.0}))[2]
    )


def test_a_repeated_operand_sends_twice(open_made):
    def build(g, leaves):
        r = g.input("r", leaves["r"])
        g.name("loss", r * r)

    session = open_made(build, {"r": 3.0})
    assert upcoming(session.run, 1) == "Next: loss sends to r, operand 0."
    first, second = sentences(session)[2:]
    assert "1 of 2 has arrived; r waits for the one through loss." in first
    assert "Everything has arrived at r: 3 + 3 = 6." in second


def test_where_inf_and_nan_arise(open_made):
    def build(g, leaves):
        x = g.input("x", leaves["x"])
        s = g.name("s", f.sqrt(x * x))
        g.name("loss", 3 * s)

    said = sentences(open_made(build, {"x": 0.0}))
    assert "so (x*x) receives 3 × inf = inf. This is where inf arises." in said[3]
    assert "so x receives inf × 0 = nan. This is where nan arises." in said[4]


def test_nan_that_is_only_handed_on_is_not_said_to_arise(open_made):
    def build(g, leaves):
        x = g.input("x", leaves["x"])
        g.name("loss", 2 * f.sqrt(-f.exp(x)))

    said = sentences(open_made(build, {"x": 0.0}))
    assert sum("arises" in sentence for sentence in said) == 1


def layer(g, leaves):
    x = g.constant("X", leaves["X"])
    w, b = g.param("W", leaves["W"]), g.param("b", leaves["b"])
    z = g.name("Z", x @ f.transpose(w) + b)
    g.name("loss", f.mean(f.tanh(z)))


def test_tensors_are_said_by_shape_and_rule(open_made):
    leaves = {"X": np.ones((3, 2)), "W": np.zeros((2, 2)), "b": np.zeros(2)}
    said = "\n".join(sentences(open_made(layer, leaves)))
    assert "so Z receives G × (1 - (tanh(Z))**2), where G is the gradient of (tanh(Z))" in said
    assert "summed back to its own shape, where G is the gradient of Z: [0.5, 0.5]." in said
    assert "its gradient G goes back as X.T @ G, so (transpose(W)) receives [[0.5" in said


def test_a_buffer_is_part_of_the_sum(open_made):
    from bpstep.engine.program import Backward, Forward, Settings, execute

    def build(g, leaves):
        x = g.input("x", leaves["x"])
        g.name("loss1", x * x)
        g.name("loss", 3 * x)

    recipe = open_made(build, {"x": 2.0}).scenario
    program = (Forward(), Backward("loss1"), Backward("loss"))
    run = execute(recipe, program, Settings(buffers="accumulate"))
    assert explain_at(run, run.steps).endswith(
        "The sum starts from 4, which the buffer held. Everything has arrived at x: 4 + 3 = 7."
    )
    assert upcoming(run, 3) == "Next: the seed of pass 2, 1 at loss."


def test_an_operation_without_a_wording_is_said_by_its_rule():
    assert wording("brand_new", 0, mapped=False) is GENERIC
    assert wording("brand_new", 1, mapped=True) is MAPPED


@pytest.mark.parametrize("name", sorted(WORDINGS))
def test_every_wording_is_of_an_operation_and_can_be_filled_in(name):
    assert name in OPERATIONS
    for said in WORDINGS[name]:
        for local in (0.0, 1.0, 0.5):
            fields = {"source": "y", "target": "x", "how": "v = 3", "number": "3"}
            assert "{" not in said.at(local).format(**fields)


def test_the_direct_path_is_only_the_short_cut(full):
    said = sentences(full)
    assert [step for step, one in enumerate(said) if "direct path" in one] == [6]


def test_user_text_cannot_reach_the_terminal(open_made, monkeypatch):
    # A graph refuses such a name; what is written does not rely on it.
    monkeypatch.setattr(Graph, "_check_name", lambda graph, name: None)

    def build(g, leaves):
        g.name("loss", 2 * g.input("x\x1b[31m", leaves["x\x1b[31m"]))

    said = sentences(open_made(build, {"x\x1b[31m": 1.0}))
    assert all("\x1b" not in one for one in said)
    assert "x␛[31m receives" in said[2]


def test_of_a_shared_weight_the_awaited_are_only_counted(open_made):
    def build(g, leaves):
        w = g.param("w", leaves["w"])
        total = w * 1
        for _ in range(60):
            total = total * w
        g.name("loss", total)

    session = open_made(build, {"w": 1.0})
    said = explain_at(session.run, session.ledger.steps_of("w")[0])
    assert said.endswith("1 of 61 has arrived; w waits for the other 60.")
