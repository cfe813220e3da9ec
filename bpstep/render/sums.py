"""Sums in letters: elements by their indices, a letter for each axis that a sum runs along."""

from __future__ import annotations

from collections.abc import Sequence

from bpstep.render.numbers import compact

LETTERS = "ijklmnopqrstuvwxyz"
MOST_ADDED = 6
"""Sums of more terms are written by their pattern only, and in a table."""

Index = tuple[int, ...]
Axis = tuple[int, ...]
"""What one axis of an index is in each of the corner terms."""


def element_name(name: str, index: Index) -> str:
    """ "W[0, 1]"; a scalar is its name."""
    return f"{name}[{', '.join(map(str, index))}]" if index else name


def signed(value: float) -> str:
    """A number as one of several addends or factors: "(-1)"."""
    text = compact(value)
    return f"({text})" if text.startswith("-") else text


def letters_of(corners: Sequence[Index]) -> dict[Axis, str]:
    """A letter for each axis that the sum runs along; axes that run together share one."""
    width = min(map(len, corners), default=0)
    axes = dict.fromkeys(tuple(corner[k] for corner in corners) for k in range(width))
    running = [axis for axis in axes if len(set(axis)) > 1]
    return dict(zip(running, LETTERS, strict=False))


def sigma(letters: dict[Axis, str]) -> str:
    """ "Σ_ij "; nothing where no axis is summed over."""
    return f"Σ_{''.join(letters.values())} " if letters else ""


def lettered(name: str, corners: Sequence[Index], letters: dict[Axis, str]) -> str:
    """An element by its index, with letters for the axes that the sum runs along."""
    axes = [tuple(column) for column in zip(*corners, strict=True)]
    written = [letters.get(axis, str(axis[0])) for axis in axes]
    return f"{name}[{', '.join(written)}]" if written else name
