"""Elements of a tape's nodes moved by steps, all in one batch, and what the output is there.

Every point is told whether it lies on the same smooth piece as another one (the point itself, or
any other offset of its element): whether all operations take the branches they take there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bpstep.analysis.elements import Index
from bpstep.analysis.extrapolation import Floats
from bpstep.analysis.progress import advance
from bpstep.analysis.tape import Branching, Flags, Given, Plan, Tape
from bpstep.engine.arithmetic import Array

MEMORY = 100_000_000
"""How many bytes the arrays of one batch may hold at once: more take longer to be had."""

MOST_ROWS = 20_000
"""More rows at once save nothing: the arrays no longer fit into the processor's cache."""

HERE = -1
"""The point itself as what a row is compared with."""


@dataclass(frozen=True, slots=True)
class Element:
    """One element of a node."""

    node: int
    index: Index


class Points(NamedTuple):
    """The output at offsets of several elements.

    ``offsets`` are the distances that were moved, after rounding, ``losses`` the output there and
    ``same`` whether a point is on the piece it is compared with: all of shape (elements, offsets).
    ``here`` is the output at the point itself.
    """

    offsets: Floats
    losses: Floats
    same: Flags
    here: float


class SameBranch:
    """Which points of a batch take the branches of the rows they are compared with.

    ``changed`` are the nodes with points that do not.
    """

    def __init__(self, compared: NDArray[np.intp]) -> None:
        self._compared = compared
        self._with_first = not compared.any()
        self.same: Flags = np.ones(len(compared), dtype=bool)
        self.changed: list[int] = []

    def __call__(self, at: Branching, operands: Given, result: Array) -> None:
        """Compare the branches of one operation."""
        codes = at.code(operands, result)
        if codes.ndim == 0 or len(codes) == 1:
            return
        others = codes[:1] if self._with_first else codes[self._compared]
        differs = codes != others
        if not differs.any():
            return
        # The branch of what is not a number is nan, and the same.
        differs &= (codes == codes) | (others == others)
        self.changed.append(at.node)
        self.same &= ~differs.reshape(len(differs), -1).any(axis=1)


class Sweep:
    """A tape whose elements are moved one at a time; all its elements share one plan.

    ``changed`` are the nodes that have been seen to change their branch.
    """

    def __init__(self, tape: Tape, elements: Sequence[Element]) -> None:
        self.tape = tape
        self._plan: Plan = tape.plan({element.node for element in elements})
        self.changed: set[int] = set()

    @property
    def operations(self) -> int:
        """How many operations are evaluated for one point."""
        return self._plan.operations

    def size(self, element: Element) -> float:
        """The size of an element, at least 1: what steps are relative to."""
        value = abs(float(np.asarray(self.tape.values[element.node])[element.index]))
        return max(1.0, value)

    def at(
        self,
        elements: Sequence[Element],
        offsets: Floats,
        compared: Sequence[int] | None = None,
        what: str = "",
    ) -> Points:
        """The output with element e moved by ``offsets[e]``, of shape (elements, offsets).

        ``compared`` names for each offset the one whose piece counts (default: all ``HERE``). The
        batch is cut into parts that fit into memory; ``what`` is what its progress is told as.
        """
        return self._at(self._plan, elements, offsets, compared, what)

    def same(self, elements: Sequence[Element], offsets: Floats, compared: Sequence[int]) -> Flags:
        """Only whether those nodes take the same branches that have been seen to change.

        It costs little where they do not need most of a large tape.
        """
        sources = {element.node for element in elements}
        plan = self.tape.plan(sources, towards=self.changed)
        return self._at(plan, elements, offsets, compared).same

    def _at(
        self,
        plan: Plan,
        elements: Sequence[Element],
        offsets: Floats,
        compared: Sequence[int] | None,
        what: str = "",
    ) -> Points:
        width = offsets.shape[1]
        order = np.full(width, HERE) if compared is None else np.asarray(compared)
        count = max(1, most_rows(plan) // max(width, 1))
        parts = []
        for k in range(0, len(elements), count):
            if what:
                advance(k, len(elements), what)
            rows = slice(k, k + count)
            parts.append(self._part(plan, elements[rows], offsets[rows], order))
        moved, losses, same = (np.concatenate([part[k] for part in parts]) for k in range(3))
        return Points(moved, losses, same, parts[0].here)

    def _part(
        self,
        plan: Plan,
        elements: Sequence[Element],
        offsets: Floats,
        compared: NDArray[np.intp],
    ) -> Points:
        count, width = offsets.shape
        rows = 1 + width * np.arange(count)
        targets = np.where(compared == HERE, 0, rows[:, None] + compared)
        watch = SameBranch(np.concatenate([[0], targets.reshape(-1)]))
        moved, actual = self._moved(elements, offsets)
        losses = self.tape.evaluate(plan, moved, watch)
        self.changed.update(watch.changed)
        shape = offsets.shape
        return Points(
            actual, losses[1:].reshape(shape), watch.same[1:].reshape(shape), float(losses[0])
        )

    def _moved(
        self, elements: Sequence[Element], offsets: Floats
    ) -> tuple[dict[int, Array], Floats]:
        """The values of every source at every row, and by how much each element moved."""
        tape, width = self.tape, offsets.shape[1]
        rows = 1 + offsets.size
        moved: dict[int, Array] = {}
        actual = np.empty(offsets.shape)
        for k, element in enumerate(elements):
            node, index = element.node, element.index
            if node not in moved:
                value = np.asarray(tape.values[node], tape.graph.dtype)
                moved[node] = np.repeat(value[None], rows, axis=0)
            place: tuple[Any, ...] = (slice(1 + k * width, 1 + (k + 1) * width), *index)
            start = float(moved[node][(0, *index)])
            # A leaf may be infinite: then it does not move, and the difference is nan.
            with np.errstate(all="ignore"):
                moved[node][place] = start + offsets[k]
                actual[k] = moved[node][place].astype(np.float64) - start
        return moved, actual


def most_rows(plan: Plan) -> int:
    """How many points fit into one batch."""
    return min(MOST_ROWS, MEMORY // (8 * max(1, plan.width)))
