"""Every view at both sizes, as pictures: look at them in `__snapshots__` with a browser."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from driving import documents, typed

from bpstep.session.commands import COMMANDS

Hold = Callable[..., None]

VIEWS = {
    "start": ("full", ""),
    "middle-of-a-sum": ("full", "6 s"),
    "end": ("full", "G"),
    "selected": ("full", "6 s 2 k"),
    "breakpoints": ("full", "6 s b j j b g c"),
    "card": ("full", "6 s enter"),
    "gradients": ("full", "8 s t"),
    "about": ("full", "T"),
    "check": ("kink", f"G slash {typed('w')} enter t t"),
    "update": ("update-rates", "t t t"),
    "paths": ("full", f"1 0 s {'t ' * 4}"),
    "source": ("detached-skip", f"9 s {'t ' * 5}"),
    "zoomed": ("full", "6 s z"),
    "palette": ("full", "ctrl+p"),
    "output": ("full", f"6 s colon {typed('list')} enter"),
    "mistake": ("full", f"6 s colon {typed('print grad(pp)')} enter"),
    "finding": ("full", "6 s slash t a r"),
    "pane": ("full", "6 s tab tab"),
    "kink": ("kink", "1 0 s"),
    "ghost": ("detached-skip", "9 s"),
    "passes": ("two-losses", "G"),
    "tensors": ("matrix-layer", "8 s"),
    "tensor-card": ("matrix-layer", "8 s enter"),
    "run-error": ("stale-value", "G"),
    "not-finite": ("sqrt-at-zero", "G"),
}


@pytest.mark.parametrize("view", VIEWS)
def test_views(picture: Hold, view: str) -> None:
    name, keys = VIEWS[view]
    picture(documents(name), keys)


def test_help(picture: Hold, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bpstep.tui.draw.help.COMMANDS", COMMANDS[:3])
    picture(documents("full"), "question_mark")


def test_problems(picture: Hold, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("wrong.yaml").write_text(
        "bpstep: 1\ntitle: A wrong file [x]\nparams: {w: one}\n"
        "graph:\n  p: w * xx\n  loss: rellu(p)\n"
    )
    picture(documents("wrong.yaml"), "")


def test_library(picture: Hold, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bpstep.tui.shelf.library", list)
    monkeypatch.chdir(tmp_path)
    for number, name in enumerate(("first", "second", "third"), start=1):
        Path(f"{number}-{name}.yaml").write_text(
            "bpstep: 1\n"
            f"title: The {name} scenario, whose title is longer than there is room for it\n"
            "about: |\n  What it shows, with `code` and **emphasis**.\n\n  And [x] more.\n"
            "params: {w: 1}\ngraph: {loss: w * w}\n"
        )
    Path("4-wrong.yaml").write_text("bpstep: 1\ntitle: Wrong\ngraph: {loss: w}\n")
    picture([], "j")


def test_export(picture: Hold, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "cwd", lambda: Path("/home/ada"))
    picture(documents("full"), "6 s x")
