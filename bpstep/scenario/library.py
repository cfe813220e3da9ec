"""The scenarios that come with the program: where they are, and how a name finds one."""

from __future__ import annotations

import os
import re
from pathlib import Path

from bpstep.engine.errors import nearest
from bpstep.scenario.problems import whole_file

ENDING = ".yaml"
CHOICES = "a path, or one of the names that `bpstep list` prints"
_NUMBER = re.compile(r"\A\d+-")


def folder() -> Path:
    """The folder of scenarios: inside the installed package, or beside it in a checkout."""
    package = Path(__file__).resolve().parent.parent
    installed = package / "scenarios"
    return installed if installed.is_dir() else package.parent / "scenarios"


def library() -> list[Path]:
    """Every scenario that comes with the program, in teaching order."""
    return sorted(folder().glob(f"*{ENDING}"), key=lambda path: path.stem)


def short_name(path: str | Path) -> str:
    """A scenario's name without folder, number and ending: `full` for `01-full.yaml`."""
    return _NUMBER.sub("", Path(path).name.removesuffix(ENDING), count=1)


def in_library(name: str) -> Path | None:
    """The scenario that comes with the program under this name, or None."""
    plain = name.removesuffix(ENDING)
    for path in library():
        if plain in (short_name(path), path.stem):
            return path
    return None


def find_scenario(name: str) -> Path:
    """A file by its path, or a scenario that comes with the program by its name.

    Raises ScenarioError, with the nearest name or where all are, where there is neither.
    """
    known = None if os.path.isfile(name) else in_library(name)
    if known is not None:
        return known
    if not os.path.exists(name):
        suggestion = nearest(short_name(name), [short_name(each) for each in library()])
        expected = None if suggestion else CHOICES
        raise whole_file(
            name, "there is no such file or scenario", expected=expected, suggestion=suggestion
        )
    return Path(name)
