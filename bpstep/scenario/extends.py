"""Starting from another scenario: bases read, one after the other, and merged key by key."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from bpstep.engine.errors import nearest
from bpstep.scenario.known import text
from bpstep.scenario.library import in_library, library, short_name
from bpstep.scenario.locate import Mapping, Scalar, Tree
from bpstep.scenario.problems import Problems, quoted
from bpstep.scenario.repeat import entries

NOT_INHERITED = frozenset(
    ["bpstep", "extends", "title", "about", "expect", "predict", "notes", "breakpoints", "fault"]
)
MAX_BASES = 20

# Reads and locates a file; its problems are collected.
Read = Callable[[Path], Tree]


@dataclass(frozen=True, eq=False)
class Merged:
    """A scenario with everything that it inherits.

    loss is the base's, None without a base; complete says that every base was found.
    """

    root: Mapping
    loss: str | None
    complete: bool = True


def merge_bases(root: Mapping, path: str, read: Read, problems: Problems) -> Merged:
    """Follows `extends` to its end and merges what was found.

    A missing file and a circle are reported at the `extends` that leads there.
    """
    return _merged(root, (_identity(Path(path)),), Path(path).parent, read, problems)


def _merged(
    root: Mapping, chain: tuple[Path, ...], folder: Path, read: Read, problems: Problems
) -> Merged:
    tree = root.get("extends")
    name = text(tree)
    if tree is None or name is None:
        return Merged(root, None)
    path = _find(name, folder)
    if path is None:
        suggestion = nearest(short_name(name), [short_name(each) for each in library()])
        message = f"there is no scenario {quoted(name)}"
        problems.add(tree.span, message, expected="a file or a known name", suggestion=suggestion)
    elif _identity(path) in chain:
        names = " → ".join(each.name for each in (*reversed(chain), _identity(path)))
        problems.add(tree.span, f"scenarios that extend each other: {names}")
    elif len(chain) > MAX_BASES:
        problems.add(tree.span, "a chain of bases too long", expected=f"at most {MAX_BASES}")
    else:
        base = read(path)
        if isinstance(base, Mapping):
            chain = (_identity(path), *chain)
            inherited = _merged(base, chain, path.parent, read, problems)
            return _onto(inherited, root, problems)
        problems.add(tree.span, f"{quoted(name)} is no scenario")
    return Merged(root, None, complete=False)


def _find(name: str, folder: Path) -> Path | None:
    """A path relative to the file that says it, or the name of one that comes with the program."""
    try:
        path = folder / name
        return path if path.is_file() else in_library(name)
    except (OSError, ValueError):
        return None


def _identity(path: Path) -> Path:
    return path.absolute() if str(path) == "-" else path.resolve()


def _onto(base: Merged, root: Mapping, problems: Problems) -> Merged:
    inherited = {
        name: entry for name, entry in base.root.entries.items() if name not in NOT_INHERITED
    }
    version = base.root.get("bpstep")
    if not isinstance(version, Scalar) or version.value != 1:
        place = base.root.entries["bpstep"][1].span if version else base.root.span
        problems.add(place, "a base of another format", expected="bpstep: 1")
    bare = Mapping(base.root.source, base.root.start, base.root.end, inherited, base.root.flow)
    merged = _merge(bare, root, problems, depth=0)
    return Merged(merged, base.loss or _default_loss(base.root), base.complete)


def _default_loss(root: Mapping) -> str | None:
    """What a base differentiates: its loss, or the last entry of its graph."""
    named = text(root.get("loss"))
    graph = root.get("graph")
    if named or graph is None:
        return named
    written = entries(graph, Problems())
    return written[-1].key.text if written else None


def _merge(base: Mapping, over: Mapping, problems: Problems, depth: int) -> Mapping:
    """The entries of both, the base's first and in their place; null removes."""
    merged = dict(base.entries)
    for name, (key, value) in over.entries.items():
        old = base.get(name)
        if isinstance(value, Scalar) and value.value is None:
            _remove(name, key, merged, base, problems, depth)
        elif isinstance(value, Mapping) and isinstance(old, Mapping):
            merged[name] = key, _merge(old, value, problems, depth + 1)
        else:
            merged[name] = key, value
    return Mapping(over.source, over.start, over.end, merged, over.flow)


def _remove(
    name: str,
    key: Scalar,
    merged: dict[str, tuple[Scalar, Tree]],
    base: Mapping,
    problems: Problems,
    depth: int,
) -> None:
    if merged.pop(name, None) is None and depth:
        problems.add(
            key.span,
            f"there is no {quoted(name)} to remove",
            expected=", ".join(base.entries),
            suggestion=nearest(name, base.entries),
        )
