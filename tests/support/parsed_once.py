"""Style sheets that are parsed once a process, and not again for every app that is started."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from textual.css.model import RuleSet
from textual.css.stylesheet import Stylesheet

Parse = Callable[..., list[RuleSet]]


def parsed_once(parse: Parse) -> Parse:
    """The same as a method of style sheets that parses, for rules that nobody changes."""
    known: dict[tuple[Any, ...], list[RuleSet]] = {}

    def parsed(sheet: Stylesheet, *source: Any, **looks: Any) -> list[RuleSet]:
        key = (frozenset(sheet._variables.items()), *source, *looks.items())
        if key not in known:
            known[key] = parse(sheet, *source, **looks)
        return known[key]

    return parsed
