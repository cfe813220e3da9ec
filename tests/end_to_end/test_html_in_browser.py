"""The page in a real browser, without a network: its script shows the step that is asked for."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from html import unescape
from pathlib import Path

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome")
BROWSER = next((found for name in NAMES if (found := shutil.which(name))), None)

pytestmark = pytest.mark.skipif(BROWSER is None, reason="there is no browser here")

HOSTILE = """\
bpstep: 1
title: "</title></script><script>document.title='broken'</script> & <b>bold</b>"
params: {w: 3}
graph: {loss: w * w}
notes: {w: "</script><script>document.body.dataset.broken='yes'</script>"}
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("pages")


@pytest.fixture(scope="module")
def full(folder: Path) -> Path:
    return written(folder, "full", "goto 3; print grad(p)")


def written(folder: Path, scenario: str, script: str) -> Path:
    path = folder / f"{Path(scenario).stem}.html"
    call = [sys.executable, "-m", "bpstep", "replay", scenario, "-c", script, "-o", str(path)]
    subprocess.run(call, check=True)
    return path


def shown(path: Path, fragment: str) -> str:
    """The page as it stands after its script has run, without the script and its data."""
    assert BROWSER is not None
    done = subprocess.run(
        [
            BROWSER,
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--host-resolver-rules=MAP * ~NOTFOUND",
            f"--user-data-dir={path.parent / 'profile'}",
            "--virtual-time-budget=2000",
            "--dump-dom",
            f"{path.as_uri()}#{fragment}",
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    return re.sub(r"<script.*?</script>", "", done.stdout, flags=re.DOTALL)


def element(page: str, name: str) -> str:
    """The text of an element by its id."""
    found = re.search(rf'<(\w+)[^>]*\bid="{name}"[^>]*>(.*?)</\1>', page, re.DOTALL)
    assert found is not None, name
    return unescape(re.sub(r"<[^>]+>", "", found[2]))


def test_the_step_in_the_address_is_shown(full: Path) -> None:
    page = shown(full, "step=6")
    assert element(page, "place") == "step 6 of 13 · ◐ p has 1 of 2"
    assert "so p receives 4 × 1 = 4" in element(page, "why")
    assert element(page, "next") == "Next: q sends to v."
    assert element(page, "card-title") == "p = w * x"
    assert element(page, "card-grad-head") == "gradient so far"
    assert (element(page, "card-value"), element(page, "card-grad")) == ("2", "4")
    rows = re.findall(r"<tr.*?</tr>", page[page.index('id="card-table"') :], re.DOTALL)
    cells = [re.sub(r"<[^>]+>", " ", row).split() for row in rows]
    assert cells[1] == ["▶", "y", "=", "q", "+", "p", "1", "4", "1", "4", "4"]
    assert "▲4" in element(page, "drawing")
    assert "▶ ◐ p 4" in element(page, "order")
    assert re.search(r'<tr id="row-6"[^>]*class="now"', page)


def test_it_opens_where_it_was_written_and_ends_where_the_run_does(full: Path) -> None:
    assert element(shown(full, ""), "place").startswith("step 3 of 13")
    end = shown(full, "step=99&theme=dark")
    assert element(end, "place").startswith("step 13 of 13")
    assert re.search(r'<html [^>]*data-theme="dark"', end)
    assert "◐" not in element(end, "order")


def test_what_a_user_wrote_is_never_run(folder: Path) -> None:
    scenario = folder / "hostile.yaml"
    scenario.write_text(HOSTILE, encoding="utf-8")
    page = shown(written(folder, str(scenario), "goto 2; info w"), "step=3")
    assert "broken'</script>" in unescape(page)
    assert "data-broken" not in page
    assert "<b>bold</b>" not in page
    assert element(page, "place").startswith("step 3 of 3")
