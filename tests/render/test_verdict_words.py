"""Each verdict in words, with its numbers, and as fields of the trace."""

from __future__ import annotations

import json
from typing import Any

import pytest

from bpstep.render.replay import reported
from bpstep.render.verdicts import REASONS, STYLES, verdict_text
from bpstep.render.writers import WRITERS
from bpstep.scenario import loads
from bpstep.session.commands import execute
from bpstep.session.session import Session


def checked(text: str, wrt: str) -> Any:
    session = Session.open(loads(f"bpstep: 1\ntitle: t\n{text}\n"))
    (report,) = execute(session, f"check {wrt}").reports
    (result,) = report.results
    return result


def traced(text: str, wrt: str) -> dict[str, Any]:
    session = Session.open(loads(f"bpstep: 1\ntitle: t\n{text}\n"))
    reports = execute(session, f"check {wrt}").reports
    (line,) = reported(reports, "float64", WRITERS["jsonl"]())
    event: dict[str, Any] = json.loads(str(line))
    return event


NEAR = 'params: {w: 1}\ngraph: {y: "maximum(w, 1.0000001)"}'
KINK = "params: {w: 0}\ngraph: {y: relu(w)}"
CONVENTION = "params: {w: 0}\ngraph: {a: relu(w), b: relu(-w), y: a - b}"
DETACHED = "params: {w: 3}\ngraph: {c: detach(w), y: w * c}"
ROUNDING = "dtype: float32\nparams: {w: 1}\ngraph: {y: exp(w) * 100 + 1000000}"
SQRT = "params: {w: 0}\ngraph: {s: w * w, y: sqrt(s)}"
SQUARE = "params: {w: 3}\ngraph: {y: w * w}\nfault: {kind: single_operand}"
SHARED = """\
params: {w: 2}
graph: {p: 3 * w, q: exp(p), r: q + p, y: 2 * r}
fault: """

SENTENCES = [
    (
        "params: {w: 2}\ngraph: {y: w * w}",
        "agrees",
        "Left, right and central differences converge to 4, the gradient.",
    ),
    (
        KINK,
        "kink",
        "There is no derivative here: the slope is 0 from the left and 1 from the right. The"
        " gradient, 0, lies between them, by convention: relu takes 0 at y. A little off the point"
        " the gradient agrees: this is no bug.",
    ),
    (
        NEAR,
        "near-kink",
        "A kink lies 1e-07 to the right: larger steps reach across it. Smaller ones converge to 0,"
        " the gradient. Check with steps below that distance.",
    ),
    (
        "params: {w: 2}\ngraph: {y: w + floor(w)}",
        "jump",
        "The loss itself jumps here, to the left: differences grow as 1/h and say nothing of a"
        " slope. A little off the point the gradient agrees: this is no bug.",
    ),
    (
        CONVENTION,
        "convention",
        "The loss is smooth here with slope 1, and the gradient is 0: operations sit at points"
        " without a derivative, and their conventions do not add up, by convention: relu takes 0"
        " at b, relu takes 0 at a. A little off the point the gradient agrees: this is no bug.",
    ),
    (
        DETACHED,
        "detached",
        "The gradient, 3, is right with what c copies held constant: then differences give 3. With"
        " the copies rebuilt they give 6. Is the detach meant?",
    ),
    (
        SQUARE,
        "mismatch",
        "The gradient is wrong: 3, where differences give 6. It goes wrong at w: w stands twice in"
        " y, and only one of its contributions arrived (3, where 6 is right).",
    ),
    (
        SQRT,
        "nonfinite",
        "The gradient is nan. In the reverse pass inf arises at step 2 in what y sends to s,"
        " 1 × inf, then nan arises at step 3 in what s sends to w, inf × 0, then nan arises at"
        " step 4 in what s sends to w, inf × 0.",
    ),
    (
        "params: {w: 0}\ngraph: {y: log(w)}",
        "nonfinite",
        "The loss is -inf, the gradient inf. In the forward pass -inf first arises at y. In the"
        " reverse pass inf arises at step 2 in what y sends to w, 1 × inf.",
    ),
    (
        "params: {w: -1}\ngraph: {c: w > 0, s: sqrt(w), y: 'where(c, s, w)'}",
        "nonfinite",
        "The gradient is nan. In the forward pass nan first arises at s. In the reverse pass nan"
        " arises at step 4 in what s sends to w, 0 × nan. y did not select that branch.",
    ),
]


