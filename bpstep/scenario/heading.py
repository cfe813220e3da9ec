"""A scenario's title and description, read without the rest of its file."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from bpstep.engine.errors import BpstepError
from bpstep.scenario.files import read_source
from bpstep.scenario.locate import Mapping, Scalar, locate
from bpstep.scenario.problems import Problems
from bpstep.scenario.source import Source

_KEY = re.compile(r"^(\w+)[ ]*:(?=\s|$)", re.MULTILINE)
"""A key of the outermost mapping: everything that belongs to one is indented."""


@dataclass(frozen=True)
class Heading:
    """What a list of scenarios shows of one."""

    title: str
    about: str


def heading(path: str | Path) -> Heading:
    """The heading of a scenario that need not be right otherwise; raises ScenarioError.

    Only the two keys are parsed. Where they do not stand in plain sight, the whole file is loaded.
    """
    source = read_source(Path(path))
    try:
        return _of(Source(source.path, "".join(_sections(source.text))))
    except (BpstepError, KeyError):
        from bpstep.scenario.loader import load  # needs the engine: only where it must be

        scenario = load(path)
        return Heading(scenario.title, scenario.about)


def _sections(text: str) -> list[str]:
    starts = [(match.start(), match[1]) for match in _KEY.finditer(text)]
    bounds = pairwise([*starts, (len(text), "")])
    return [text[start:end] for (start, key), (end, _) in bounds if key in ("title", "about")]


def _of(source: Source) -> Heading:
    """Raises BpstepError or KeyError where these lines are no title."""
    problems = Problems()
    tree = locate(source, problems)
    if problems or not isinstance(tree, Mapping):
        raise KeyError("title")
    found = {name: value for name, (_, value) in tree.entries.items()}
    texts = [found["title"], *([found["about"]] if "about" in found else [])]
    title, about = [*(_text(tree) for tree in texts), ""][:2]
    return Heading(title, about)


def _text(tree: object) -> str:
    if not isinstance(tree, Scalar) or not isinstance(tree.value, str):
        raise KeyError("a text")
    return tree.value
