"""From a file to a scenario: every stage in turn, every problem collected."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from bpstep.engine.faults import Fault
from bpstep.engine.program import Settings
from bpstep.scenario.build import Built, build
from bpstep.scenario.entries import Entry
from bpstep.scenario.extends import Merged, merge_bases
from bpstep.scenario.files import MAX_BYTES, read_source
from bpstep.scenario.library import find_scenario, short_name
from bpstep.scenario.locate import Mapping, Tree, locate
from bpstep.scenario.model import (
    CheckSpec,
    EntryText,
    Expect,
    Question,
    Scenario,
    Tolerance,
    UpdateSpec,
)
from bpstep.scenario.names import Names
from bpstep.scenario.problems import Problems, whole_file
from bpstep.scenario.source import Source, Span
from bpstep.scenario.tensors import read_tensor

if TYPE_CHECKING:
    from bpstep.scenario.schema import File


def load(path_or_name: str | Path) -> Scenario:
    """A scenario from a file, or one that comes with the program by its name.

    Raises ScenarioError with every problem of the file.
    """
    given = str(path_or_name)
    return _scenario(read_source(find_scenario(given)), given)


def loads(text: str, path: str = "-") -> Scenario:
    """A scenario from a text; path is what messages call it, and where `extends` looks from.

    Raises ScenarioError with every problem of the text.
    """
    if len(text) > MAX_BYTES:
        raise whole_file(path, f"the text is longer than {MAX_BYTES} characters")
    return _scenario(Source(path, text.removeprefix("\ufeff")), path)


def _scenario(source: Source, given: str) -> Scenario:
    # pydantic takes 100 ms to import: only when a file is loaded.
    from bpstep.scenario.form import check_form

    problems = Problems()
    root = _root(source, problems)
    bases: list[str] = []

    def base(path: Path) -> Tree:
        bases.append(str(path))
        return _base(path, problems)

    merged = merge_bases(root, source.path, base, problems)
    form = check_form(merged.root, problems, complete=merged.complete)
    built = build(merged, problems) if merged.complete else None
    if form is None or built is None or problems:
        raise problems.error()
    return replace(_assembled(source, given, merged, form, built), files=(source.path, *bases))


def _root(source: Source, problems: Problems) -> Mapping:
    tree = locate(source, problems)
    if not isinstance(tree, Mapping):
        span = Span(source, tree.start, tree.start + 1)
        problems.add(span, "this is no scenario", expected="a mapping, beginning with 'bpstep: 1'")
        raise problems.error()
    return tree


def _base(path: Path, problems: Problems) -> Tree:
    return locate(read_source(path), problems)


def _assembled(source: Source, given: str, merged: Merged, form: File, built: Built) -> Scenario:
    """Puts together what the schema has read and what the graph has been found to be."""
    plan = built.plan
    remarks = {leaf.name: leaf.note for leaf in plan.leaves if leaf.note}
    return Scenario(
        path=given,
        name=short_name(given),
        text=source.text,
        title=form.title,
        about=form.about,
        plan=plan,
        entries={entry.name: _entry_text(entry) for entry in built.entries},
        loss=built.loss,
        program=built.program,
        settings=Settings(
            form.buffers,
            form.retain_graph,
            form.versions,
            _fault(form, merged.root),
            keep_no_gradient=form.expect.error == "no-gradient",
        ),
        checks=tuple(
            CheckSpec(check.wrt, tuple(check.steps) if check.steps else None)
            for check in form.checks
        ),
        updates=_updates(form),
        tolerance=Tolerance(form.tolerance.rel, form.tolerance.abs),
        expect=_expect(form),
        breakpoints=tuple(form.breakpoints),
        notes={**remarks, **form.notes},
        predict=tuple(Question(q.at, q.ask, q.answer, q.hint) for q in form.predict),
        lines={name: key.line for name, key in built.names.defined.items()},
        inherited=_inherited(source, built.names),
    )


def _inherited(own: Source, names: Names) -> dict[str, Source]:
    """The file of each name that is written in another one."""
    places = ((name, key.scalar.source) for name, key in names.defined.items())
    return {name: source for name, source in places if source is not own}


def _entry_text(entry: Entry) -> EntryText:
    return EntryText(entry.value.text.strip(), entry.key.line)


def _updates(form: File) -> UpdateSpec | None:
    if form.updates is None:
        return None
    params = form.updates.params
    return UpdateSpec(tuple(form.updates.rates), None if params is None else tuple(params))


def _expect(form: File) -> Expect:
    expect = form.expect
    return Expect(
        values=expect.values,
        grads={name: None if grad == "none" else grad for name, grad in expect.grads.items()},
        contributions={name: tuple(parts) for name, parts in expect.contributions.items()},
        checks={name: check.model_dump(exclude_none=True) for name, check in expect.checks.items()},
        updates=tuple(update.model_dump(exclude_none=True) for update in expect.updates),
        zero={
            name: (reasons,) if isinstance(reasons, str) else tuple(reasons)
            for name, reasons in expect.zero.items()
        },
        paths={name: tuple(shares) for name, shares in expect.paths.items()},
        ghosts=expect.ghosts,
        error=expect.error,
    )


def _fault(form: File, root: Mapping) -> Fault | None:
    fault, tree = form.fault, root.get("fault")
    if fault is None or not isinstance(tree, Mapping):
        return None
    value = tree.get("value")
    return Fault(
        kind=fault.kind,
        node=fault.node,
        source=fault.from_,
        op=fault.op,
        operand=fault.operand,
        value=None if value is None else read_tensor(value, Problems()),
    )