@pytest.mark.parametrize(("text", "verdict", "said"), SENTENCES)
def test_a_verdict_in_words(text: str, verdict: str, said: str) -> None:
    result = checked(text, "w")
    assert result.verdict == verdict
    assert verdict_text(result) == said


def test_rounding_tells_the_best_step() -> None:
    result = checked(ROUNDING, "w --steps 1e-1 1e-3 1e-5")
    assert result.verdict == "rounding"
    said = verdict_text(result)
    assert said.startswith("No step size gives an estimate to trust: the loss is rounded too")
    assert "The error is least at h = 0.1, " in said
    assert said.endswith("larger steps or a wider number type would tell.")


@pytest.mark.parametrize(
    ("fault", "reason", "said"),
    [
        ("{kind: drop, from: r, node: p}", "missing", "what r sends to p is missing"),
        ("{kind: revisit}", "counted-again", "counted more than once"),
        ("{kind: early}", "sent-early", "before everything had arrived at p"),
        ("{kind: overwrite}", "overwritten", "a contribution to p replaced what had arrived"),
        ("{kind: rule, node: y, value: 3}", "wrong-rule", "y sends to r by a wrong local"),
    ],
)
def test_a_mismatch_says_how_it_arose(fault: str, reason: str, said: str) -> None:
    result = checked(SHARED + fault, "w")
    assert result.evidence.reason == reason
    assert said in verdict_text(result)


def test_later_disagreements_are_called_consequences() -> None:
    result = checked(SHARED + "{kind: rule, node: y, value: 3}", "w")
    assert verdict_text(result).endswith("What is wrong at q, p and w is a consequence.")


def test_a_wrong_gradient_at_a_kink_is_not_held_against_a_slope_that_is_not_there() -> None:
    result = checked(
        "params: {a: [1, 3, 3]}\ngraph: {m: max(a)}\n"
        "fault: {kind: rule, node: m, value: [0, 1, 1]}",
        "a",
    )
    assert verdict_text(result).startswith("The gradient is wrong. It goes wrong at a: m sends")


def test_every_verdict_and_reason_has_words() -> None:
    from typing import get_args

    from bpstep.analysis.audit import Reason
    from bpstep.analysis.finding import WORST_FIRST

    assert set(STYLES) == set(WORST_FIRST)
    assert set(REASONS) == set(get_args(Reason))


# ---- the trace ----


def test_the_contracts_fields_come_first() -> None:
    event = traced(KINK, "w")
    assert list(event)[:5] == ["event", "wrt", "analytic", "steps", "verdict"]
    assert (event["verdict"], event["left"], event["right"], event["central"]) == (
        "kink",
        0.0,
        1.0,
        0.5,
    )
    assert event["conventions"] == [{"node": "y", "key": "relu", "used": 0.0}]
    assert event["inside"] is True


def test_the_evidence_of_a_mismatch() -> None:
    event = traced(SQUARE, "w")
    assert {key: event[key] for key in ("verdict", "node", "cause", "reason")} == {
        "verdict": "mismatch",
        "node": "w",
        "cause": "y",
        "reason": "one-operand",
    }
    assert (event["expected"], event["found"]) == (6.0, 3.0)


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        (NEAR, {"distance", "side", "what"}),
        (DETACHED, {"held", "rebuilt", "detaches"}),
        (CONVENTION, {"conventions", "off_point"}),
        ("params: {w: 2}\ngraph: {y: w + floor(w)}", {"sides", "off_point"}),
        ("params: {w: 2}\ngraph: {y: w * w}", {"only", "coarse"}),
    ],
)
def test_each_verdict_has_its_evidence(text: str, keys: set[str]) -> None:
    assert (
        set(traced(text, "w"))
        - {
            "event",
            "wrt",
            "analytic",
            "steps",
            "verdict",
            "left",
            "right",
            "central",
            "bounds",
        }
        == keys
    )


def test_where_a_nan_arises_is_in_the_trace() -> None:
    origins = traced(SQRT, "w")["origins"]
    assert origins["first"] == "y"
    assert [origin["kind"] for origin in origins["reverse"]] == ["inf", "nan", "nan"]
