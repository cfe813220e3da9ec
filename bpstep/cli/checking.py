"""`bpstep check`: holds scenarios against what they expect. One that is wrong is reported."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from bpstep.cli.console import Output, complain
from bpstep.cli.loading import STDIN, load
from bpstep.cli.progress import telling
from bpstep.cli.status import FAILED, FINE, WRONG
from bpstep.engine.errors import BpstepError
from bpstep.render.checkreport import REPORTS, Checked
from bpstep.render.errors import error_text
from bpstep.render.sanitize import visible
from bpstep.session.expect import judge

ENDINGS = (".yaml", ".yml")


def check(paths: Sequence[str], form: str, output: Output) -> int:
    """Judge every scenario and write one report about all."""
    names: list[str] = []
    status = FINE
    for path in paths:
        found = list(_scenarios_in(path))
        if not found:
            complain(f"{visible(path)}: there is no scenario ({', '.join(ENDINGS)}) in this folder")
            status = WRONG
        names += found
    checked = [_checked(name) for name in names]
    output.write(REPORTS[form](checked))
    return max(status, *map(_status, checked), FINE)


def _status(one: Checked) -> int:
    if one.problem is not None:
        return WRONG
    return FINE if one.ok else FAILED


def _scenarios_in(path: str) -> Iterator[str]:
    """A folder's scenarios, in the order of their names; anything else is itself."""
    folder = Path(path)
    if path == STDIN or not folder.is_dir():
        yield path
        return
    yield from (str(file) for file in sorted(folder.iterdir()) if file.suffix in ENDINGS)


def _checked(name: str) -> Checked:
    checked = Checked(file=name)
    try:
        scenario = load(name)
        checked = replace(checked, title=scenario.title, dtype=scenario.dtype)
        with telling():
            return replace(checked, judged=judge(scenario))
    except BpstepError as error:
        complain(error_text(error))
        return replace(checked, problem=str(error))
