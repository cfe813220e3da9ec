"""A tape's output along a line through the recorded point, and the branches taken on it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from bpstep.analysis.extrapolation import Floats
from bpstep.analysis.sweep import Element, most_rows
from bpstep.analysis.tape import Branching, Flags, Given, Tape
from bpstep.engine.arithmetic import Array

NOT_A_NUMBER = 0.25
"""The branch of what is nan: one that no operation has, and that is equal to itself."""


@dataclass(frozen=True, eq=False)
class Samples:
    """The output at steps along a line, shape (n,), and the branches taken there, (n, m).

    Only those m elements of operations are kept whose branch is not the same everywhere.
    ``here`` and ``tied`` are their branches at the point, and whether they are ties there.
    """

    steps: Floats
    losses: Floats
    codes: Floats
    here: Floats
    tied: Flags
    loss: float


class Line:
    """A tape's output along a direction through the recorded point.

    ``direction`` holds by node how its value moves in one unit of the step, in its own shape.
    """

    def __init__(self, tape: Tape, direction: Mapping[int, Array]) -> None:
        self.tape = tape
        self._direction = direction
        self._plan = tape.plan(direction)
        self._single = sum(np.count_nonzero(d) for d in direction.values()) == 1
        self.scale = max(1.0, *(self._size(node, d) for node, d in direction.items()))

    def _size(self, node: int, direction: Array) -> float:
        value = np.abs(np.asarray(self.tape.values[node], dtype=np.float64))
        return float(np.max(value, initial=0.0, where=direction != 0))

    @property
    def room(self) -> int:
        """How many points fit into one batch."""
        return most_rows(self._plan)

    def at(self, steps: Floats) -> Samples:
        """Evaluate at these steps; those that are returned are the ones made, after rounding."""
        wanted = np.concatenate([[0.0], steps])
        moved = {node: self._moved(node, wanted) for node in self._direction}
        watch = _Branches(len(wanted))
        losses = self.tape.evaluate(self._plan, moved, watch)
        made = self._made(moved, wanted)
        codes, tied = watch.collected()
        return Samples(made[1:], losses[1:], codes[1:], codes[0], tied, float(losses[0]))

    def _moved(self, node: int, steps: Floats) -> Array:
        direction = np.asarray(self._direction[node])
        value = np.asarray(self.tape.values[node], dtype=np.float64)
        with np.errstate(over="ignore"):
            batch = value + steps.reshape((-1, *(1,) * direction.ndim)) * direction
            return np.asarray(batch, dtype=self.tape.graph.dtype)

    def _made(self, moved: Mapping[int, Array], wanted: Floats) -> Floats:
        """The steps after rounding, where a single element moves."""
        if not self._single:
            return wanted
        for node, direction in self._direction.items():
            flat = np.reshape(direction, -1)
            if flat.any():
                at = int(np.argmax(flat != 0))
                column = moved[node].reshape(len(wanted), -1)[:, at].astype(np.float64)
                made: Floats = (column - column[0]) / float(flat[at])
                return made
        return wanted


class _Branches:
    """Keeps the branches of all elements of operations that are not the same in every row."""

    def __init__(self, rows: int) -> None:
        self._codes: list[Floats] = [np.empty((rows, 0))]
        self._tied: list[Flags] = [np.empty(0, dtype=bool)]

    def __call__(self, at: Branching, operands: Given, result: Array) -> None:
        codes = at.code(operands, result)
        if codes.ndim == 0 or len(codes) == 1:
            return
        codes = np.where(codes == codes, codes, NOT_A_NUMBER)
        if not (codes != codes[:1]).any():
            return
        codes = codes.reshape(len(codes), -1)
        changing = (codes != codes[:1]).any(axis=0)
        found = at.pieces(operands, result)
        assert found is not None, "what has branches has pieces"
        self._codes.append(codes[:, changing])
        self._tied.append(found.tied[0].reshape(-1)[changing])

    def collected(self) -> tuple[Floats, Flags]:
        """The branches at every row, and which elements are tied at the first."""
        return np.concatenate(self._codes, axis=1), np.concatenate(self._tied)


def element_line(tape: Tape, element: Element) -> Line:
    """The line along which one element of a node moves."""
    direction = np.zeros(tape.graph.shape(element.node))
    direction[element.index] = 1.0
    return Line(tape, {element.node: direction})
