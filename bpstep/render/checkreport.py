"""What `bpstep check` found: as text, as JSON, and as the JUnit XML that CI systems read."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

from bpstep.render import lines as ui
from bpstep.render.lines import Cell, columns, line
from bpstep.render.numbers import exact, exact_text, json_value
from bpstep.render.sanitize import visible, visible_block

if TYPE_CHECKING:
    from bpstep.render.writers import Line
    from bpstep.session.expect import Judged

NOT_JUDGED = "not judged yet"


@dataclass(frozen=True, eq=False)
class Checked:
    """One scenario held against what it expects, or the problem that kept it from being loaded."""

    file: str
    title: str | None = None
    dtype: str = "float64"
    judged: tuple[Judged, ...] = ()
    problem: str | None = None

    @property
    def failures(self) -> tuple[Judged, ...]:
        """The expectations that do not hold."""
        return tuple(judged for judged in self.judged if judged.ok is False)

    @property
    def open(self) -> tuple[Judged, ...]:
        """The expectations about which nothing can be said yet."""
        return tuple(judged for judged in self.judged if judged.ok is None)

    @property
    def ok(self) -> bool:
        """Whether the file is valid and nothing in it failed."""
        return self.problem is None and not self.failures


def check_text(checked: Sequence[Checked]) -> list[Line]:
    """A line a scenario, its failures below it, and a line that counts."""
    lines = [line for one in checked for line in _scenario_lines(one)]
    return [*lines, line(_count_line(checked))]


def _scenario_lines(one: Checked) -> Iterator[Line]:
    mark = ("✓", ui.GOOD) if one.ok else ("✗", ui.BAD)
    if one.problem is not None:
        # The problem itself is a message of its own, on standard error.
        yield line(mark, f" {one.file}  is not a valid scenario")
        return
    yield line(mark, f" {one.file}  {one.title or ''}  ", (f"({_counts(one)})", ui.FAINT))
    rows: list[list[Cell]] = []
    for failure in one.failures:
        expected, found = (_plain(x, one.dtype) for x in (failure.expected, failure.found))
        rows.append([failure.what, f"expected {expected}", (f"found {found}", ui.BAD)])
    yield from columns(rows, indent=4)
    if (held_to := next((it.tolerance for it in one.failures if it.tolerance), None)) is not None:
        rel, abs_ = exact(held_to.rel), exact(held_to.abs)
        yield line((f"    numbers are held to tolerance: {{rel: {rel}, abs: {abs_}}}", ui.FAINT))


def _counts(one: Checked) -> str:
    if not one.judged:
        return "nothing expected"
    held = len(one.judged) - len(one.failures) - len(one.open)
    counts = [f"{held} held"]
    counts += [f"{len(one.failures)} failed"] if one.failures else []
    counts += [f"{len(one.open)} {NOT_JUDGED}"] if one.open else []
    return ", ".join(counts)


def _count_line(checked: Sequence[Checked]) -> str:
    good = sum(one.ok for one in checked)
    invalid = sum(one.problem is not None for one in checked)
    counts = [(good, "ok"), (len(checked) - good - invalid, "failed"), (invalid, "invalid")]
    noun = "scenario" if len(checked) == 1 else "scenarios"
    said = ", ".join(f"{count} {word}" for count, word in counts if count)
    return f"{len(checked)} {noun}: {said or 'nothing to check'}"


def _plain(value: Any, dtype: str) -> str:
    """A value to the last digit, on one line."""
    if isinstance(value, float) or hasattr(value, "ndim"):
        return exact_text(value, dtype)
    if value is None or isinstance(value, str):
        return visible(value or "none")
    return visible(json.dumps(json_value(value, dtype), ensure_ascii=False))


def check_json(checked: Sequence[Checked]) -> list[Line]:
    """One JSON object; an invalid file is a failure of what is called "file"."""
    report = {
        "ok": all(one.ok for one in checked),
        "scenarios": [
            {"file": one.file, "title": one.title, "ok": one.ok, "failures": _failures(one)}
            for one in checked
        ],
    }
    return [json.dumps(report, allow_nan=False, separators=(",", ":"))]


def _failures(one: Checked) -> list[dict[str, Any]]:
    if one.problem is not None:
        return [{"what": "file", "expected": "a valid scenario", "found": one.problem}]
    return [
        {
            "what": failure.what,
            "expected": json_value(failure.expected, one.dtype),
            "found": json_value(failure.found, one.dtype),
        }
        for failure in one.failures
    ]


def check_junit(checked: Sequence[Checked]) -> list[Line]:
    """JUnit XML: a suite a scenario, a test case an expectation, `skipped` if not judged yet.

    An invalid file is a suite of one case, `file`, in error. There are no times, so that the same
    findings give the same text.
    """
    suites = ElementTree.Element("testsuites", name="bpstep check")
    for one in checked:
        suites.append(_suite(one))
    for count in ("tests", "failures", "errors", "skipped"):
        suites.set(count, str(sum(int(suite.get(count, "0")) for suite in suites)))
    ElementTree.indent(suites)
    text = ElementTree.tostring(suites, encoding="unicode")
    return ['<?xml version="1.0" encoding="UTF-8"?>', text]


def _suite(one: Checked) -> ElementTree.Element:
    invalid = one.problem is not None
    counts = {
        "tests": 1 if invalid else len(one.judged),
        "failures": len(one.failures),
        "errors": int(invalid),
        "skipped": len(one.open),
    }
    suite = ElementTree.Element("testsuite", name=visible(one.file))
    for name, count in counts.items():
        suite.set(name, str(count))
    if one.problem is not None:
        _add(_case(suite, one, "file"), "error", "not a valid scenario", one.problem)
    for judged in one.judged:
        _judged_case(suite, one, judged)
    return suite


def _judged_case(suite: ElementTree.Element, one: Checked, judged: Judged) -> None:
    case = _case(suite, one, judged.what)
    if judged.ok is None:
        _add(case, "skipped", NOT_JUDGED)
    elif not judged.ok:
        expected, found = (_plain(x, one.dtype) for x in (judged.expected, judged.found))
        _add(case, "failure", f"expected {expected}, found {found}")


def _case(suite: ElementTree.Element, one: Checked, what: str) -> ElementTree.Element:
    return ElementTree.SubElement(
        suite, "testcase", classname=visible(one.file), name=visible(what)
    )


def _add(case: ElementTree.Element, tag: str, message: str, text: str = "") -> None:
    element = ElementTree.SubElement(case, tag, message=visible(message))
    if text:
        element.text = visible_block(text)


REPORTS: Mapping[str, Callable[[Sequence[Checked]], list[Line]]] = {
    "text": check_text,
    "json": check_json,
    "junit": check_junit,
}
