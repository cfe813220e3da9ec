"""What is imported, and when: seen in fresh processes and in the source."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import bpstep

PACKAGE = Path(bpstep.__file__).parent
HEAVY = {"textual", "pydantic", "torch", "yaml", "click", "rich", "numpy"}


def loaded(code: str, *arguments: str) -> set[str]:
    """The heavy packages in `sys.modules` after some code has run in a fresh process."""
    report = "import sys; print(*{name.partition('.')[0] for name in sys.modules})"
    return HEAVY & set(run(f"{code}\n{report}", *arguments).splitlines()[-1].split())


def run(code: str, *arguments: str) -> str:
    """The output of some code in a fresh process, which must end well."""
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("import bpstep", set()),
        ("import bpstep; bpstep.Graph", {"numpy"}),
        ("import bpstep; bpstep.backward; bpstep.relu", {"numpy"}),
        # All that there is before the first screen has been painted.
        ("import bpstep.cli.opening, bpstep.tui.app", {"rich", "textual"}),
        (
            "import bpstep.tui.shelf, bpstep.tui.recorder, bpstep.tui.screens.library\n"
            "assert bpstep.tui.shelf.shelf()",
            {"rich", "textual", "yaml"},
        ),
    ],
)
def test_importing_is_cheap(code: str, expected: set[str]) -> None:
    assert loaded(code) == expected


@pytest.mark.parametrize(
    "arguments",
    [
        ["replay", "full"],
        ["replay", "full", "--format", "jsonl"],
        ["check", "kink"],
        ["list"],
        ["schema"],
        ["--version"],
    ],
    ids=" ".join,
)
def test_nothing_headless_imports_the_toolkit(arguments: list[str]) -> None:
    code = """
import sys
from bpstep.cli import main
try:
    main(sys.argv[1:])
except SystemExit as end:
    assert not end.code, end.code
"""
    assert not {"textual", "torch"} & loaded(code, *arguments)


def test_the_engine_is_the_standard_library_and_numpy() -> None:
    allowed = {"numpy", "bpstep", *sys.stdlib_module_names}
    for path in sorted((PACKAGE / "engine").glob("*.py")):
        for name in imported(path):
            assert name.partition(".")[0] in allowed, (path.name, name)
            assert not name.startswith("bpstep.") or name.startswith("bpstep.engine"), path.name


def test_the_engine_runs_with_nothing_else_installed() -> None:
    code = """
import sys
for name in ("textual", "rich", "pydantic", "yaml", "click", "torch"):
    sys.modules[name] = None            # importing it is an ImportError
import bpstep
graph = bpstep.Graph()
x = graph.input("x", 3.0)
print(bpstep.backward(x * x).grad("x"))
"""
    assert run(code) == "6.0\n"


def imported(path: Path) -> set[str]:
    """The modules that a file imports, at whatever depth."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add(node.module or "")
    return found
