"""Questions that people ask about gradients, reduced to small scenarios.

Values, gradients and contributions in the files were computed with PyTorch, operation by operation
and as a whole; verdicts and reasons by hand from the definitions of the format.
"""

from pathlib import Path

import pytest

from bpstep.scenario import load
from bpstep.session.expect import judge

CASES = sorted((Path(__file__).parents[1] / "data" / "cases").glob("*.yaml"))


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_what_must_come_out_does(path: Path) -> None:
    judged = judge(load(path))
    assert judged
    assert [each for each in judged if each.ok is False] == []


def test_the_cases_are_there() -> None:
    assert len(CASES) >= 30
