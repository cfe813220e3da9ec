"""The pictures in the README show the app as it is.

After a change that is meant, `pytest tests/tui/test_readme_pictures.py --snapshot-update` draws
them anew.
"""

from __future__ import annotations

from pathlib import Path

import pytest
import textual
from drawn import DRAWN_BY, normal
from driving import documents, play, typed

from bpstep.tui.app import BpstepApp

REPOSITORY = Path(__file__).parents[2]
FOLDER = REPOSITORY / ".github" / "pictures"

PICTURES = {
    "step": ("full", "6 s", (120, 36)),
    "check": ("kink", f"G slash {typed('w')} enter t t", (120, 36)),
    "update": ("update-rates", "G t t t", (120, 36)),
    "compare": ("full", f"6 s d {typed('detached')} enter", (120, 36)),
}


def screen(app: BpstepApp) -> str:
    return normal(app.export_screenshot())


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_is_the_screen(name: str, pytestconfig: pytest.Config) -> None:
    if textual.__version__ != DRAWN_BY:
        pytest.skip(f"the pictures are made with Textual {DRAWN_BY}")
    scenario, keys, size = PICTURES[name]
    drawn = play(documents(scenario), keys, screen, size)
    file = FOLDER / f"{name}.svg"
    if pytestconfig.getoption("update_snapshots"):
        FOLDER.mkdir(parents=True, exist_ok=True)
        file.write_text(drawn, encoding="utf-8", newline="\n")
    assert file.read_text(encoding="utf-8") == drawn


def test_each_is_in_the_readme_with_words_for_it() -> None:
    readme = (REPOSITORY / "README.md").read_text(encoding="utf-8")
    for name in PICTURES:
        place = readme.index(f"](.github/pictures/{name}.svg)")
        words = readme[readme.rindex("![", 0, place) + 2 : place]
        assert len(words) > 20, name
