import json
import math
from xml.etree import ElementTree

import numpy as np

from bpstep.render.checkreport import Checked, check_json, check_junit, check_text
from bpstep.scenario import loads
from bpstep.session.expect import Judged, judge

HELD = Judged("values.p", 2, 2.0, True)
FAILED = Judged("grads.w", 24, 32.0, False)
OPEN = Judged("checks.w.verdict", "agrees", None, None)
TENSOR = Judged("grads.W", [[1, 2]], np.array([[1.0, math.nan]]), False)


def joined(lines):
    return "\n".join(map(str, lines))


GOOD = Checked("a.yaml", "Good", judged=(HELD, OPEN))
BAD = Checked("b.yaml", "Bad", judged=(HELD, FAILED, TENSOR))
INVALID = Checked("c.yaml", problem="c.yaml:1:1: no\x1b[0m\n  expected: yes")


def test_text():
    assert (
        joined(check_text([GOOD, BAD, INVALID]))
        == """\
✓ a.yaml  Good  (1 held, 1 not judged yet)
✗ b.yaml  Bad  (1 held, 2 failed)
    grads.w  expected 24        found 32
    grads.W  expected [[1, 2]]  found [[1, nan]]
✗ c.yaml  is not a valid scenario
3 scenarios: 1 ok, 1 failed, 1 invalid"""
    )


def test_text_of_what_expects_nothing():
    assert str(check_text([Checked("d.yaml", "Bare")])[0]) == "✓ d.yaml  Bare  (nothing expected)"


def test_text_of_one():
    assert str(check_text([GOOD])[-1]) == "1 scenario: 1 ok"


def test_json_is_the_contract():
    assert json.loads(*check_json([GOOD])) == {
        "ok": True,
        "scenarios": [{"file": "a.yaml", "title": "Good", "ok": True, "failures": []}],
    }
    assert json.loads(*check_json([GOOD, BAD, INVALID])) == {
        "ok": False,
        "scenarios": [
            {"file": "a.yaml", "title": "Good", "ok": True, "failures": []},
            {
                "file": "b.yaml",
                "title": "Bad",
                "ok": False,
                "failures": [
                    {"what": "grads.w", "expected": 24, "found": 32.0},
                    {"what": "grads.W", "expected": [[1, 2]], "found": [[1.0, "nan"]]},
                ],
            },
            {
                "file": "c.yaml",
                "title": None,
                "ok": False,
                "failures": [
                    {"what": "file", "expected": "a valid scenario", "found": INVALID.problem}
                ],
            },
        ],
    }


def test_junit_has_a_case_an_expectation():
    root = ElementTree.fromstring(joined(check_junit([GOOD, BAD, INVALID])))
    assert root.tag == "testsuites"
    counts = {name: root.get(name) for name in ("tests", "failures", "errors", "skipped")}
    assert counts == {"tests": "6", "failures": "2", "errors": "1", "skipped": "1"}
    cases = {(case.get("classname"), case.get("name")): case for case in root.iter("testcase")}
    assert len(cases) == 6
    assert [child.tag for child in cases["a.yaml", "checks.w.verdict"]] == ["skipped"]
    assert cases["b.yaml", "grads.w"][0].get("message") == "expected 24, found 32"
    assert list(cases["b.yaml", "values.p"]) == []
    error = cases["c.yaml", "file"][0]
    assert error.tag == "error"
    assert "␛[0m" in error.text


def test_nothing_expected_is_nothing_failed():
    assert Checked("x.yaml", "T").ok
    assert json.loads(*check_json([]))["ok"] is True
    assert "nothing to check" in joined(check_text([]))


def test_a_failed_number_says_the_tolerance():
    graph = "params: {w: 3}, graph: {loss: w / 7}"
    text = f"{{bpstep: 1, title: t, {graph}, expect: {{values: {{loss: 0.4285714}}}}}}"
    scenario = loads(text)
    said = joined(check_text([Checked("a.yaml", "t", judged=judge(scenario))]))
    assert "numbers are held to tolerance: {rel: 1e-09, abs: 1e-12}" in said
    loose = loads(text.replace("expect", "tolerance: {rel: 1e-6}, expect"))
    assert "tolerance" not in joined(check_text([Checked("a.yaml", "t", judged=judge(loose))]))
